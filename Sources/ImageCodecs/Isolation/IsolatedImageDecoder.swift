/// Decodes images in worker processes that cannot harm the program: ``ImageDecoder``, at arm's length.
///
/// ```swift
/// let decoder = IsolatedImageDecoder()
/// let image = try decoder.decode(bytes)
/// ```
///
/// Pixels are the same as those of ``ImageDecoder``, and so are errors; besides these there are
/// ``ImageCodecError/decoderCrashed(signal:)``, ``ImageCodecError/decoderMisbehaved(_:)`` and
/// ``ImageCodecError/isolationUnavailable(_:)``. The deadline and cancellation end every decoder, also one that cannot be
/// interrupted: its process is killed.
///
/// The first call starts a process; each process is kept for the next call, and ends with the decoder. Calls from several
/// threads at once have a process each. They block until the image is there.
public final class IsolatedImageDecoder: Sendable {
  private let pool: WorkerPool
  private let limits: DecodingLimits

  /// Creates a decoder. Starts nothing yet.
  ///
  /// - Parameters:
  ///   - settings: How worker processes are started.
  ///   - limits: The most that any call may take: the memory of a worker is limited by them, and so are the limits of a call.
  public convenience init(_ settings: WorkerSettings = WorkerSettings(), limits: DecodingLimits = .default) {
    self.init(settings, limits: limits, draws: false)
  }

  package init(_ settings: WorkerSettings, limits: DecodingLimits, draws: Bool) {
    pool = WorkerPool(settings, limits: limits, draws: draws)
    self.limits = limits
  }

  /// Returns the restrictions that the system enforces for the workers of this decoder. Starts a worker if there is
  /// none.
  public func protections() throws(ImageCodecError) -> ImageWorker.Protections {
    let worker = try pool.take()
    defer { pool.give(worker) }
    return worker.protections
  }

  /// Reads the header; see ``ImageDecoder/info(of:)-(UnsafeRawBufferPointer)``.
  public func info(of bytes: UnsafeRawBufferPointer) throws(ImageCodecError) -> ImageInfo {
    var request = WorkerRequest(.info)
    request.options.limits = limits
    let worker = try pool.take()
    defer { pool.give(worker) }
    guard case .info(let info) = try worker.reply(request, bytes, isCancelled: { false }) else {
      throw worker.misbehaved("it replied to another question")
    }
    return info
  }

  /// Decodes a whole file; see ``ImageDecoder/decode(_:options:isCancelled:)-(UnsafeRawBufferPointer,_,_)``.
  ///
  /// `isCancelled` is called every few milliseconds, on this thread.
  public func decode(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions(),
    isCancelled: () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    try available(.decode, bytes, options, isCancelled).image
  }

  /// Decodes what is there; see
  /// ``ImageDecoder/decodeAvailable(_:options:isCancelled:)-(UnsafeRawBufferPointer,_,_)``.
  public func decodeAvailable(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions(),
    isCancelled: () -> Bool = { false }
  ) throws(ImageCodecError) -> AvailableImage {
    try available(.decodeAvailable, bytes, options, isCancelled)
  }

  /// Decodes the small image that a camera stored in a JPEG; see
  /// ``ImageDecoder/embeddedThumbnail(of:options:isCancelled:)-(UnsafeRawBufferPointer,_,_)``.
  public func embeddedThumbnail(
    of bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions(),
    isCancelled: () -> Bool = { false }
  ) throws(ImageCodecError) -> Image? {
    try image(.thumbnail, bytes, options, isCancelled)?.image
  }

  /// Opens an animation in a worker of its own; see ``IsolatedAnimationReader``.
  public func animation(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions()
  ) throws(ImageCodecError) -> IsolatedAnimationReader {
    let options = within(options)
    try checkFile(bytes, options)
    let worker = try pool.take()
    do throws(ImageCodecError) {
      return try IsolatedAnimationReader(worker, of: pool, bytes, options: options)
    } catch {
      pool.give(worker)
      throw error
    }
  }

