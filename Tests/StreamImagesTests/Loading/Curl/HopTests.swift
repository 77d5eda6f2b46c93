import CTransport
import Foundation
import StreamImages
import Testing

/// A request that has ended, and what is known about it.
private struct EndedHop {
  var hop: Hop
  var chain: RedirectChain
  var message = "why"
  var socketError: Int32 = 0
  var addresses: (allowed: Int, refused: Int) = (1, 0)

  var isSent = true
  var isWaitingForHead = false

  func error(for outcome: transport_outcome) -> DataLoadingError? {
    var hop = hop
    hop.addresses = addresses
    hop.stage =
      isWaitingForHead
      ? .waitingForHead(since: .now) : isSent ? .receiving(since: .now) : .connecting(since: .now)
    return hop.error(for: outcome, of: chain, message, socketError: socketError)
  }
}

/// The error of a request that has ended: one thing that is known about it is changed at a time.
@Suite struct HopTests {
  private func hop(_ change: (inout EndedHop) -> Void = { _ in }) throws -> EndedHop {
    let chain = try RedirectChain(
      DataRequest(url: URL(string: "https://u:p@a.example/b?secret")!), limits: LoadLimits())
    var hop = EndedHop(hop: Hop(LoadLimits(), at: .now), chain: chain)
    (hop.hop.announced, hop.hop.received) = ((10, false), 10)
    change(&hop)
    return hop
  }

  @Test("A response is complete if it ended after its head, with as many bytes as were announced")
  func complete() throws {
    #expect(try hop().error(for: .done) == nil)
    #expect(try hop { $0.hop.announced = (nil, false) }.error(for: .done) == nil)
    #expect(
      try hop { $0.hop.announced = nil }.error(for: .done)
        == .connectionLost(.firstByte, reason: "closed before the end of the head"))
    for received in [0, 9, 11] {
      #expect(
        try hop { $0.hop.received = received }.error(for: .done)
          == .truncated(received: received, expected: 10))
    }
  }

  @Test(
    "A broken connection is a truncated body after the head, and a lost connection before it",
    arguments: [transport_outcome.partial, .lost, .stopped])
  func broken(_ outcome: transport_outcome) throws {
    #expect(try hop { $0.hop.received = 3 }.error(for: outcome) == .truncated(received: 3, expected: 10))
    #expect(
      try hop { ($0.hop.announced, $0.hop.received) = ((nil, false), 3) }.error(for: outcome)
        == .truncated(received: 3, expected: nil))
    #expect(
      try hop { $0.hop.announced = nil }.error(for: outcome) == .connectionLost(.firstByte, reason: "why"))
    #expect(
      try hop { ($0.hop.announced, $0.isSent) = (nil, false) }.error(for: outcome)
        == .connectionLost(.connect, reason: "why"))
    #expect(
      try hop { ($0.hop.announced, $0.message) = (nil, "") }.error(for: outcome)
        == .connectionLost(.firstByte, reason: "no reason given"))
  }

  @Test("A response that has all announced bytes is complete, even if the rest of its request was refused")
  func refusedRest() throws {
    #expect(try hop().error(for: .partial) == nil)
    #expect(try hop().error(for: .lost) == nil)
    #expect(try hop().error(for: .stopped) == .truncated(received: 10, expected: 10))
    #expect(
      try hop { $0.hop.received = 11 }.error(for: .lost) == .truncated(received: 11, expected: 10))
  }

  @Test("A connection that cannot be made again after a request was sent is a lost one")
  func notMadeAgain() throws {
    for outcome in [transport_outcome.cannot_resolve, .cannot_connect, .tls] {
      let hop = try hop { ($0.hop.announced, $0.socketError) = (nil, EMFILE) }

      #expect(hop.error(for: outcome) == .connectionLost(.firstByte, reason: "why"))
    }
  }

  @Test("A bad URL is the request's own before a redirect, and the redirect's after it")
  func badURL() throws {
    let redirected = try hop { $0.chain = try! $0.chain.following("/c", status: 302) }

    #expect(try hop().error(for: .bad_url) == .badURL("https://a.example/b?…"))
    #expect(redirected.error(for: .bad_url) == .redirectRefused(.badLocation))
    #expect(try hop().error(for: .bad_location) == .redirectRefused(.badLocation))
  }

  @Test("An address was refused if the policy allowed none of those that were tried")
  func addresses() throws {
    for (allowed, refused, isRefused) in [
      (0, 0, false), (0, 1, true), (0, 2, true), (1, 0, false), (1, 1, false), (2, 1, false),
    ] {
      let error = try hop { $0.addresses = (allowed, refused) }.error(for: .cannot_connect)

      #expect(
        error
          == (isRefused
            ? .addressRefused(host: "a.example") : .cannotConnect(host: "a.example", reason: "why")))
    }
    let scarce = try hop { $0.socketError = EMFILE }.error(for: .cannot_connect)
    #expect(scarce == .unavailable(String(cString: strerror(EMFILE))))
    let both = try hop { ($0.socketError, $0.addresses) = (EMFILE, (0, 1)) }.error(for: .cannot_connect)
    #expect(both == .addressRefused(host: "a.example"))
  }

  @Test("Each other end has an error of its own")
  func others() throws {
    #expect(try hop().error(for: .cannot_resolve) == .cannotResolve(host: "a.example"))
    #expect(try hop().error(for: .no_authorities) == .unavailable("no certificate authorities: why"))
    #expect(try hop().error(for: .tls) == .tls(host: "a.example", reason: "why"))
    #expect(try hop().error(for: .violation) == .protocolViolation("why"))
    #expect(try hop().error(for: .bad_coding) == .badContentCoding)
    #expect(try hop().error(for: .timed_out) == .timedOut(.total))
    #expect(
      try hop { ($0.hop.announced, $0.isSent) = (nil, false) }.error(for: .timed_out) == .timedOut(.connect))
    #expect(try hop().error(for: .head_too_large) == .headTooLarge)
    #expect(try hop().error(for: .no_memory) == .unavailable("no memory"))
    #expect(try hop { $0.isWaitingForHead = true }.error(for: .no_memory) == .headTooLarge)
    #expect(try hop().error(for: .other) == .protocolViolation("why"))
    #expect(
      try hop { $0.isSent = false }.error(for: .other) == .cannotConnect(host: "a.example", reason: "why"))
  }
}
