package import CTransport

/// One request of a load, from the queue to the end of its response. Each begins with nothing.
package struct Hop {
  package enum Stage {
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
  }

  enum Verdict {
    case follow(location: String)
    case fail(DataLoadingError)
    /// The connection had bytes that no request asked for. It is closed, and the load needs another one.
    case connectAgain
  }

  package var stage = Stage.queued
  var mayShare = false
  let beganAt: MonotonicInstant
  /// When the attempt to connect began.
  package var attemptBeganAt: MonotonicInstant
  var sentAt: MonotonicInstant
  package var addresses = (allowed: 0, refused: 0)
  var parser: HeadParser
  /// Known once the head is complete.
  package var announced: (byteCount: Int?, isContentCoded: Bool)?
  /// A head whose body has hardly begun. Until it is delivered, the request can be sent again.
  var heldHead: LoadedHead?
  package var received = 0
  var bodyBeganAt: MonotonicInstant?
  /// Whether other loads were on its connection when it ended.
  var hadOthers = false
  /// Why a callback stopped the transfer, or will not deliver its response.
  var verdict: Verdict?

  package init(_ limits: LoadLimits, at now: MonotonicInstant) {
    (beganAt, attemptBeganAt, sentAt) = (now, now, now)
    parser = HeadParser(limits)
  }

  package var isWaitingForConnection: Bool { if case .waitingForConnection = stage { true } else { false } }
  package var isDiscarding: Bool { if case .discarding = stage { true } else { false } }

  /// Whether the request was sent.
  package var isSent: Bool {
    switch stage {
    case .queued, .waitingForConnection, .connecting: false
    case .waitingForHead, .receiving, .paused, .discarding: true
    }
  }

  /// The error of a hop that libcurl has ended; `nil` if the response is complete.
  ///
  /// - Parameters:
  ///   - message: What libcurl reported. May be empty.
  ///   - socketError: Why there was no socket; 0 if there was one.
  package func error(
    for outcome: transport_outcome, of chain: RedirectChain, _ message: String, socketError: Int32
  ) -> DataLoadingError? {
    var host: String { chain.origin.host }
    var reason: String { message.isEmpty ? "no reason given" : message }
    // The connection broke after the request was sent, and libcurl could not make another one to send it again.
    if isSent, announced == nil, [.cannot_resolve, .cannot_connect, .tls].contains(outcome) {
      return .connectionLost(.firstByte, reason: reason)
    }
    switch outcome {
    // libcurl does not distinguish an end within the head.
    case .done where announced == nil:
      return .connectionLost(.firstByte, reason: "closed before the end of the head")
    case .done:
      guard let expected = announced?.byteCount, expected != received else { return nil }
      return .truncated(received: received, expected: expected)
    case .partial, .lost, .stopped:
      guard let announced else { return .connectionLost(isSent ? .firstByte : .connect, reason: reason) }
      // A server may refuse the rest of a request once it has responded (RFC 9113, 8.1).
      if outcome != .stopped, announced.byteCount == received { return nil }
      return .truncated(received: received, expected: announced.byteCount)
    case .bad_location: return .redirectRefused(.badLocation)
    case .bad_url where chain.wasRedirected: return .redirectRefused(.badLocation)
    case .bad_url: return .badURL(Redaction.text(of: chain.target))
    case .cannot_resolve: return .cannotResolve(host: host)
    case .cannot_connect where addresses.allowed == 0 && addresses.refused > 0:
      return .addressRefused(host: host)
    case .cannot_connect where socketError != 0: return .unavailable(text(ofSystemError: socketError))
    case .cannot_connect: return .cannotConnect(host: host, reason: reason)
    case .no_authorities: return .unavailable("no certificate authorities: \(reason)")
    case .tls: return .tls(host: host, reason: reason)
    case .violation: return .protocolViolation(reason)
    case .bad_coding: return .badContentCoding
    case .timed_out: return .timedOut(isSent ? .total : .connect)
    case .head_too_large: return .headTooLarge
    case .no_memory:
      // libcurl 7 reports a line above its own limit of 100 KB as a lack of memory.
      if case .waitingForHead = stage { return .headTooLarge }
      return .unavailable("no memory")
    case .other:
      return isSent ? .protocolViolation(reason) : .cannotConnect(host: host, reason: reason)
    }
  }
}