  /// Draws an SVG document, within the limits of `renderer`.
  package func drawing(
    _ bytes: UnsafeRawBufferPointer, _ drawing: WorkerDrawing, options: DecodingOptions,
    isCancelled: () -> Bool
  ) throws(ImageCodecError) -> Image {
    var request = WorkerRequest(.drawing)
    (request.drawing, request.options) = (drawing.drawing, options)
    guard let found = try image(request, bytes, isCancelled) else {
      throw .decoderMisbehaved("it has no image")
    }
    return found.image
  }

  private func available(
    _ kind: WorkerRequest.Kind, _ bytes: UnsafeRawBufferPointer, _ options: DecodingOptions,
    _ isCancelled: () -> Bool
  ) throws(ImageCodecError) -> AvailableImage {
    guard let found = try image(kind, bytes, options, isCancelled) else {
      throw .decoderMisbehaved("it has no image")
    }
    guard kind == .decodeAvailable || found.claim.isComplete else {
      throw .decoderMisbehaved("it has half an image")
    }
    return AvailableImage(image: found.image, isComplete: found.claim.isComplete)
  }

  private func image(
    _ kind: WorkerRequest.Kind, _ bytes: UnsafeRawBufferPointer, _ options: DecodingOptions,
    _ isCancelled: () -> Bool
  ) throws(ImageCodecError) -> (image: Image, claim: WorkerReply.Claim)? {
    var request = WorkerRequest(kind)
    request.options = options
    return try image(request, bytes, isCancelled)
  }

  private func image(
    _ request: WorkerRequest, _ bytes: UnsafeRawBufferPointer, _ isCancelled: () -> Bool
  ) throws(ImageCodecError) -> (image: Image, claim: WorkerReply.Claim)? {
    var request = request
    request.options = within(request.options)
    try checkFile(bytes, request.options)
    let worker = try pool.take()
    defer { pool.give(worker) }
    return try worker.image(request, bytes, isCancelled: isCancelled)
  }

  /// A worker has no more memory than the limits of this decoder allow.
  private func within(_ options: DecodingOptions) -> DecodingOptions {
    var options = options
    options.limits.maximumEncodedBytes = min(options.limits.maximumEncodedBytes, limits.maximumEncodedBytes)
    options.limits.maximumDecodedBytes = min(options.limits.maximumDecodedBytes, limits.maximumDecodedBytes)
    options.limits.maximumWorkingBytes = min(options.limits.maximumWorkingBytes, limits.maximumWorkingBytes)
    return options
  }

  /// Before it is copied.
  private func checkFile(
    _ bytes: UnsafeRawBufferPointer, _ options: DecodingOptions
  ) throws(ImageCodecError) {
    guard !bytes.isEmpty else { throw .notAnImage(.empty) }
    try options.limits.checkFile(byteCount: bytes.count)
  }
}

extension IsolatedImageDecoder {
  /// The same for an array, `Data`, or any other collection of bytes.
  public func info(of bytes: some Collection<UInt8>) throws(ImageCodecError) -> ImageInfo {
    try bytes.withBytes { buffer throws(ImageCodecError) in try info(of: buffer) }
  }

  /// The same for an array, `Data`, or any other collection of bytes.
  public func decode(
    _ bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions(),
    isCancelled: () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    try bytes.withBytes { buffer throws(ImageCodecError) in
      try decode(buffer, options: options, isCancelled: isCancelled)
    }
  }

  /// The same for an array, `Data`, or any other collection of bytes.
  public func decodeAvailable(
    _ bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions(),
    isCancelled: () -> Bool = { false }
  ) throws(ImageCodecError) -> AvailableImage {
    try bytes.withBytes { buffer throws(ImageCodecError) in
      try decodeAvailable(buffer, options: options, isCancelled: isCancelled)
    }
  }

  /// The same for an array, `Data`, or any other collection of bytes.
  public func animation(
    _ bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(ImageCodecError) -> IsolatedAnimationReader {
    try bytes.withBytes { buffer throws(ImageCodecError) in try animation(buffer, options: options) }
  }
}

/// The limits of an SVG renderer, for a worker.
package struct WorkerDrawing: Sendable {
  let drawing: WorkerRequest.Drawing

  package init(_ renderer: SVGRenderer) {
    drawing = WorkerRequest.Drawing(
      maximumBytes: renderer.maximumBytes, maximumElements: renderer.maximumElements,
      maximumPaintedPixels: renderer.maximumPaintedPixels, defaultSize: renderer.defaultSize)
  }
}
