/// A request of a program to its worker.
struct WorkerRequest {
  enum Kind: CaseIterable {
    /// The first request: configures the worker.
    case configure
    case decode, decodeAvailable, thumbnail, info, drawing
    /// The header of an animation, which then stays open.
    case open
    /// The next frame of it.
    case frame
    /// Ends it.
    case close
    /// Cancels the request with this number. There is no reply.
    case cancel
    /// The size of a drawing.
    case measure
    /// The metadata of a file.
    case metadata
  }

  var kind: Kind
  var number: Int64 = 0
  /// The sizes of the file and of the memory for pixels; 0 for neither.
  var inputCount = 0
  var outputCount = 0
  var options = DecodingOptions()
  var drawing = Drawing()
  /// The limits for ``Kind/configure``.
  var limits = Limits()

  /// The limits of an SVG renderer.
  struct Drawing: Equatable {
    var maximumBytes = 0
    var maximumElements = 0
    var maximumPaintedPixels = 0
    var defaultSize = PixelSize(width: 1, height: 1)
  }

  /// The limits of the process.
  struct Limits: Equatable {
    var addressSpace = 0
    var processorSeconds = 0
    var task = Task.images
  }

  /// What a worker is for.
  enum Task: CaseIterable {
    case images
    /// SVG, for which more libraries are opened.
    case drawings
    /// SVG with text: it can read files, because fonts are files.
    case drawingsWithFonts
  }

  init(_ kind: Kind) { self.kind = kind }
}

extension WorkerRequest {
  private static let magic: Int64 = 0x7165_7220_6765_6D69

  init?(_ message: WorkerMessage) {
    guard message[0] == Self.magic, message[1] == Int64(ImageWorker.version),
      let kind = message.choice(2, Kind.self), let inputCount = message.count(4),
      let outputCount = message.count(5), let options = DecodingOptions(message),
      let drawing = Drawing(message), let limits = Limits(message)
    else { return nil }
    (self.kind, number) = (kind, message[3])
    (self.inputCount, self.outputCount) = (inputCount, outputCount)
    (self.options, self.drawing, self.limits) = (options, drawing, limits)
  }

  var message: WorkerMessage {
    var message = WorkerMessage()
    message[0] = Self.magic
    message.set(1, ImageWorker.version)
    message.set(2, kind)
    message[3] = number
    message.set(4, inputCount)
    message.set(5, outputCount)
    options.write(to: &message)
    drawing.write(to: &message)
    limits.write(to: &message)
    return message
  }
}

extension DecodingOptions {
  fileprivate init?(_ message: WorkerMessage) {
    guard let limits = DecodingLimits(message), let usesThumbnail = message.flag(30),
      let colors = message.choice(31, Colors.self), let keepsDepth = message.flag(32),
      let keepsGainMap = message.flag(42),
      let hasTarget = message.flag(22)
    else { return nil }
    var target: ResizeTarget?
    if hasTarget {
      guard let hasWidth = message.flag(23), let hasHeight = message.flag(25),
        let mode = message.choice(27, ResizeTarget.Mode.self), let flags = message.count(28), flags < 4,
        let light = message.choice(29, Image.Light.self)
      else { return nil }
      target = ResizeTarget(
        width: hasWidth ? Double(bitPattern: UInt64(bitPattern: message[24])) : nil,
        height: hasHeight ? Double(bitPattern: UInt64(bitPattern: message[26])) : nil,
        mode: mode, crops: flags & 1 != 0, upscales: flags & 2 != 0, light: light)
    }
    self.init(
      limits: limits, target: target, usesEmbeddedThumbnail: usesThumbnail, colors: colors,
      keepsDepth: keepsDepth, keepsGainMap: keepsGainMap)
  }

  fileprivate func write(to message: inout WorkerMessage) {
    limits.write(to: &message)
    message.set(22, target != nil)
    if let target {
      message.set(23, target.width != nil)
      message[24] = Int64(bitPattern: (target.width ?? 0).bitPattern)
      message.set(25, target.height != nil)
      message[26] = Int64(bitPattern: (target.height ?? 0).bitPattern)
      message.set(27, target.mode)
      message.set(28, (target.crops ? 1 : 0) + (target.upscales ? 2 : 0))
      message.set(29, target.light)
    }
    message.set(30, usesEmbeddedThumbnail)
    message.set(31, colors)
    message.set(32, keepsDepth)
    message.set(42, keepsGainMap)
  }
}

extension DecodingLimits {
  /// The limits that a program may set to any number, and their fields in a message.
  private static var fields: [(Int, WritableKeyPath<DecodingLimits, Int>)] {
    [
      (10, \.maximumEncodedBytes), (11, \.maximumSide), (12, \.maximumPixels), (13, \.maximumDecodedBytes),
      (14, \.maximumWorkingBytes), (15, \.maximumPixelsPerByte), (16, \.maximumScans), (17, \.maximumFrames),
      (18, \.maximumWarnings), (19, \.maximumMetadataBytes),
    ]
  }

  fileprivate init?(_ message: WorkerMessage) {
    self.init()
    for (field, path) in Self.fields {
      guard let value = message.count(field) else { return nil }
      self[keyPath: path] = value
    }
    guard let oversize = message.choice(20, Oversize.self), let microseconds = message.count(21),
      let incomplete = message.choice(41, Incomplete.self)
    else { return nil }
    self.oversize = oversize
    self.incomplete = incomplete
    deadline = .microseconds(microseconds)
  }

  fileprivate func write(to message: inout WorkerMessage) {
    for (field, path) in Self.fields { message.set(field, min(max(self[keyPath: path], 0), 1 << 48)) }
    message.set(20, oversize)
    message.set(41, incomplete)
    message.set(21, Int(min(max(deadline / .microseconds(1), 0), 0x1p48)))
  }
}

extension WorkerRequest.Drawing {
  fileprivate init?(_ message: WorkerMessage) {
    guard let bytes = message.count(33), let elements = message.count(34), let painted = message.count(35),
      let width = message.count(36), let height = message.count(37)
    else { return nil }
    (maximumBytes, maximumElements, maximumPaintedPixels) = (bytes, elements, painted)
    defaultSize = PixelSize(width: width, height: height)
  }

  fileprivate func write(to message: inout WorkerMessage) {
    message.set(33, min(max(maximumBytes, 0), 1 << 48))
    message.set(34, min(max(maximumElements, 0), 1 << 48))
    message.set(35, min(max(maximumPaintedPixels, 0), 1 << 48))
    message.set(36, min(max(defaultSize.width, 0), 1 << 48))
    message.set(37, min(max(defaultSize.height, 0), 1 << 48))
  }
}

extension WorkerRequest.Limits {
  fileprivate init?(_ message: WorkerMessage) {
    guard let addressSpace = message.count(38), let seconds = message.count(39),
      let task = message.choice(40, WorkerRequest.Task.self)
    else { return nil }
    (self.addressSpace, processorSeconds, self.task) = (addressSpace, seconds, task)
  }

  fileprivate func write(to message: inout WorkerMessage) {
    message.set(38, addressSpace)
    message.set(39, processorSeconds)
    message.set(40, task)
  }
}
