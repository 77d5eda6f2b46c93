public import Foundation

/// What to load, and what to take for an answer.
public struct DataRequest: Sendable, Hashable {
  /// What is asked of the server.
  public enum Method: String, Sendable, Hashable {
    /// The resource.
    case get = "GET"
    /// The head alone; the body is empty.
    case head = "HEAD"
    /// The server does with the body what it likes: twice is not once.
    case post = "POST"
    /// The body takes the place of the resource.
    case put = "PUT"
    /// The body changes the resource: twice is not once.
    case patch = "PATCH"
    /// The resource is removed.
    case delete = "DELETE"

    /// Whether asking changes nothing.
    public var isSafe: Bool { self == .get || self == .head }

    /// Whether asking twice is the same as asking once.
    public var isIdempotent: Bool { self != .post && self != .patch }
  }

  /// Absolute. Part of all keys, its fragment left out.
  public var url: URL
  /// GET by default.
  public var method: Method

  /// Sent with the request, and part of all keys. Its `Content-Type` is up to ``headers``.
  ///
  /// The time for sending it counts as part of ``LoadLimits/firstByteTimeout``.
  public var body: Data?

  /// Sent as they are. Names that are no tokens, values with line ends, and the headers that frame a message
  /// (`Host`, `Content-Length`, `Transfer-Encoding`, …) are refused with
  /// ``DataLoadingError/invalidHeader(name:)``.
  public var headers: HeaderFields

  /// Statuses that are an answer; others are ``DataLoadingError/status(_:head:)``. 200 to 299 by default.
  ///
  /// Add 304 when asking with a validator, 416 when asking for a range. A 206 that was not asked for, or that
  /// is of another range, is an error in any case.
  public var acceptedStatuses: Set<Int>

  /// Whether redirects are followed. If not, they are statuses like others.
  ///
  /// A redirect without `Location` is ``DataLoadingError/RedirectRefusal/missingLocation``, unless its status is accepted.
  public var allowsRedirects: Bool

  /// Whether the server may compress the body. Off by default: images are compressed, and a coded body can be
  /// neither resumed nor measured in advance.
  ///
  /// A body that is compressed although this is off is handed out as it is, with ``LoadedHead/isContentCoded`` set. A
  /// pipeline that finds no image in it fails with ``DataLoadingError/unexpectedContentCoding(_:)``.
  public var allowsContentCoding: Bool

  /// Whether it may be loaded while data is to be saved. See ``NetworkConditionsMiddleware``.
  public var allowsConstrainedNetworkAccess = true

  /// Whether it may be loaded over a network that costs money. See ``NetworkConditionsMiddleware``.
  public var allowsExpensiveNetworkAccess = true

  /// Whether the loader keeps the body as it comes, up to ``LoadLimits/maximumByteCount``, however slowly it is pulled.
  /// Off by default: then a body that nobody pulls waits at the server.
  ///
  /// Such loads share a connection over HTTP/2, as none of them can hold up the others. A pipeline sets it.
  public var buffersBody = false

  /// How urgent it is: it starts before those that wait and are less so, and the server is told, in a `Priority` header
  /// (RFC 9218), unless it is `normal` or the request has such a header.
  public var priority = ImageRequest.Priority.normal

  private static let successes = Set(200..<300)

  /// A request for what is at `url`, with `body` to send along.
  public init(
    url: URL, method: Method = .get, headers: HeaderFields = HeaderFields(), body: Data? = nil
  ) {
    self.url = url
    self.method = method
    self.body = body
    self.headers = headers
    acceptedStatuses = Self.successes
    allowsRedirects = true
    allowsContentCoding = false
  }
}

extension DataRequest {
  /// There is nobody to send something to behind a file.
  func requireReading() throws(DataLoadingError) {
    guard method.isSafe, body == nil else {
      throw .refused(reason: "\(method.rawValue) is only for the network")
    }
  }
}

extension DataRequest: CustomStringConvertible {
  /// Method and URL, without user, password, query or headers.
  public var description: String { "\(method.rawValue) \(Redaction.text(of: url))" }
}
