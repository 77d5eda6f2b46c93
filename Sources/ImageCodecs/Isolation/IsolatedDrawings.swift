import Synchronization

/// Drawings of SVG documents in worker processes.
extension IsolatedImageDecoder {
  /// Creates a decoder whose workers draw, with no more rights than those of other workers.
  package convenience init(drawingBy settings: WorkerSettings, limits: DecodingLimits) {
    self.init(settings, limits: limits, task: .drawings)
  }

  /// Draws an SVG document, within the limits of `renderer`.
  package func drawing(
    _ bytes: UnsafeRawBufferPointer, _ renderer: SVGRenderer, options: DecodingOptions,
    isCancelled: () -> Bool
  ) throws(ImageCodecError) -> Image {
    var request = WorkerRequest(.drawing)
    (request.drawing, request.options) = (WorkerRequest.Drawing(renderer), options)
    // A worker has no files to convert other encodings with, and finds `text` only in a text that can be read.
    let text = try renderer.checkedText(bytes, options.limits)
    return try text.bytes.withBytes { bytes throws(ImageCodecError) in
      try available(request, bytes, isCancelled).image
    }
  }

  /// Returns the size of an SVG document.
  func size(
    of bytes: UnsafeRawBufferPointer, _ renderer: SVGRenderer, limits: DecodingLimits
  ) throws(ImageCodecError) -> PixelSize {
    var request = WorkerRequest(.measure)
    request.drawing = WorkerRequest.Drawing(renderer)
    request.options.limits = limits
    return try withWorker(request, bytes) { worker, request throws(ImageCodecError) in
      guard case .size(let size) = try worker.reply(request, bytes, isCancelled: { false }),
        (1...Image.maximumSide).contains(size.width), (1...Image.maximumSide).contains(size.height)
      else { throw .mismatchedReply }
      return size
    }
  }
}

extension WorkerRequest.Drawing {
  package init(_ renderer: SVGRenderer) {
    self.init(
      maximumBytes: renderer.maximumBytes, maximumElements: renderer.maximumElements,
      maximumPaintedPixels: renderer.maximumPaintedPixels, defaultSize: renderer.defaultSize)
  }
}

/// The workers of all renderers: a renderer is a value, and often made for one document.
package enum DrawingWorkers {
  /// Workers that are started in the same way, and have the same memory.
  private final class Kind: Sendable {
    let settings: WorkerSettings
    let limits: DecodingLimits
    let decoder: IsolatedImageDecoder

    init(_ settings: WorkerSettings, _ limits: DecodingLimits) {
      (self.settings, self.limits) = (settings, limits)
      decoder = IsolatedImageDecoder(settings, limits: limits, task: .drawingsWithFonts)
    }
  }

  /// A place that is filled once, and never emptied: so it can be read without a lock.
  private final class Place: Sendable, CustomReflectable {
    private let address = Atomic<UInt>(0)

    /// Swift's own mirror cannot copy an atomic, and traps.
    var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

    var kind: Kind? {
      UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring))
        .map { Unmanaged<Kind>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Does nothing if another thread was faster.
    func fill(_ kind: Kind) {
      let retained = Unmanaged.passRetained(kind)
      let isFilled = address.compareExchange(
        expected: 0, desired: UInt(bitPattern: retained.toOpaque()), ordering: .acquiringAndReleasing
      ).exchanged
      if !isFilled { retained.release() }
    }
  }

  private static let places = (0..<8).map { _ in Place() }

  /// What of the limits a worker's memory depends on.
  package static func memory(_ limits: DecodingLimits) -> DecodingLimits {
    var memory = DecodingLimits()
    for path in DecodingLimits.memory { memory[keyPath: path] = limits[keyPath: path] }
    return memory
  }

  /// Renderers with more kinds of limits than there are places have workers for one call each.
  static func decoder(_ settings: WorkerSettings, limits: DecodingLimits) -> IsolatedImageDecoder {
    let memory = memory(limits)
    for place in places {
      if place.kind == nil { place.fill(Kind(settings, memory)) }
      if let found = place.kind, found.settings == settings, found.limits == memory { return found.decoder }
    }
    return Kind(settings, memory).decoder
  }
}
