/// How far the hop of a load has come.
enum HopStage {
  /// For a connection that another load is making, or for room on one.
  case waitingForConnection
  case connecting(since: MonotonicInstant)
  case waitingForHead(since: MonotonicInstant)
  case receiving(since: MonotonicInstant)
  case paused

  /// Further bytes only move the deadline away.
  func lasts(as other: HopStage) -> Bool {
    if case (.receiving, .receiving) = (self, other) { true } else { false }
  }

  var isWaitingForHead: Bool {
    if case .waitingForHead = self { true } else { false }
  }

  /// Whether the request was sent.
  var isSent: Bool {
    switch self {
    case .waitingForConnection, .connecting: false
    case .waitingForHead, .receiving, .paused: true
    }
  }
}
