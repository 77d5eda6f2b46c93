/// How long the steps of a load took. Redirects count as part of the whole.
public struct LoadTimings: Sendable, Hashable {
  /// In line, before a connection might be used; in the last line, if there were redirects.
  public var waiting = Duration.zero
  /// From the first connection that might be used to the head.
  public var untilHead = Duration.zero
  /// Resolving the name, connecting and agreeing on TLS, at the last hop. Next to nothing if the connection was
  /// there already.
  public var connecting = Duration.zero
  /// From the request sent to the head, at the last hop.
  public var answering = Duration.zero
  /// How many times a server led on.
  public var redirectCount = 0

  /// Nothing measured.
  public init() {}
}
