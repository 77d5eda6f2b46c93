import CTransport

/// What is known about a hop that libcurl has ended, and the error that follows from it.
struct EndedHop {
  let chain: RedirectChain
  /// What libcurl reported. May be empty.
  let message: String
  /// Why there was no socket; 0 if there was one.
  let socketError: Int32
  /// The announced size of the body; `nil` before the head is complete.
  let announced: Int??
  let received: Int
  let isSent: Bool
  let isWaitingForHead: Bool
  let addresses: (allowed: Int, refused: Int)

  /// `nil` if the response is complete.
  func error(for outcome: transport_outcome) -> DataLoadingError? {
    var host: String { chain.origin.host }
    var reason: String { message.isEmpty ? "no reason given" : message }
    switch outcome {
    // libcurl does not distinguish an end within the head.
    case .done where announced == nil:
      return .connectionLost(.firstByte, reason: "closed before the end of the head")
    case .done:
      guard let expected = announced ?? nil, expected != received else { return nil }
      return .truncated(received: received, expected: expected)
    case .partial, .lost, .stopped:
      if let announced { return .truncated(received: received, expected: announced) }
      return .connectionLost(isSent ? .firstByte : .connect, reason: reason)
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
    case .timed_out: return .timedOut(.total)
    case .head_too_large: return .headTooLarge
    // libcurl 7 reports a line above its own limit of 100 KB as a lack of memory.
    case .no_memory: return isWaitingForHead ? .headTooLarge : .unavailable("no memory")
    case .other:
      return isSent ? .protocolViolation(reason) : .cannotConnect(host: host, reason: reason)
    }
  }
}
