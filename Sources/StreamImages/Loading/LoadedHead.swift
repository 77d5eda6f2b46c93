public import Foundation

/// What is known of an answer before its body.
public struct LoadedHead: Sendable, Hashable {
  /// The part of a larger whole that a 206 carries.
  public struct ByteRange: Sendable, Hashable {
    /// Counted from zero in the whole.
    public var bytes: Range<Int>
    /// The size of the whole, if the server knows it.
    public var total: Int?

    /// These bytes, of so many if that is known.
    public init(bytes: Range<Int>, total: Int?) {
      self.bytes = bytes
      self.total = total
    }
  }

  /// The HTTP status; 200 for files and data URLs.
  public var status: Int
  /// Those of the last answer, in order: of a file none, of a data URL its `Content-Type`.
  public var headers: HeaderFields
  /// Where the answer came from, after redirects.
  public var url: URL
  /// The number of bytes the body will hand out, if known.
  ///
  /// A claim of the server: fit for progress, not for reserving memory.
  public var expectedByteCount: Int?
  /// Whether the body was compressed on the way. Such a body must not be resumed.
  public var isContentCoded: Bool
  /// Which part this is, for status 206. Checked against the range asked for.
  public var partial: ByteRange?
  /// What an ``HTTPCache`` had to do with it; `nil` if it was not asked.
  public var cacheStatus: CacheStatus?
  /// How many bytes at the beginning of the body were here already, from an earlier load; see ``ResumableLoader``.
  public var resumedByteCount = 0
  /// "1.1" or "2"; `nil` if it was not the network's.
  public var httpVersion: String?
  /// When what happened; `nil` if it was not the network's.
  public var timings: LoadTimings?

  /// The head of an answer, for loaders of your own.
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

  /// The media type without parameters, in lower case. A hint: formats are told by their first bytes.
  public var contentType: String? {
    guard let value = headers["Content-Type"] else { return nil }
    let essence = value.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    return essence.isEmpty ? nil : essence.lowercased()
  }
}

extension LoadedHead: CustomStringConvertible {
  /// Status and URL, without user, password or query.
  public var description: String { "\(status) from \(Redaction.text(of: url))" }
}
