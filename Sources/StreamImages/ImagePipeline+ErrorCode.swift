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
}
