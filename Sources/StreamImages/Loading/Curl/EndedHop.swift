package import CTransport

extension CurlExchange {
  /// What follows the end of a hop.
  package enum Step {
    case done
    case failed(DataLoadingError)
    /// Nothing was sent. The same hop has to be queued and begun again.
    case again
    /// A redirect was accepted. The next hop has to be queued and begun.
    case anotherHop
  }
}

/// What is known about a hop that libcurl has ended, and the error that follows from it.
package struct EndedHop {
  package var chain: RedirectChain
  /// What libcurl reported. May be empty.
  package var message: String
  /// Why there was no socket; 0 if there was one.
  package var socketError: Int32
  /// The announced size of the body; `nil` before the head is complete.
  package var announced: Int??
  package var received: Int
  package var isSent: Bool
  package var isWaitingForHead: Bool
  package var addresses: (allowed: Int, refused: Int)

  package init(
    chain: RedirectChain, message: String, socketError: Int32, announced: Int??, received: Int, isSent: Bool,
    isWaitingForHead: Bool, addresses: (allowed: Int, refused: Int)
  ) {
    (self.chain, self.message, self.socketError) = (chain, message, socketError)
    (self.announced, self.received, self.isSent) = (announced, received, isSent)
    (self.isWaitingForHead, self.addresses) = (isWaitingForHead, addresses)
  }

  /// `nil` if the response is complete.
  package func error(for outcome: transport_outcome) -> DataLoadingError? {
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
    case .timed_out: return .timedOut(isSent ? .total : .connect)
    case .head_too_large: return .headTooLarge
    // libcurl 7 reports a line above its own limit of 100 KB as a lack of memory.
    case .no_memory: return isWaitingForHead ? .headTooLarge : .unavailable("no memory")
    case .other:
      return isSent ? .protocolViolation(reason) : .cannotConnect(host: host, reason: reason)
    }
  }
}
