extension ImagePipeline {
  /// Why a request has no image. ``code`` is a stable identifier for logs and metrics.
  public enum Error: Swift.Error, Sendable {
    /// The request allows cached data only, and the caches do not have it.
    case dataMissingInCache

    /// The bytes could not be loaded.
    case dataLoadingFailed(DataLoadingError)

    /// There was no request.
    case imageRequestMissing

    /// ``ImagePipelineDelegate/willLoad(_:for:)`` threw this error.
    case requestRefused(any Swift.Error)

    /// The closure or publisher that supplies the data or the image failed with this error.
    case sourceFailed(any Swift.Error)

    /// There are no bytes, for example because the body is empty, or a closure creates the image without data.
    case dataIsEmpty

    /// The bytes differ from those that ``ImageRequest/integrity`` expects.
    case integrityMismatch(expected: Integrity, received: Integrity)

    /// The body exceeds ``LoadLimits/maximumByteCount`` or ``LoadLimits/maximumDataURLByteCount``.
    case dataDownloadExceededMaximumSize(limit: Int)

    /// The bytes are not an image but, for example, an error page.
    case notAnImage(ContentHint)

    /// The size of the image exceeds ``ImagePipeline/Configuration/decodingLimits``.
    case imageTooLarge(width: Int, height: Int)

    /// The bytes are an image in a format that no decoder supports.
    case decoderNotRegistered(ImageFormat?)

    /// Decoding failed. The error is usually an `ImageCodecError`.
    case decodingFailed(any Swift.Error)

    /// A processor or a thumbnail failed with this error. `processor` identifies it.
    case processingFailed(processor: String, any Swift.Error)

    /// The encoder threw this error. Only requests for encoded images fail with it.
    case encodingFailed(any Swift.Error)

    /// ``ImagePipeline/invalidate()`` was called.
    case pipelineInvalidated

    /// The caller cancelled the task or the request. A publisher fails with it only if a delegate cancels its task.
    ///
    /// If a component throws `CancellationError`, or a cancellation error of its own, and the caller did not cancel,
    /// the request fails with the error for that component, such as ``sourceFailed(_:)``.
    case cancelled
  }
}

extension ImagePipeline.Error {
  /// A stable identifier for logs and metrics: `pipeline.` and the name of the case, for ``notAnImage(_:)`` also that of
  /// the hint.
  ///
  /// A loading failure has the code of its ``DataLoadingError``, and a decoding failure that of its `ImageCodecError`.
  /// Codes do not change between versions. <doc:/Guides/errors> lists them.
  public var code: String {
    switch self {
    case .dataLoadingFailed(let error): error.code
    case .decodingFailed(let error as ImageCodecError): error.code
    case .dataMissingInCache: "pipeline.data-missing-in-cache"
    case .imageRequestMissing: "pipeline.image-request-missing"
    case .requestRefused: "pipeline.request-refused"
    case .sourceFailed: "pipeline.source-failed"
    case .dataIsEmpty: "pipeline.data-is-empty"
    case .integrityMismatch: "pipeline.integrity-mismatch"
    case .dataDownloadExceededMaximumSize: "pipeline.data-download-exceeded-maximum-size"
    case .notAnImage(.empty): "pipeline.not-an-image.empty"
    case .notAnImage(.html): "pipeline.not-an-image.html"
    case .notAnImage(.json): "pipeline.not-an-image.json"
    case .notAnImage(.xml): "pipeline.not-an-image.xml"
    case .notAnImage(.text): "pipeline.not-an-image.text"
    case .notAnImage(.unknown): "pipeline.not-an-image.unknown"
    case .imageTooLarge: "pipeline.image-too-large"
    case .decoderNotRegistered: "pipeline.decoder-not-registered"
    case .decodingFailed: "pipeline.decoding-failed"
    case .processingFailed: "pipeline.processing-failed"
    case .encodingFailed: "pipeline.encoding-failed"
    case .pipelineInvalidated: "pipeline.pipeline-invalidated"
    case .cancelled: "pipeline.cancelled"
    }
  }

  /// The error in ``dataLoadingFailed(_:)``.
  public var dataLoadingError: DataLoadingError? {
    if case .dataLoadingFailed(let error) = self { error } else { nil }
  }

  /// Whether the caller cancelled.
  public var isCancellation: Bool { if case .cancelled = self { true } else { false } }

  /// Whether the same request may succeed later; see ``DataLoadingError/isTransient``.
  public var isTransient: Bool { dataLoadingError?.isTransient ?? false }

  /// Whether other bytes might decode. If so, a cached copy of these is useless.
  var isCausedByData: Bool {
    switch self {
    case .notAnImage, .imageTooLarge, .decoderNotRegistered, .integrityMismatch: true
    case .dataLoadingFailed(.unexpectedContentCoding): true
    case .decodingFailed(let error):
      switch error as? ImageCodecError {
      case .deadlineExceeded, .outOfMemory, .invalidSize, .resamplingFailed, .cancelled, .missingLibrary:
        false
      // The same bytes would be loaded and decoded once more.
      case .decoderCrashed, .decoderMisbehaved, .isolationUnavailable: false
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

  /// - Parameter isCancelled: Whether the caller cancelled. Then any error is reported as a cancellation.
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
    case .dataMissingInCache: "The image is not cached, and the request does not allow loading it."
    case .dataLoadingFailed(let error): "The image could not be loaded: \(error)."
    case .imageRequestMissing: "There is no request."
    case .requestRefused(let error): "The delegate refused the request: \(error)"
    case .sourceFailed(let error): "The source of the image failed: \(error)"
    case .dataIsEmpty: "The response is empty."
    case .integrityMismatch(let expected, let received):
      "The bytes have the digest \(received) instead of \(expected)."
    case .dataDownloadExceededMaximumSize(let limit): "The response exceeds the limit of \(limit) bytes."
    case .notAnImage(let hint): "The response is not an image: \(hint)."
    case .imageTooLarge(let width, let height):
      "The image exceeds the limits: it has \(width) x \(height) pixels."
    case .decoderNotRegistered(let format):
      "There is no decoder for \(format.map { "the format \($0.rawValue)" } ?? "this format")."
    case .decodingFailed(let error): "The image could not be decoded: \(error)."
    case .processingFailed(let processor, let error):
      "The image could not be processed (\(processor)): \(error)."
    case .encodingFailed(let error): "The image could not be encoded: \(error)."
    case .pipelineInvalidated: "The pipeline was invalidated."
    case .cancelled: "Loading was cancelled."
    }
  }
}
