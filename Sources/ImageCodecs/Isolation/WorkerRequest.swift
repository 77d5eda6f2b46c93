/// A request of a program to its worker.
package struct WorkerRequest {
  package enum Kind: CaseIterable {
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

  package var kind: Kind
  var number: Int64 = 0
  /// The sizes of the file and of the memory for pixels; 0 for neither.
  package var inputCount = 0
  package var outputCount = 0
  package var options = DecodingOptions()
  package var drawing = Drawing()
  /// The limits for ``Kind/configure``.
  var limits = Limits()

  /// The limits of an SVG renderer.
  package struct Drawing: Equatable {
    package var maximumBytes = 0
    package var maximumElements = 0
    package var maximumPaintedPixels = 0
    package var defaultSize = PixelSize(width: 1, height: 1)
  }

  /// The limits of the process.
  package struct Limits: Equatable {
    package var addressSpace = 0
    package var processorSeconds = 0
    var task = Task.images
  }

  /// What a worker is for.
  package enum Task: CaseIterable {
    case images
    /// SVG, for which more libraries are opened.
    case drawings
    /// SVG with text: it can read files, because fonts are files.
    case drawingsWithFonts
  }

  package init(_ kind: Kind) { self.kind = kind }
}

extension WorkerRequest {
  private static let magic: Int64 = 0x7165_7220_6765_6D69

  /// Nil for anything that is not a request.
  package init?(_ message: WorkerMessage) {
    var message = message
    self.init(.configure)
    pass(&message)
    guard message.isValid else { return nil }
  }

  package var message: WorkerMessage {
    var (request, message) = (self, WorkerMessage())
    request.pass(&message)
    return message
  }

  private mutating func pass(_ message: inout WorkerMessage) {
    message.constant(Self.magic)
    message.constant(Int64(ImageWorker.version))
    message.choice(&kind)
    message.number(&number)
    message.count(&inputCount)
    message.count(&outputCount)
    message.count(&drawing.maximumBytes)
    message.count(&drawing.maximumElements)
    message.count(&drawing.maximumPaintedPixels)
    message.size(&drawing.defaultSize)
    message.count(&limits.addressSpace)
    message.count(&limits.processorSeconds)
    message.choice(&limits.task)
    options.pass(&message)
  }
}

extension DecodingOptions {
  fileprivate mutating func pass(_ message: inout WorkerMessage) {
    limits.pass(&message)
    message.flag(&usesEmbeddedThumbnail)
    message.choice(&colors)
    message.flag(&keepsDepth)
    message.flag(&keepsGainMap)
    message.optional(&target, .fitting(1)) { message, target in
      message.optional(&target.width, 0) { $0.real(&$1) }
      message.optional(&target.height, 0) { $0.real(&$1) }
      message.choice(&target.mode)
      message.flag(&target.crops)
      message.flag(&target.upscales)
      message.choice(&target.light)
    }
  }
}

extension DecodingLimits {
  fileprivate mutating func pass(_ message: inout WorkerMessage) {
    message.count(&maximumEncodedBytes)
    message.count(&maximumSide)
    message.count(&maximumPixels)
    message.count(&maximumDecodedBytes)
    message.count(&maximumWorkingBytes)
    message.count(&maximumPixelsPerByte)
    message.count(&maximumScans)
    message.count(&maximumFrames)
    message.count(&maximumWarnings)
    message.count(&maximumMetadataBytes)
    message.choice(&oversize)
    message.choice(&incomplete)
    message.duration(&deadline)
  }
}
