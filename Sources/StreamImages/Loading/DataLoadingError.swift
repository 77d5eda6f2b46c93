/// Why a load failed.
///
/// ``code`` is a stable identifier for logs and metrics. The description of a loader's error contains no query, password
/// or value of a header that was sent.
public enum DataLoadingError: Error, Sendable, Hashable {
  /// The part of a load in which time ran out or the connection broke.
  public enum Phase: Sendable, Hashable {
    /// Resolving the name, connecting, and the TLS handshake.
    case connect
    /// Waiting for the head of the response.
    case firstByte
    /// Between bytes of the body.
    case idle
    /// The whole load; see ``LoadLimits/totalTimeout``.
    case total
  }

  /// Why a redirect was not followed.
  public enum RedirectRefusal: Sendable, Hashable {
    /// It leads to a scheme that is not allowed: `file`, `data`, `ftp`, …
    case scheme(String)
    /// It leads from `https` to `http`.
    case downgrade
    /// It leads to a URL that the load has already visited.
    case loop
    /// It has no `Location`, and its status is not among ``DataRequest/acceptedStatuses``.
    case missingLocation
    /// Its `Location` is empty, cannot be read, or is given several times with different values.
    case badLocation
    /// It leads to a host that ``CurlLoader/Configuration/hostPolicy`` does not allow. Nothing was sent there.
    case host(String)
  }

  /// Why the network was not used although it is available.
  public enum NetworkRefusal: Sendable, Hashable {
    /// The user wants to save data.
    case constrained
    /// The network is metered.
    case expensive
  }

  /// There is no URL, or it cannot be loaded. The text leaves out user, password and query.
  case badURL(String)
  /// No loader is configured for this scheme, or it is not allowed.
  case unsupportedScheme(String)
  /// A header that must not be sent; see ``DataRequest/headers``.
  case invalidHeader(name: String)

  /// The name of the host could not be resolved.
  case cannotResolve(host: String)
  /// No connection could be made to any address of the host.
  case cannotConnect(host: String, reason: String)
  /// The ``AddressPolicy`` refused every address of the host.
  case addressRefused(host: String)
  /// The ``HostPolicy`` does not allow the host. Its name was not resolved.
  case hostRefused(host: String)
  /// The TLS handshake failed, for example because the certificate is not trusted.
  case tls(host: String, reason: String)
  /// The connection broke before the body. Also if a redirect that answers a POST, PUT, PATCH or DELETE leads to a server
  /// that cannot be reached: the first server may have done what was requested.
  case connectionLost(Phase, reason: String)
  /// A time limit has passed; see ``LoadLimits``.
  case timedOut(Phase)

  /// The status of the response is not among ``DataRequest/acceptedStatuses``.
  indirect case status(Int, head: LoadedHead)
  /// The body ended too early.
  ///
  /// Both numbers count bytes as they are delivered. `expected` is `nil` if the length was not announced, or only that of
  /// the compressed form.
  case truncated(received: Int, expected: Int?)
  /// More bytes arrived than the response had announced.
  case longerThanAnnounced(byteCount: Int)
  /// The body exceeds ``LoadLimits/maximumByteCount`` or ``LoadLimits/maximumDataURLByteCount``. `announced` is its length,
  /// if that is known.
  case tooLarge(limit: Int, announced: Int?)
  /// A compressed body exceeds ``LoadLimits/maximumExpansionRatio``.
  case expandsTooMuch(ratio: Int)
  /// ``LoadLimits/maximumHeadByteCount``, ``LoadLimits/maximumHeadFieldCount`` or a limit of libcurl is exceeded.
  case headTooLarge
  /// ``LoadLimits/maximumRedirectCount`` is exceeded.
  case tooManyRedirects(limit: Int)
  /// A redirect has an invalid or a forbidden target.
  case redirectRefused(RedirectRefusal)
  /// The response is not valid HTTP, or contradicts itself.
  case protocolViolation(String)
  /// A compressed body cannot be decompressed.
  case badContentCoding
  /// The body is not an image because it is compressed, although ``DataRequest/allowsContentCoding`` is `false`.
  case unexpectedContentCoding(String)

  /// There is no file at this path.
  case fileNotFound(path: String)
  /// The path leads to something else, such as a directory, a device or a pipe.
  case notARegularFile(path: String)
  /// The file, after following links, is outside the directories that the loader may read.
  case fileOutsideRoots(path: String)
  /// The file cannot be read. `code` is an `errno`.
  case fileUnreadable(path: String, code: Int32)
  /// The `data:` URL cannot be decoded.
  case malformedDataURL(String)

