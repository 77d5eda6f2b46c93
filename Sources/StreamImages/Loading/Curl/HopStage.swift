/// Where a load is, from the queue to the end of a hop.
enum HopStage {
  /// In the loader's queue. Only then libcurl has no transfer for it.
  case queued
  /// Inside libcurl: for a connection that another load is making, or for room on one.
  case waitingForConnection
  case connecting(since: MonotonicInstant)
  case waitingForHead(since: MonotonicInstant)
  case receiving(since: MonotonicInstant)
  /// The body is full. No time runs but that of the whole load.
  case paused
  /// The body of a redirect, which nobody reads. Its end allows the connection to be used again.
  case discarding(since: MonotonicInstant)

  /// Further bytes only move the deadline away.
  func lasts(as other: HopStage) -> Bool {
    if case (.receiving, .receiving) = (self, other) { true } else { false }
  }

  var isWaitingForConnection: Bool { if case .waitingForConnection = self { true } else { false } }
  var isDiscarding: Bool { if case .discarding = self { true } else { false } }
  var isWaitingForHead: Bool { if case .waitingForHead = self { true } else { false } }

  /// Whether the request was sent.
  var isSent: Bool {
    switch self {
    case .queued, .waitingForConnection, .connecting: false
    case .waitingForHead, .receiving, .paused, .discarding: true
    }
  }
}

extension CurlExchange {
  /// What is known about the present hop, or the last one. Each hop begins with nothing.
  struct Hop {
    var mayShare = false
    let beganAt: MonotonicInstant
    /// When the attempt to connect began.
    var attemptBeganAt: MonotonicInstant
    var sentAt: MonotonicInstant
    var addresses = (allowed: 0, refused: 0)
    var parser: HeadParser
    /// Known once the head is complete.
    var announced: (byteCount: Int?, isContentCoded: Bool)?
    /// A head whose body has hardly begun. Until it is delivered, the request can be sent again.
    var heldHead: LoadedHead?
    var received = 0
    var bodyBeganAt: MonotonicInstant?
    /// Whether other loads were on its connection when it ended.
    var hadOthers = false
    /// Why a callback stopped the transfer, or will not deliver its response.
    var verdict: Verdict?

    init(_ limits: LoadLimits, at now: MonotonicInstant) {
      (beganAt, attemptBeganAt, sentAt) = (now, now, now)
      parser = HeadParser(limits)
    }
  }

  enum Verdict {
    case follow(location: String)
    case fail(DataLoadingError)
    /// The connection had bytes that no request asked for. It is closed, and the load needs another one.
    case connectAgain
  }
}
