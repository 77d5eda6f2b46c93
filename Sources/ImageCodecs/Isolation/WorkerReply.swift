/// A worker's reply to a request. It is not trusted: a worker may send anything.
package struct WorkerReply {
  package enum Content {
    /// The worker has given up what it does not need.
    case ready(ImageWorker.Protections)
    case image(Claim)
    /// There is none: no thumbnail, no further frame.
    case nothing
    case info(ImageInfo)
    case animation(ImageInfo, plays: Int?)
    case failure(ImageCodecError)
    case done
    /// The size of a drawing.
    case size(PixelSize)
    /// The place of bytes in the memory for pixels.
    case bytes(offset: Int, count: Int)
  }

  /// The image in the memory for pixels, as the worker describes it.
  package struct Claim {
    package var size = PixelSize(width: 0, height: 0)
    package var pixelFormat = Image.PixelFormat.rgb8
    package var colors = Colors.untagged
    var isComplete = true
    package var offset = 0
    /// The place of the color profile, if there is one.
    var profileOffset = 0
    package var profileCount = 0
    /// The duration of a frame.
    var duration = Duration.zero
    package var gainMap: GainMapClaim?

    package enum Colors: CaseIterable { case sRGB, untagged, profile }

    package init() {}
  }

  /// The gain map in the memory for pixels, as the worker describes it.
  package struct GainMapClaim {
    var size: PixelSize
    var pixelFormat: Image.PixelFormat
    var offset: Int
    var metadata: GainMap.Metadata

    package init(size: PixelSize, pixelFormat: Image.PixelFormat, offset: Int, metadata: GainMap.Metadata) {
      (self.size, self.pixelFormat, self.offset, self.metadata) = (size, pixelFormat, offset, metadata)
    }
  }

  package var number: Int64
  /// What lies behind the file of the request: only a worker that has received its memory can read it.
  var proof: Int64
  package var content: Content

  package init(number: Int64, proof: Int64 = 0, content: Content) {
    (self.number, self.proof, self.content) = (number, proof, content)
  }
}

extension WorkerReply {
  private static let magic: Int64 = 0x6C70_6572_2067_6D69

  /// Nil for anything that is not a reply.
  package init?(_ message: WorkerMessage) {
    var message = message
    self.init(number: 0, content: .nothing)
    pass(&message)
    guard message.isValid else { return nil }
  }

  package var message: WorkerMessage {
    var (reply, message) = (self, WorkerMessage())
    reply.pass(&message)
    return message
  }

  private mutating func pass(_ message: inout WorkerMessage) {
    message.constant(Self.magic)
    message.constant(Int64(ImageWorker.version))
    let kind = content.kind
    message.choice(&content, of: Content.blanks) { $0.kind == kind }
    message.number(&number)
    message.number(&proof)
    content.pass(&message)
  }
}

extension WorkerReply.Content {
  private static let info = ImageInfo(format: .png, storedSize: PixelSize(width: 0, height: 0))

  /// One of each kind, in the order of their numbers in a message.
  fileprivate static let blanks: [Self] = [
    .ready([]), .image(WorkerReply.Claim()), .nothing, .info(info), .animation(info, plays: nil),
    .failure(.truncated), .done,
    .size(info.storedSize), .bytes(offset: 0, count: 0),
  ]

  fileprivate var kind: Int {
    switch self {
    case .ready: 0
    case .image: 1
    case .nothing: 2
    case .info: 3
    case .animation: 4
    case .failure: 5
    case .done: 6
    case .size: 7
    case .bytes: 8
    }
  }

  fileprivate mutating func pass(_ message: inout WorkerMessage) {
    switch self {
    case .ready(let protections):
      var bits = Int(protections.rawValue)
      message.count(&bits, most: Int(UInt32.max))
      self = .ready(ImageWorker.Protections(rawValue: UInt32(bits)))
    case .image(var claim):
      claim.pass(&message)
      self = .image(claim)
    case .nothing, .done: break
    case .info(var info):
      info.pass(&message)
      self = .info(info)
    case .animation(var info, var plays):
      info.pass(&message)
      message.optional(&plays, 0) { $0.count(&$1) }
      self = .animation(info, plays: plays)
    case .failure(var error):
      error.pass(&message)
      self = .failure(error)
    case .size(var size):
      message.size(&size)
      self = .size(size)
    case .bytes(let offset, let count):
      self = .bytes(offset: message.counted(offset), count: message.counted(count))
    }
  }
}

extension WorkerReply.Claim {
  fileprivate mutating func pass(_ message: inout WorkerMessage) {
    message.size(&size)
    message.choice(&pixelFormat)
    message.choice(&colors)
    message.flag(&isComplete)
    message.count(&offset)
    message.count(&profileOffset)
    // What it does not claim, it could keep.
    message.count(&profileCount, most: colors == .profile ? 1 << 48 : 0)
    message.duration(&duration)
    let metadata = GainMap.Metadata(GainMap.Channel(maximum: 1), headroom: 1)
    let blank = WorkerReply.GainMapClaim(
      size: PixelSize(width: 0, height: 0), pixelFormat: .gray8, offset: 0, metadata: metadata)
    message.optional(&gainMap, blank) { message, map in
      message.size(&map.size)
      message.choice(&map.pixelFormat)
      message.count(&map.offset)
      message.real(&map.metadata.baseHeadroom)
      message.real(&map.metadata.headroom)
      map.metadata.red.pass(&message)
      map.metadata.green.pass(&message)
      map.metadata.blue.pass(&message)
    }
  }
}

extension GainMap.Channel {
  fileprivate mutating func pass(_ message: inout WorkerMessage) {
    message.real(&minimum)
    message.real(&maximum)
    message.real(&gamma)
    message.real(&baseOffset)
    message.real(&offset)
  }
}

extension ImageInfo {
  fileprivate mutating func pass(_ message: inout WorkerMessage) {
    message.choice(&format)
    message.size(&storedSize)
    message.choice(&orientation)
    message.flag(&hasAlpha)
    message.flag(&isProgressive)
    message.flag(&isAnimated)
    message.count(&bitsPerComponent, most: 64)
  }
}
