public import Foundation

/// The head of a response.
public struct LoadedHead: Sendable, Hashable {
  /// The range of a partial response.
  public struct ByteRange: Sendable, Hashable {
    /// The range in the whole, from zero.
    public var bytes: Range<Int>
    /// The size of the whole, if the server sent it.
    public var total: Int?

    /// Creates a range.
    public init(bytes: Range<Int>, total: Int?) {
      self.bytes = bytes
      self.total = total
    }
  }

  /// The HTTP status. 200 for files and data URLs.
  public var status: Int
  /// The headers of the last response. Empty for a file; `Content-Type` for a data URL.
  public var headers: HeaderFields
  /// The URL of the response, after redirects.
  public var url: URL
  /// The number of bytes that the body will deliver, if it is known.
  ///
  /// The server claims it. Use it for progress, not for allocating memory.
  public var expectedByteCount: Int?
  /// Whether the body was compressed for the transfer. Such a body must not be resumed.
  public var isContentCoded: Bool
  /// The range of a 206 response. It matches the requested range.
  public var partial: ByteRange?
  /// How an ``HTTPCache`` produced the response, or `nil` if none was involved.
  public var cacheStatus: CacheStatus?
  /// The number of bytes of the body that come from an earlier load; see ``ResumableLoader``.
  public var resumedByteCount = 0
  /// The HTTP version, such as "1.1" or "2". `nil` if the response is not from the network.
  public var httpVersion: String?
  /// The duration of each step. `nil` if the response is not from the network.
  public var timings: LoadTimings?
  /// Whether redirects led to the response.
  package var wasRedirected = false
  /// The file that was opened, if it was one.
  package var fileVersion: FileVersion?

  /// Creates a head, for loaders of your own.
  public init(
    status: Int = 200, headers: HeaderFields = HeaderFields(), url: URL, expectedByteCount: Int? = nil,
    isContentCoded: Bool = false, partial: ByteRange? = nil
  ) {
    self.status = status
    self.headers = headers
    self.url = url
    self.expectedByteCount = expectedByteCount
    self.isContentCoded = isContentCoded
    self.partial = partial
  }

  /// The media type without parameters, in lower case. Only a hint: formats are detected from the first bytes.
  public var contentType: String? {
    guard let value = headers["Content-Type"] else { return nil }
    let essence = trimmed(String(decoding: value.utf8.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self))
    return essence.isEmpty ? nil : essence.lowercasedASCII
  }

  /// Whether two responses have the same URL but for its query, which differs each time that a URL is signed. Tags and
  /// times of other URLs say nothing about the bytes.
  func hasPlace(of other: LoadedHead) -> Bool { place.hasSameBytes(as: other.place) }

  private var place: String {
    let text = CanonicalURL(url, isWhole: true).text
    return String(decoding: text.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
  }
}

extension LoadedHead: CustomStringConvertible {
  /// Status and URL, without user, password or query.
  public var description: String { "\(status) from \(Redaction.text(of: url))" }
}
