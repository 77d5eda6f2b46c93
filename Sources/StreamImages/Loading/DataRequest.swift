public import Foundation

/// A request for bytes, and the responses it accepts.
public struct DataRequest: Sendable, Hashable {
  /// An HTTP method.
  public enum Method: String, Sendable, Hashable {
    /// Reads the resource.
    case get = "GET"
    /// Reads the head only; the body is empty.
    case head = "HEAD"
    /// Sends a body for the server to process. Not idempotent.
    case post = "POST"
    /// Replaces the resource with the body.
    case put = "PUT"
    /// Changes the resource by the body. Not idempotent.
    case patch = "PATCH"
    /// Removes the resource.
    case delete = "DELETE"

    /// Whether the request changes nothing on the server.
    public var isSafe: Bool { self == .get || self == .head }

    /// Whether sending the request twice has the same effect as sending it once.
    public var isIdempotent: Bool { self != .post && self != .patch }
  }

  /// An absolute URL. Part of all cache keys, without its fragment. ``ImageRequest/imageID`` replaces it in those of the
  /// pipeline.
  public var url: URL
  /// The method, GET by default.
  public var method: Method

  /// The body to send. Part of the keys of a pipeline's caches. Set its `Content-Type` in ``headers``.
  ///
  /// The time for sending it is limited by ``LoadLimits/firstByteTimeout``.
  public var body: Data?

  /// The headers to send, unchanged. Part of the keys of a pipeline's caches.
  ///
  /// Invalid names, values with line ends or other control characters, and headers that frame a message (`Host`,
  /// `Content-Length`, `Transfer-Encoding`, …) are refused with ``DataLoadingError/invalidHeader(name:)``.
  public var headers: HeaderFields

  /// Partitions what loaders store: a response to a request of one partition is never used for another.
  ///
  /// A pipeline sets it to ``ImageRequest/cachePartition``. `nil`, the default, derives the partition from the
  /// credentials. A request that a middleware creates has the same partition, unless it sets another one.
  public var cachePartition: String? {
    get { partition?.text }
    set { partition = newValue.map { KeyText($0) } }
  }

  private var partition: KeyText?

  /// The statuses that are accepted, 200 to 299 by default. Others fail with ``DataLoadingError/status(_:head:)``.
  ///
  /// Add 304 for conditional requests and 416 for range requests. A 206 response that was not requested, or that has
  /// another range, is always an error.
  public var acceptedStatuses: Set<Int> = successes

  /// Whether redirects are followed. If not, a redirect is handled like any other status.
  ///
  /// If they are, a redirect without `Location` fails with ``DataLoadingError/RedirectRefusal/missingLocation``, unless
  /// its status is accepted.
  public var allowsRedirects: Bool = true

  /// Whether the server may compress the body. `false` by default: images are compressed already, and a compressed
  /// body can be neither resumed nor measured in advance.
  ///
  /// A body that is compressed nevertheless is delivered as it is, with ``LoadedHead/isContentCoded`` set. A pipeline
  /// that finds no image in it fails with ``DataLoadingError/unexpectedContentCoding(_:)``.
  public var allowsContentCoding: Bool = false

  /// Whether to load in low-data mode. See ``NetworkConditionsMiddleware``.
  public var allowsConstrainedNetworkAccess = true

  /// Whether to load over a metered network. See ``NetworkConditionsMiddleware``.
  public var allowsExpensiveNetworkAccess = true

  /// Whether the loader buffers the body up to ``LoadLimits/maximumByteCount``, even if it is read slowly. `false` by
  /// default: then the server waits while the body is not read.
  ///
  /// Loads with this setting share a connection over HTTP/2, because none of them can block the others. A pipeline
  /// sets it.
  public var buffersBody = false

  /// The priority among waiting loads. It is also sent in a `Priority` header (RFC 9218), unless it is `normal` or the
  /// request has such a header.
  public var priority = ImageRequest.Priority.normal

  /// Whether the first part of the body is useful before the rest arrives, as with progressive images. It is sent in the
  /// `Priority` header. A server may then send several such bodies in turns, and not one after the other.
  ///
  /// `false` by default. A pipeline sets it if it shows previews.
  public var isIncremental = false

  /// The priority of the tasks that wait for the response. It may change until the response arrives.
  package var changingPriority: ChangingPriority?

  /// Not part of a request's identity: equal requests stay equal when their priority changes.
  package struct ChangingPriority: Hashable, Sendable {
    package let value: DynamicPriority

    package init(_ value: DynamicPriority) { self.value = value }

    package static func == (_: Self, _: Self) -> Bool { true }
    package func hash(into _: inout Hasher) {}
  }

  private static let successes = Set(200..<300)

  /// Creates a request for `url`.
  public init(
    url: URL, method: Method = .get, headers: HeaderFields = HeaderFields(), body: Data? = nil
  ) {
    self.url = url
    self.method = method
    self.body = body
    self.headers = headers
  }
}

extension DataRequest {
  /// Throws for a request that sends something, because a file or data URL has no server.
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
