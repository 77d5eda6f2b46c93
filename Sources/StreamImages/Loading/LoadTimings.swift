/// The duration of the steps of a load.
public struct LoadTimings: Sendable, Hashable {
  /// The time in the queue for a connection; the last queue, if there were redirects.
  public var waiting = Duration.zero
  /// The time from the first attempt to connect to the head of the response.
  public var untilHead = Duration.zero
  /// The time for resolving the name, connecting, and the TLS handshake, or for waiting for a shared connection; for the
  /// last hop. Close to zero for a reused connection.
  public var connecting = Duration.zero
  /// The time from sending the request to the head of the response, for the last hop.
  public var answering = Duration.zero
  /// The number of redirects.
  public var redirectCount = 0

  /// Creates timings of zero.
  public init() {}
}
