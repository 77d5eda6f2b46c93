/// How much, how long and how far a load may go. Every limit is on by default and has its own error.
public struct LoadLimits: Sendable, Hashable {
  /// The largest body, in bytes after decoding, whatever its source. 64 MiB.
  public var maximumByteCount = 64 << 20
  /// How many times larger than its compressed form a body may become, once past the first MiB. 100.
  public var maximumExpansionRatio = 100
  /// The largest head, informational ones and trailers counted in. 64 KiB.
  ///
  /// libcurl has limits of its own, which fail in the same way: about 100 KB for a line, and 300 KB for the whole head.
  public var maximumHeadByteCount = 64 << 10
  /// The most lines of a head, informational ones and trailers counted in. 100.
  public var maximumHeadFieldCount = 100
  /// The largest body of a data URL, in bytes. 1 MiB.
  public var maximumDataURLByteCount = 1 << 20
  /// How many times a server may lead on. 5.
  public var maximumRedirectCount = 5

  /// For resolving the name, connecting and agreeing on TLS.
  public var connectTimeout: Duration = .seconds(10)
  /// From the request sent to the head complete.
  public var firstByteTimeout: Duration = .seconds(15)
  /// Between two arrivals of bytes. Does not run while the load waits for its consumer.
  public var idleTimeout: Duration = .seconds(15)
  /// For everything, redirects and waiting for the consumer included. Starts when a connection may be used,
  /// so that loads are not punished for the queue before them.
  public var totalTimeout: Duration = .seconds(60)

  /// What the network may be asked for, at first and by redirect; lower case.
  ///
  /// `file` and `data` are not the network's: ``SchemeLoader`` decides about them.
  public var allowedSchemes = web

  private static let web: Set = ["https", "http"]

  /// The defaults.
  public init() {}
}
