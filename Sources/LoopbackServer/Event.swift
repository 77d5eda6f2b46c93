/// What happens at a server, told in order.
package enum Event: Sendable {
  package enum Side: Sendable, Hashable { case client, server }

  package enum Outcome: Sendable, Hashable {
    /// All bytes were handed to the system.
    case sent
    /// The client closed before that.
    case clientLeft
    /// The server closed before that, as it was told to.
    case dropped
    /// The server was stopped.
    case stopped
  }

  case opened(connection: Int)
  case requested(Request)
  /// The client has not taken a byte for a tenth of a second. Told again when more was sent in between.
  case stalled(Request, bodyBytesSent: Int)
  /// `bodyBytesSent` counts what came after the head, framing included.
  case answered(Request, Outcome, bodyBytesSent: Int)
  case closed(connection: Int, by: Side)
}
