package import StreamImages

/// Why there is no thumbnail, as a client is told: a status and a code. What an origin has sent is not repeated.
package struct Refusal: Error, Equatable {
  package var status: Int
  var code: String
  /// In seconds.
  var retryAfter: Int?

  static let busy = Refusal(status: 503, code: "server.busy", retryAfter: 1)
  static let hostBusy = Refusal(status: 503, code: "server.host-busy", retryAfter: 1)
  static let late = Refusal(status: 504, code: "server.late", retryAfter: 1)
  /// A name that does not exist, or one of a private address: clients must not learn the names of a private network.
  static let noPublicAddress = Refusal(status: 502, code: "server.no-public-address")
  static let unsigned = Refusal(status: 403, code: "server.unsigned")
  static let wrongSignature = Refusal(status: 403, code: "server.wrong-signature")
  static let optionRefused = Refusal(status: 403, code: "server.option-refused")
  static let expired = Refusal(status: 410, code: "server.expired")
  static let notFound = Refusal(status: 404, code: "server.not-found")
  /// The client has disconnected. Nobody reads this; nginx counts such requests with the same status.
  static let clientGone = Refusal(status: 499, code: "server.client-gone")
  static let ambiguous = Refusal(status: 400, code: "server.ambiguous-request")
  static let unauthorized = Refusal(status: 401, code: "server.unauthorized")

  static func bad(_ code: String) -> Refusal { Refusal(status: 400, code: code) }

  static func tooManyRequests(retryAfter seconds: Int) -> Refusal {
    Refusal(status: 429, code: "server.too-many-requests", retryAfter: seconds)
  }

  /// How long caches may remember it, in seconds: not at all if it may be otherwise a moment later, or for another client.
  var maxAge: Int {
    [Self.ambiguous.code, Self.unauthorized.code].contains(code) || [429, 499].contains(status)
      || status >= 500
      ? 0 : 60
  }

  /// Whether it is about an image, which another one may replace, and not about the request.
  var isOfImage: Bool { [404, 422, 502, 504].contains(status) }
}

extension Refusal {
  package init(_ error: ImagePipeline.Error) {
    switch error.dataLoadingError {
    case .cannotResolve, .addressRefused: self = .noPublicAddress
    default: self.init(withCodeOf: error)
    }
  }

  private init(withCodeOf error: ImagePipeline.Error) {
    self.init(status: Self.status(of: error), code: error.code, retryAfter: error.isTransient ? 1 : nil)
  }

  private static func status(of error: ImagePipeline.Error) -> Int {
    switch error {
    case .dataLoadingFailed(let error): status(of: error)
    // The origin's answer is not an image that can be shown here.
    case .dataIsEmpty, .dataDownloadExceededMaximumSize, .notAnImage, .imageTooLarge, .decoderNotRegistered,
      .processingFailed:
      422
    case .decodingFailed(let error): status(of: error as? ImageCodecError)
    case .encodingFailed, .dataMissingInCache, .imageRequestMissing, .requestRefused, .sourceFailed,
      .integrityMismatch:
      500
    case .pipelineInvalidated, .cancelled: 503
    }
  }

  private static func status(of error: ImageCodecError?) -> Int {
    switch error {
    case .isolationUnavailable, .outOfMemory, .missingLibrary: 500
    default: 422
    }
  }

  private static func status(of error: DataLoadingError) -> Int {
    switch error {
    case .badURL, .invalidHeader: 400
    case .unsupportedScheme, .hostRefused, .redirectRefused(.host), .redirectRefused(.scheme),
      .redirectRefused(.downgrade), .fileOutsideRoots:
      403
    case .status(404, head: _), .status(410, head: _), .fileNotFound, .notARegularFile: 404
    case .tooLarge, .expandsTooMuch: 422
    case .timedOut: 504
    default: 502
    }
  }
}
