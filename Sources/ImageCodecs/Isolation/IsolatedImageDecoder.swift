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
/// The first call starts a process. It is kept for the next call, unless it has failed, is worn, or is idle for long. The
/// rest ends with the decoder. Calls from several threads at once have a process each. They block until the image is there.
public final class IsolatedImageDecoder: Sendable {
  private let pool: WorkerPool
  private let limits: DecodingLimits

  /// Creates a decoder. Starts nothing yet.
  ///
  /// - Parameters:
  ///   - settings: How worker processes are started.
  ///   - limits: The memory of a worker is limited by them, and so are the encoded, decoded, working and metadata bytes of a
  ///     call.
  public convenience init(_ settings: WorkerSettings = WorkerSettings(), limits: DecodingLimits = .default) {
    self.init(settings, limits: limits, task: .images)
  }

  init(_ settings: WorkerSettings, limits: DecodingLimits, task: WorkerRequest.Task) {
    pool = WorkerPool(settings, limits: limits, task: task)
    self.limits = limits
  }

  /// How many workers were started so far.
  package var startedWorkerCount: Int { pool.startCount }

  /// Returns the restrictions that the system enforces for the workers of this decoder. Starts a worker if none is idle.
  public func protections() throws(ImageCodecError) -> ImageWorker.Protections {
    try pool.withWorker { $0.protections }
  }

  /// Reads the header; see ``ImageDecoder/info(of:)-(UnsafeRawBufferPointer)``.
  ///
  /// A file above ``DecodingLimits/maximumEncodedBytes`` is an error, because a worker has no memory for it.
  public func info(of bytes: UnsafeRawBufferPointer) throws(ImageCodecError) -> ImageInfo {
    var request = WorkerRequest(.info)
    request.options.limits = limits
    return try withWorker(request, bytes) { worker, request throws(ImageCodecError) in
      guard case .info(let info) = try worker.reply(request, bytes, isCancelled: { false }) else {
        throw .mismatchedReply
      }
      try worker.check(info)
      return info
    }
  }

  /// Decodes a whole file; see ``ImageDecoder/decode(_:options:isCancelled:)-(UnsafeRawBufferPointer,_,_)``.
  ///
  /// `isCancelled` is called about every 15 milliseconds, on this thread.
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
    var request = WorkerRequest(.thumbnail)
    request.options = options
    return try withWorker(request, bytes) { worker, request throws(ImageCodecError) in
      try worker.image(request, bytes, isCancelled: isCancelled)?.image
    }
  }

  /// Opens an animation in a worker of its own; see ``IsolatedAnimationReader``.
  public func animation(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions()
  ) throws(ImageCodecError) -> IsolatedAnimationReader {
    let options = within(options)
    try checkFile(bytes, options)
    return try pool.withWorker(keeps: true) { worker throws(ImageCodecError) in
      try IsolatedAnimationReader(worker, of: pool, bytes, options: options)
    }
  }

  private func available(
    _ kind: WorkerRequest.Kind, _ bytes: UnsafeRawBufferPointer, _ options: DecodingOptions,
    _ isCancelled: () -> Bool
  ) throws(ImageCodecError) -> AvailableImage {
    var request = WorkerRequest(kind)
    request.options = options
    return try available(request, bytes, isCancelled)
  }

  func available(
    _ request: WorkerRequest, _ bytes: UnsafeRawBufferPointer, _ isCancelled: () -> Bool
  ) throws(ImageCodecError) -> AvailableImage {
    try withWorker(request, bytes) { worker, request throws(ImageCodecError) in
      guard let found = try worker.image(request, bytes, isCancelled: isCancelled) else {
        throw .decoderMisbehaved("it has no image")
      }
      guard request.kind == .decodeAvailable || found.claim.isComplete else {
        throw .decoderMisbehaved("it has half an image")
      }
      return AvailableImage(image: found.image, isComplete: found.claim.isComplete)
    }
  }

  /// Calls `body` with a worker, and the request within the limits.
  func withWorker<Value>(
    _ request: WorkerRequest, _ bytes: UnsafeRawBufferPointer,
    _ body: (WorkerProcess, WorkerRequest) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    var request = request
    request.options = within(request.options)
    try checkFile(bytes, request.options)
    return try pool.withWorker { worker throws(ImageCodecError) in try body(worker, request) }
  }

  /// A worker has no more memory than the limits of this decoder allow.
  private func within(_ options: DecodingOptions) -> DecodingOptions {
    var options = options
    for path in DecodingLimits.memory {
      options.limits[keyPath: path] = min(options.limits[keyPath: path], limits[keyPath: path])
    }
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

extension DecodingLimits {
  /// What the memory of a worker depends on.
  static var memory: [WritableKeyPath<DecodingLimits, Int>] {
    [\.maximumEncodedBytes, \.maximumDecodedBytes, \.maximumWorkingBytes, \.maximumMetadataBytes]
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
