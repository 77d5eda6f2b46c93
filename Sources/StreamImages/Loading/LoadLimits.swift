/// The limits of a load. Each one is on by default. Negative limits and times count as zero, and times above a century as one.
public struct LoadLimits: Sendable, Hashable {
  /// The largest body in bytes, after decompression, from any source. 64 MiB.
  public var maximumByteCount = 64 << 20
  /// About how many times larger than its compressed form a body of more than one MiB may be. 100.
  public var maximumExpansionRatio = 100
  /// The largest head in bytes, including informational heads and trailers. 64 KiB.
  ///
  /// libcurl has limits of its own, which fail with the same error: about 100 KB for a line and 300 KB for the head.
  public var maximumHeadByteCount = 64 << 10
  /// The largest number of header fields, including those of informational heads and trailers. 100.
  public var maximumHeadFieldCount = 100
  /// The largest body of a data URL in bytes. 1 MiB.
  public var maximumDataURLByteCount = 1 << 20
  /// The largest number of redirects. 5.
  public var maximumRedirectCount = 5

  /// The time for resolving the name, connecting, and the TLS handshake.
  public var connectTimeout: Duration = .seconds(10)
  /// The time from sending the request until the head is complete.
  ///
  /// Over TLS, it starts again when a line of a head or a part of a body arrives on the same connection, for any load, and
  /// parts of a record count for up to three times as long.
  public var firstByteTimeout: Duration = .seconds(15)
  /// The time between two arrivals of bytes. It does not run while the body waits to be read.
  ///
  /// Over HTTP/2, bytes for any load on the same connection count. Over TLS, parts of a record count for up to three times as
  /// long.
  public var idleTimeout: Duration = .seconds(15)
  /// The time for the whole load, including redirects and waiting for the consumer. It starts when the load gets a
  /// connection, so time in a queue does not count. Over HTTP/2, the time before the body begins does not count either,
  /// while the connection serves other loads; four times the limit is the end.
  public var totalTimeout: Duration = .seconds(60)

  /// The schemes that may be loaded from the network, directly or by redirect. In lower case.
  ///
  /// ``SchemeLoader`` handles `file` and `data` separately.
  public var allowedSchemes = web

  private static let web: Set = ["https", "http"]

  /// Creates the default limits.
  public init() {}
}

extension LoadLimits {
  /// With each limit in its range.
  package var bounded: LoadLimits {
    var limits = self
    limits.maximumByteCount = max(0, maximumByteCount)
    limits.maximumExpansionRatio = max(0, maximumExpansionRatio)
    limits.maximumHeadByteCount = max(0, maximumHeadByteCount)
    limits.maximumHeadFieldCount = max(0, maximumHeadFieldCount)
    limits.maximumDataURLByteCount = max(0, maximumDataURLByteCount)
    limits.maximumRedirectCount = max(0, maximumRedirectCount)
    limits.connectTimeout = connectTimeout.bounded
    limits.firstByteTimeout = firstByteTimeout.bounded
    limits.idleTimeout = idleTimeout.bounded
    limits.totalTimeout = totalTimeout.bounded
    return limits
  }
}
