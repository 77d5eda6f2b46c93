/// A worker's reply to a request. It is not trusted: a worker may send anything.
struct WorkerReply {
  enum Content {
    /// The worker has given up what it does not need.
    case ready(ImageWorker.Protections)
    case image(Claim)
    /// There is none: no thumbnail, no further frame.
    case nothing
    case info(ImageInfo)
    /// The size of a drawing.
    case size(PixelSize)
    /// The place of bytes in the memory for pixels.
    case bytes(offset: Int, count: Int)
    case animation(ImageInfo, plays: Int?)
    case failure(ImageCodecError)
    case done
  }

  /// The image in the memory for pixels, as the worker describes it.
  struct Claim {
    var width = 0
    var height = 0
    var pixelFormat = Image.PixelFormat.rgb8
    var colors = Colors.untagged
    var isComplete = true
    var offset = 0
    /// The place of the color profile, if there is one.
    var profileOffset = 0
    var profileCount = 0
    /// The duration of a frame, in microseconds.
    var duration = 0
    var gainMap: GainMapClaim?

    enum Colors: CaseIterable { case sRGB, untagged, profile }
  }

  var number: Int64
  /// What lies behind the file of the request: only a worker that has received its memory can read it.
  var proof: Int64 = 0
  var content: Content
}

extension WorkerReply {
  private static let magic: Int64 = 0x6C70_6572_2067_6D69

  private enum Kind: CaseIterable { case ready, image, nothing, info, animation, failure, done, size, bytes }

  /// Nil for anything that is not a reply.
  init?(_ message: WorkerMessage) {
    guard message[0] == Self.magic, message[1] == Int64(ImageWorker.version),
      let kind = message.choice(2, Kind.self)
    else { return nil }
    (number, proof) = (message[3], message[62])
    switch kind {
    case .ready:
      guard let bits = UInt32(exactly: message[4]) else { return nil }
      content = .ready(ImageWorker.Protections(rawValue: bits))
    case .image:
      guard let claim = Claim(message) else { return nil }
      content = .image(claim)
    case .nothing: content = .nothing
    case .info:
      guard let info = ImageInfo(message) else { return nil }
      content = .info(info)
    case .animation:
      guard let info = ImageInfo(message), let plays = message.count(22), let isEndless = message.flag(23)
      else { return nil }
      content = .animation(info, plays: isEndless ? nil : plays)
    case .failure:
      guard let error = ImageCodecError(message) else { return nil }
      content = .failure(error)
    case .done: content = .done
    case .size:
      guard let width = message.count(4), let height = message.count(5) else { return nil }
      content = .size(PixelSize(width: width, height: height))
    case .bytes:
      guard let offset = message.count(4), let count = message.count(5) else { return nil }
      content = .bytes(offset: offset, count: count)
    }
  }

  var message: WorkerMessage {
    var message = WorkerMessage()
    message[0] = Self.magic
    message.set(1, ImageWorker.version)
    (message[3], message[62]) = (number, proof)
    switch content {
    case .ready(let protections):
      message.set(2, Kind.ready)
      message[4] = Int64(protections.rawValue)
    case .image(let claim):
      message.set(2, Kind.image)
      claim.write(to: &message)
    case .nothing: message.set(2, Kind.nothing)
    case .info(let info):
      message.set(2, Kind.info)
      info.write(to: &message)
    case .animation(let info, let plays):
      message.set(2, Kind.animation)
      info.write(to: &message)
      message.set(22, plays ?? 0)
      message.set(23, plays == nil)
    case .failure(let error):
      message.set(2, Kind.failure)
      error.write(to: &message)
    case .done: message.set(2, Kind.done)
    case .size(let size):
      message.set(2, Kind.size)
      message.set(4, size.width)
      message.set(5, size.height)
    case .bytes(let offset, let count):
      message.set(2, Kind.bytes)
      message.set(4, offset)
      message.set(5, count)
    }
    return message
  }
}

extension WorkerReply.Claim {
  fileprivate init?(_ message: WorkerMessage) {
    guard let width = message.count(4), let height = message.count(5),
      let pixelFormat = message.choice(6, Image.PixelFormat.self),
      let colors = message.choice(7, Colors.self),
      let isComplete = message.flag(8), let offset = message.count(9),
      let profileOffset = message.count(10), let profileCount = message.count(11),
      let duration = message.count(12)
    else { return nil }
    (self.width, self.height, self.pixelFormat) = (width, height, pixelFormat)
    (self.colors, self.isComplete, self.offset) = (colors, isComplete, offset)
    (self.profileOffset, self.profileCount, self.duration) = (profileOffset, profileCount, duration)
    // What it does not claim, it could keep.
    guard colors == .profile || profileCount == 0, let hasGainMap = message.flag(13) else { return nil }
    if hasGainMap {
      guard let gainMap = WorkerReply.GainMapClaim(message) else { return nil }
      self.gainMap = gainMap
    }
  }

  fileprivate func write(to message: inout WorkerMessage) {
    message.set(4, width)
    message.set(5, height)
    message.set(6, pixelFormat)
    message.set(7, colors)
    message.set(8, isComplete)
    message.set(9, offset)
    message.set(10, profileOffset)
    message.set(11, profileCount)
    message.set(12, duration)
    message.set(13, gainMap != nil)
    gainMap?.write(to: &message)
  }
}

extension ImageInfo {
  fileprivate init?(_ message: WorkerMessage) {
    guard let format = message.choice(14, ImageFormat.self), let width = message.count(15),
      let height = message.count(16), let orientation = message.choice(17, ImageOrientation.self),
      let hasAlpha = message.flag(18), let isProgressive = message.flag(19),
      let isAnimated = message.flag(20), let bits = message.count(21), bits <= 64
    else { return nil }
    self.init(
      format: format, storedSize: PixelSize(width: width, height: height), orientation: orientation,
      hasAlpha: hasAlpha, isProgressive: isProgressive, isAnimated: isAnimated, bitsPerComponent: bits)
  }

  fileprivate func write(to message: inout WorkerMessage) {
    message.set(14, format)
    message.set(15, storedSize.width)
    message.set(16, storedSize.height)
    message.set(17, orientation)
    message.set(18, hasAlpha)
    message.set(19, isProgressive)
    message.set(20, isAnimated)
    message.set(21, bitsPerComponent)
  }
}
