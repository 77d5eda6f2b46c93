public import Foundation

/// What to load, and what to take for an answer.
///
/// There is no request body: images are fetched.
public struct DataRequest: Sendable, Hashable {
  /// What is asked of the server.
  public enum Method: String, Sendable, Hashable {
    case get = "GET"
    /// The head alone; the body is empty.
    case head = "HEAD"
  }

  public var url: URL
  public var method: Method

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
  public var allowsRedirects: Bool

  /// Whether the server may compress the body. Off by default: images are compressed, and a coded body can be
  /// neither resumed nor measured in advance. A body coded although this is off is handed out as it is, with
  /// ``LoadedHead/isContentCoded`` set.
  public var allowsContentCoding: Bool

  /// Whether it may be loaded while data is to be saved. See ``NetworkConditionsMiddleware``.
  public var allowsConstrainedNetworkAccess = true

  /// Whether it may be loaded over a network that costs money. See ``NetworkConditionsMiddleware``.
  public var allowsExpensiveNetworkAccess = true

  /// A request for what is at `url`.
  public init(url: URL, method: Method = .get, headers: HeaderFields = HeaderFields()) {
    self.url = url
    self.method = method
    self.headers = headers
    acceptedStatuses = Set(200..<300)
    allowsRedirects = true
    allowsContentCoding = false
  }
}

extension DataRequest: CustomStringConvertible {
  /// Method and URL, without user, password, query or headers.
  public var description: String { "\(method.rawValue) \(Redaction.text(of: url))" }
}
