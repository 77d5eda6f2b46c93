/// Why a load failed.
///
/// No case carries a query, a password or the value of a header that was sent.
public enum DataLoadingError: Error, Sendable, Hashable {
  /// Where a load was when its time ran out or its connection broke.
  public enum Phase: Sendable, Hashable {
    /// Resolving the name, connecting, agreeing on TLS.
    case connect
    /// Waiting for the head.
    case firstByte
    /// Between bytes of the body.
    case idle
    /// Anywhere: the time for everything ran out.
    case total
  }

  /// Why a redirect was not followed.
  public enum RedirectRefusal: Sendable, Hashable {
    /// It leads to a scheme that is not allowed: `file`, `data`, `ftp`, …
    case scheme(String)
    /// It leads from https to http.
    case downgrade
    /// It leads to where the load has been.
    case loop
    /// Its address cannot be read.
    case badLocation
  }

  /// Why a network that is there was not used.
  public enum NetworkRefusal: Sendable, Hashable {
    /// Data is to be saved.
    case constrained
    /// Data costs money.
    case expensive
  }

  /// No URL, or one that nothing can be loaded from; as far as it may be shown.
  case badURL(String)
  /// A scheme that no loader is for, or that is not allowed.
  case unsupportedScheme(String)
  /// A header of the request that may not be sent; see ``DataRequest/headers``.
  case invalidHeader(name: String)

  /// The host has no address, or nobody could be asked for it.
  case cannotResolve(host: String)
  /// Nobody answers at any address of the host.
  case cannotConnect(host: String, reason: String)
  /// The ``AddressPolicy`` refused every address of the host.
  case addressRefused(host: String)
  /// No safe connection: a certificate that is not trusted, no cipher in common.
  case tls(host: String, reason: String)
  /// The connection broke before the body.
  case connectionLost(Phase, reason: String)
  /// A limit of time has passed in this phase; see ``LoadLimits``.
  case timedOut(Phase)

  /// The server answered with a status that is not accepted.
  indirect case status(Int, head: LoadedHead)
  /// The body broke off. What came was handed out; `expected` is the whole, if it was announced.
  case truncated(received: Int, expected: Int?)
  /// `announced` is what the server or the file system said; `nil` if it was noticed on the way.
  case tooLarge(limit: Int, announced: Int?)
  /// A compressed body grew more than this many times.
  case expandsTooMuch(ratio: Int)
  /// ``LoadLimits/maximumHeadByteCount`` or ``LoadLimits/maximumHeadFieldCount`` is exceeded.
  case headTooLarge
  /// The server leads on and on; see ``LoadLimits/maximumRedirectCount``.
  case tooManyRedirects(limit: Int)
  /// The server leads where the request must not go.
  case redirectRefused(RedirectRefusal)
  /// What the server says is no HTTP, or does not fit what it said before.
  case protocolViolation(String)
  /// A compressed body cannot be decoded.
  case badContentCoding

  /// There is no file at this path.
  case fileNotFound(path: String)
  /// A directory, a device, a pipe.
  case notARegularFile(path: String)
  /// The file, links followed, is in none of the directories that the loader may read.
  case fileOutsideRoots(path: String)
  /// `code` is the `errno` of the system.
  case fileUnreadable(path: String, code: Int32)
  /// What is wrong with a `data:` URL.
  case malformedDataURL(String)

  /// The machine lacks what loading needs: memory, a thread, the library.
  case unavailable(String)
  /// The request forbids the network that there is.
  case networkUnavailable(NetworkRefusal)
  /// A middleware did not let the request pass.
  case refused(reason: String)
  /// The loader was shut down.
  case invalidated
  /// Nobody wants it any more: the task was cancelled.
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

  /// Whether nothing went wrong: it was only called off.
  public var isCancellation: Bool { self == .cancelled }
}

extension DataLoadingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badURL(let text): "The URL cannot be loaded: \(text)"
    case .unsupportedScheme(let scheme): "URLs of scheme \"\(scheme)\" are not loaded"
    case .invalidHeader(let name): "The header \"\(name)\" cannot be sent"
    case .cannotResolve(let host): "No address found for \(host)"
    case .cannotConnect(let host, let reason): "Cannot connect to \(host): \(reason)"
    case .addressRefused(let host): "The address of \(host) is not allowed"
    case .tls(let host, let reason): "No secure connection to \(host): \(reason)"
    case .connectionLost(let phase, let reason): "The connection broke \(phase.text): \(reason)"
    case .timedOut(let phase): "Timed out \(phase.text)"
    case .status(let code, let head): "The server answered \(code) for \(Redaction.text(of: head.url))"
    case .truncated(let received, let expected?): "The body broke off after \(received) of \(expected) bytes"
    case .truncated(let received, nil): "The body broke off after \(received) bytes"
    case .tooLarge(let limit, let announced?): "\(announced) bytes exceed the limit of \(limit)"
    case .tooLarge(let limit, nil): "The body exceeds the limit of \(limit) bytes"
    case .expandsTooMuch(let ratio): "The compressed body grows more than \(ratio) times"
    case .headTooLarge: "The head of the answer is too large"
    case .tooManyRedirects(let limit): "More than \(limit) redirects"
    case .redirectRefused(let refusal): "Redirect refused: \(refusal.text)"
    case .protocolViolation(let what): "Not valid HTTP: \(what)"
    case .badContentCoding: "The compressed body cannot be decoded"
    case .fileNotFound(let path): "No such file: \(path)"
    case .notARegularFile(let path): "Not a regular file: \(path)"
    case .fileOutsideRoots(let path): "Outside the directories that may be read: \(path)"
    case .fileUnreadable(let path, let code): "Cannot read \(path) (error \(code))"
    case .malformedDataURL(let what): "Malformed data URL: \(what)"
    case .unavailable(let what): "Loading is not possible: \(what)"
    case .networkUnavailable(.constrained): "Not loaded while data is to be saved"
    case .networkUnavailable(.expensive): "Not loaded over a network that costs money"
    case .refused(let reason): "The request was refused: \(reason)"
    case .invalidated: "The loader was shut down"
    case .cancelled: "Cancelled"
    }
  }
}

extension DataLoadingError.Phase {
  fileprivate var text: String {
    switch self {
    case .connect: "while connecting"
    case .firstByte: "waiting for the answer"
    case .idle: "in the middle of the body"
    case .total: "as a whole"
    }
  }
}

extension DataLoadingError.RedirectRefusal {
  fileprivate var text: String {
    switch self {
    case .scheme(let scheme): "it leads to scheme \"\(scheme)\""
    case .downgrade: "it leads from https to http"
    case .loop: "it leads back"
    case .badLocation: "its address cannot be read"
    }
  }
}
