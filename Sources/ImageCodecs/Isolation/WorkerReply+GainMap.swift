extension WorkerReply {
  /// The gain map in the memory for pixels, as the worker describes it.
  struct GainMapClaim {
    var width: Int
    var height: Int
    var pixelFormat: Image.PixelFormat
    var offset: Int
    var metadata: GainMap.Metadata
  }
}

extension WorkerReply.GainMapClaim {
  /// The numbers of the metadata, and their fields in a message.
  private static var fields: [(Int, WritableKeyPath<GainMap.Metadata, Double>)] {
    let channels: [WritableKeyPath<GainMap.Metadata, GainMap.Channel>] = [\.red, \.green, \.blue]
    let numbers: [WritableKeyPath<GainMap.Channel, Double>] = [
      \.minimum, \.maximum, \.gamma, \.baseOffset, \.offset,
    ]
    let paths = channels.flatMap { channel in numbers.map { channel.appending(path: $0) } }
    return Array(zip(18..., [\.baseHeadroom, \.headroom] + paths))
  }

  init?(_ message: WorkerMessage) {
    guard let width = message.count(14), let height = message.count(15),
      let pixelFormat = message.choice(16, Image.PixelFormat.self), let offset = message.count(17)
    else { return nil }
    var metadata = GainMap.Metadata(GainMap.Channel(maximum: 1), headroom: 1)
    for (field, path) in Self.fields {
      metadata[keyPath: path] = Double(bitPattern: UInt64(bitPattern: message[field]))
    }
    (self.width, self.height, self.pixelFormat) = (width, height, pixelFormat)
    (self.offset, self.metadata) = (offset, metadata)
  }

  func write(to message: inout WorkerMessage) {
    message.set(14, width)
    message.set(15, height)
    message.set(16, pixelFormat)
    message.set(17, offset)
    for (field, path) in Self.fields {
      message[field] = Int64(bitPattern: metadata[keyPath: path].bitPattern)
    }
  }
}
