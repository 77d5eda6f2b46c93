extension ImagePipeline {
  /// Why there is no picture.
  public enum Error: Swift.Error, Sendable {
    /// The request may take what the caches have only, and they have nothing.
    case dataMissingInCache

    /// No bytes: no such host, no answer, a status other than success, a body that broke off, a bad URL, …
    case dataLoadingFailed(DataLoadingError)

    /// There was no request.
    case imageRequestMissing

    /// What ``ImagePipelineDelegate/willLoad(_:for:)`` threw.
    case requestRefused(any Swift.Error)

    /// What the closure or the publisher threw of which the request was made.
    case sourceFailed(any Swift.Error)

    /// An answer without a body; and bytes that were asked of a request that makes pictures without any.
    case dataIsEmpty

    /// Bytes other than those the request expects.
    case integrityMismatch(expected: Integrity, received: Integrity)

    /// A body above ``LoadLimits/maximumByteCount``.
    case dataDownloadExceededMaximumSize(limit: Int)

    /// Bytes that are something else, such as a web page that says sorry.
    case notAnImage(ContentHint)

    /// More pixels than ``ImagePipeline/Configuration/decodingLimits`` allow. No memory was taken for them.
    case imageTooLarge(width: Int, height: Int)

    /// A picture, but of a format that none of the decoders is for.
    case decoderNotRegistered(ImageFormat?)

    /// Bytes that begin like a picture and are none; usually an `ImageCodecError`.
    case decodingFailed(any Swift.Error)

    /// A processor threw; `processor` is its identifier.
    case processingFailed(processor: String, any Swift.Error)

    /// The encoder threw; only for ``ImagePipeline/encodedImagePublisher(with:)-(ImageRequest)``.
    case encodingFailed(any Swift.Error)

    /// ``ImagePipeline/invalidate()`` was called.
    case pipelineInvalidated

    /// The caller cancelled: the task that waited, or the loading task. Publishers never fail with this.
    ///
    /// A part that throws `CancellationError`, or a cancellation of its own, although nobody has cancelled, has failed: with
    /// ``decodingFailed(_:)``, ``processingFailed(processor:_:)``, ``sourceFailed(_:)`` or ``dataLoadingFailed(_:)``.
    case cancelled
  }
}

extension ImagePipeline.Error {
  /// What went wrong with loading, if that is where it went wrong.
  public var dataLoadingError: DataLoadingError? {
    if case .dataLoadingFailed(let error) = self { error } else { nil }
  }

  /// Whether the caller cancelled.
  public var isCancellation: Bool { if case .cancelled = self { true } else { false } }

  /// Whether the same request may succeed later, unchanged: the network failed, or the server was busy.
  public var isTransient: Bool { dataLoadingError?.isTransient ?? false }

  /// Whether other bytes might do: then what a cache has is of no use.
  var blamesTheBytes: Bool {
    switch self {
    case .notAnImage, .imageTooLarge, .decoderNotRegistered, .integrityMismatch: true
    case .decodingFailed(let error):
      switch error as? ImageCodecError {
      case .deadlineExceeded, .outOfMemory, .invalidSize, .resamplingFailed, .cancelled: false
      case nil: !(error is CancellationError)
      default: true
      }
    default: false
    }
  }

  init(loading error: DataLoadingError) {
    switch error {
    case .tooLarge(let limit, _): self = .dataDownloadExceededMaximumSize(limit: limit)
    default: self = .dataLoadingFailed(error)
    }
  }

  /// - Parameter isCancelled: Whether nobody wants the picture any more. What the decoder says of that does not count.
  init(decoding error: any Swift.Error, isCancelled: Bool) {
    switch error as? ImageCodecError {
    case _ where isCancelled: self = .cancelled
    case .notAnImage(let hint): self = .notAnImage(hint)
    case .tooLarge(let width, let height, _): self = .imageTooLarge(width: width, height: height)
    default: self = .decodingFailed(error)
    }
  }

  /// - Parameter isCancelled: As for decoding.
  init(processing error: any Swift.Error, by processor: String, isCancelled: Bool) {
    self = isCancelled ? .cancelled : .processingFailed(processor: processor, error)
  }
}

extension ImagePipeline.Error: CustomStringConvertible {
  public var description: String {
    switch self {
    case .dataMissingInCache: "The picture is not in the caches, and may not be loaded."
    case .dataLoadingFailed(let error): "The picture could not be loaded: \(error)."
    case .imageRequestMissing: "There is no request."
    case .requestRefused(let error): "The request was refused before it was sent: \(error)"
    case .sourceFailed(let error): "The source of the picture failed: \(error)"
    case .dataIsEmpty: "The answer was empty."
    case .integrityMismatch(let expected, let received):
      "The bytes are not those that were expected (\(received) instead of \(expected))."
    case .dataDownloadExceededMaximumSize(let limit): "The answer is larger than the limit of \(limit) bytes."
    case .notAnImage(let hint): "The answer is not a picture: \(hint)."
    case .imageTooLarge(let width, let height):
      "The picture has \(width) x \(height) pixels, which is above the limits."
    case .decoderNotRegistered(let format):
      "There is no decoder for \(format.map { "the format \($0.rawValue)" } ?? "this format")."
    case .decodingFailed(let error): "The picture could not be decoded: \(error)."
    case .processingFailed(let processor, let error):
      "The picture could not be processed (\(processor)): \(error)."
    case .encodingFailed(let error): "The image could not be encoded: \(error)."
    case .pipelineInvalidated: "The pipeline has been invalidated."
    case .cancelled: "Loading was cancelled."
    }
  }
}