  /// The machine lacks something that loading needs, such as memory, descriptors, a thread, libcurl, or the file of
  /// certificate authorities.
  case unavailable(String)
  /// The request does not allow the network that is available.
  case networkUnavailable(NetworkRefusal)
  /// A middleware, or the loader of a `file:` or `data:` URL, refused the request.
  case refused(reason: String)
  /// The loader was shut down.
  case invalidated
  /// The load was cancelled.
  case cancelled
}

extension DataLoadingError {
  /// Whether the same load may succeed later, unchanged.
  public var isTransient: Bool {
    switch self {
    case .cannotResolve, .cannotConnect, .connectionLost, .timedOut, .truncated, .unavailable: true
    case .status(let code, _): [408, 425, 429, 500, 502, 503, 504].contains(code)
    default: false
    }
  }

  /// Whether nothing of the request was sent.
  var cameBeforeTheServer: Bool {
    switch self {
    case .cannotResolve, .cannotConnect, .timedOut(.connect), .connectionLost(.connect, _): true
    default: false
    }
  }

  /// Whether the load was cancelled and did not fail.
  public var isCancellation: Bool { self == .cancelled }
}

extension DataLoadingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badURL(""): "There is no URL to load"
    case .badURL(let text): "The URL is not valid: \(text)"
    case .unsupportedScheme(let scheme): "URLs with the scheme \"\(scheme)\" cannot be loaded"
    case .invalidHeader(let name): "The header \"\(name)\" must not be sent"
    case .cannotResolve(let host): "The host \(host) could not be resolved"
    case .cannotConnect(let host, let reason): "Could not connect to \(host): \(reason)"
    case .addressRefused(let host): "The address of \(host) is not allowed"
    case .hostRefused(let host): "The host \(host) is not allowed"
    case .tls(let host, let reason): "The TLS connection to \(host) failed: \(reason)"
    case .connectionLost(let phase, let reason): "The connection was lost \(phase.text): \(reason)"
    case .timedOut(let phase): "The load timed out \(phase.text)"
    case .status(let code, let head): "The server returned status \(code) for \(Redaction.text(of: head.url))"
    case .truncated(let received, let expected?):
      "The body ended early, after \(received) of \(expected) bytes"
    case .truncated(let received, nil): "The body ended early, after \(received) bytes"
    case .longerThanAnnounced(let count): "The body is longer than the \(count) bytes that were announced"
    case .tooLarge(let limit, let announced?): "The body has \(announced) bytes; the limit is \(limit)"
    case .tooLarge(let limit, nil): "The body exceeds the limit of \(limit) bytes"
    case .expandsTooMuch(let ratio): "The body is more than \(ratio) times larger than its compressed form"
    case .headTooLarge: "The head of the response is too large"
    case .tooManyRedirects(let limit): "There are more than \(limit) redirects"
    case .redirectRefused(let refusal): "The redirect was not followed: \(refusal.text)"
    case .protocolViolation(let what): "The response is not valid HTTP: \(what)"
    case .badContentCoding: "The compressed body cannot be decompressed"
    case .unexpectedContentCoding(let coding):
      "The body is compressed with \"\(coding)\", which the request did not allow"
    case .fileNotFound(let path): "There is no file at \(path)"
    case .notARegularFile(let path): "\(path) is not a regular file"
    case .fileOutsideRoots(let path): "\(path) is outside the directories that may be read"
    case .fileUnreadable(let path, let code):
      "\(path) cannot be read: \(StreamImages.text(ofSystemError: code))"
    case .malformedDataURL(let what): "The data URL is malformed: \(what)"
    case .unavailable(let what): "Loading is not possible: \(what)"
    case .networkUnavailable(.constrained): "The request does not allow a network in low-data mode"
    case .networkUnavailable(.expensive): "The request does not allow a metered network"
    case .refused(let reason): "The request was refused: \(reason)"
    case .invalidated: "The loader was shut down"
    case .cancelled: "The load was cancelled"
    }
  }
}

extension DataLoadingError.Phase {
  fileprivate var text: String {
    switch self {
    case .connect: "while connecting"
    case .firstByte: "while waiting for the response"
    case .idle: "while receiving the body"
    case .total: "before it was complete"
    }
  }
}

extension DataLoadingError.RedirectRefusal {
  fileprivate var text: String {
    switch self {
    case .scheme(let scheme): "it leads to the scheme \"\(scheme)\""
    case .downgrade: "it leads from https to http"
    case .loop: "it leads to a URL that was already visited"
    case .missingLocation: "it has no Location"
    case .badLocation: "its Location cannot be read"
    case .host(let host): "the host \(host) is not allowed"
    }
  }
}
