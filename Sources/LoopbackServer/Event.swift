/// An event of a server.
package enum Event: Sendable {
  package enum Side: Sendable, Hashable { case client, server }

  package enum Outcome: Sendable, Hashable {
    /// All bytes were handed to the system.
    case sent
    /// The client closed before that.
    case clientLeft
    /// The server closed before that, as configured.
    case dropped
    /// The server was stopped.
    case stopped
  }

  case opened(connection: Int)
  case requested(Request)
  /// The client has read nothing for a tenth of a second. Repeated if more was sent in between.
  case stalled(Request, bodyBytesSent: Int)
  /// `bodyBytesSent` counts the bytes of the body, without its framing.
  case answered(Request, Outcome, bodyBytesSent: Int)
  case closed(connection: Int, by: Side)
}
