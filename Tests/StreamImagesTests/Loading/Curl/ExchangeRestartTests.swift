import CTransport
import Foundation
import StreamImages
import Testing

/// Which loads begin again, and what they are then: one fact is changed at a time.
@Suite("Repeated loads") struct ExchangeRestartTests {
  /// A load on a shared connection that serves others, with its request sent.
  private func sent(
    _ method: DataRequest.Method = .get, mayShare: Bool = true, isSent: Bool = true, hasDelivered: Bool = true
  ) throws -> ScriptedExchange {
    let load = try ScriptedExchange("https://a.example/x", method)
    // What it received before lies in the past, so that the deadline tells when the request was sent.
    let connection = load.events.connection(1)
    connection?.heardAt = load.at(-10)
    if hasDelivered { connection?.deliver(at: load.at(-10)) }
    try load.begin(mayShare: mayShare)
    if isSent { load.send() }
    return load
  }

  /// The load has its connection only while it lives.
  private func restarts(_ load: ScriptedExchange, after error: DataLoadingError) -> Bool {
    withExtendedLifetime(load) { load.exchange.restarts(after: error) }
  }

  private func restarts(
    _ load: ScriptedExchange, after phase: DataLoadingError.Phase, amongOthers count: Int = 1
  ) -> Bool {
    withExtendedLifetime(load) { load.exchange.restarts(after: .timedOut(phase), amongOthers: count) }
  }

  private static let methods: [(DataRequest.Method, Bool)] = [
    (.get, true), (.head, true), (.put, true), (.delete, true), (.post, false), (.patch, false),
  ]

  @Test("A lost connection is repeated if it was shared and the request may be sent twice")
  func lost() throws {
    let error = DataLoadingError.connectionLost(.firstByte, reason: "")
    for (method, mayRepeat) in Self.methods {
      #expect(try restarts(sent(method), after: error) == mayRepeat)
      #expect(try !restarts(sent(method, mayShare: false), after: error))
    }
    let begun = try sent()
    #expect(begun.line("HTTP/2 200"))
    #expect(!restarts(begun, after: error))
  }

  @Test("A handshake that breaks off is repeated for each request, and no other error is")
  func handshake() throws {
    for (method, _) in Self.methods {
      let load = try ScriptedExchange("https://a.example/x", method)
      try load.begin()
      #expect(restarts(load, after: .connectionLost(.connect, reason: "")))
    }
    for error in [
      .connectionLost(.idle, reason: ""), .connectionLost(.total, reason: ""), .timedOut(.connect),
      .timedOut(.firstByte), .truncated(received: 0, expected: 1),
    ] as [DataLoadingError] {
      #expect(try !restarts(sent(), after: error))
    }
  }

  @Test(
    "A head that is too large for libcurl is repeated if others were on the connection, as any of them may see it"
  )
  func tooLarge() throws {
    for (method, mayRepeat) in Self.methods {
      for others in [0, 1] {
        let load = try sent(method)
        load.exchange.connection?.streamCount += others
        #expect(load.end(.head_too_large) == .headTooLarge)
        #expect(restarts(load, after: .headTooLarge) == (mayRepeat && others > 0))
      }
    }
    let begun = try sent()
    begun.exchange.connection?.streamCount += 1
    #expect(begun.line("HTTP/2 200") && begun.end(.head_too_large) == .headTooLarge)
    #expect(!restarts(begun, after: .headTooLarge))
  }

  @Test("A response over HTTP/2 that is given up is repeated if its body has hardly begun")
  func givenUp() throws {
    for (method, mayRepeat) in Self.methods where method != .head {
      for (version, mayShare, count, isHeld) in [
        ("2", true, 10, true), ("2", true, 16_384, false), ("1.1", true, 10, false), ("2", false, 10, false),
      ] {
        let load = try sent(method, mayShare: mayShare)
        load.head("HTTP/\(version) 200", "Transfer-Encoding: chunked")
        load.body(count)
        let error = load.end(.lost, releasesHead: false)
        #expect(error == .truncated(received: count, expected: nil))
        #expect(restarts(load, after: try #require(error)) == (mayRepeat && isHeld))
      }
    }
  }

  @Test("A load is repeated three times at most, for whatever reason")
  func atMost() throws {
    for isTimeout in [false, true] {
      let load = try sent()
      for number in 1...5 {
        let restarts =
          isTimeout
          ? load.exchange.restarts(after: .timedOut(.firstByte), amongOthers: 1)
          : load.exchange.restarts(after: .connectionLost(.firstByte, reason: ""))
        #expect(restarts == (number <= 3))
        load.exchange.endHop()
        try load.begin(mayShare: true)
        load.send()
      }
    }
  }

  @Test("A request that is not idempotent is stopped before libcurl sends it again on another connection")
  func sentAgain() throws {
    for (method, mayRepeat) in Self.methods {
      let load = try sent(method)
      #expect(load.send(on: 2) == mayRepeat)
      guard !mayRepeat else { continue }
      let error = load.end(.stopped)
      #expect(error == .connectionLost(.firstByte, reason: "\(method.rawValue) must not be sent twice"))

      // Nothing was sent in another hop.
      try load.begin()
      #expect(load.send(on: 3))
    }
  }

  @Test(
    "A load without a response is repeated if its connection has served before, and is silent for others too")
  func firstByte() throws {
    for (method, mayRepeat) in Self.methods {
      #expect(try restarts(sent(method), after: .firstByte) == mayRepeat)
    }
    for (others, mayRepeat) in [(0, false), (1, true), (2, true)] {
      #expect(try restarts(sent(), after: .firstByte, amongOthers: others) == mayRepeat)
    }
    #expect(try !restarts(sent(mayShare: false), after: .firstByte))
    #expect(try !restarts(sent(isSent: false), after: .firstByte))
    #expect(try !restarts(sent(hasDelivered: false), after: .firstByte))
    let begun = try sent()
    #expect(begun.line("HTTP/2 200"))
    #expect(!restarts(begun, after: .firstByte))
    #expect(try !restarts(sent(), after: .connect))
    #expect(try !restarts(sent(), after: .idle))
    #expect(try !restarts(sent(), after: .total))
  }

  @Test("A load whose body has hardly begun is repeated if its connection is silent for others too")
  func idle() throws {
    for (count, others, mayRepeat) in [
      (0, 0, false), (0, 1, true), (0, 2, true), (16_383, 1, true), (16_384, 1, false),
    ] {
      let load = try sent()
      load.head("HTTP/2 200")
      load.body(count)
      #expect(restarts(load, after: .idle, amongOthers: others) == mayRepeat)
    }
  }

  @Test("A load that begins again has forgotten its response, its connection and its time")
  func again() async throws {
    for isTimeout in [false, true] {
      let load = try sent()
      let connection = try #require(load.exchange.connection)
      load.head("HTTP/2 200", "Content-Length: 5")
      load.body(5, at: load.at(1))
      #expect(connection.streamCount == 1)

      let restarts =
        isTimeout
        ? load.exchange.restarts(after: .timedOut(.idle), amongOthers: 1)
        : load.exchange.restarts(after: .connectionLost(.firstByte, reason: ""))
      if isTimeout { load.exchange.withdraw() }
      #expect(restarts && load.exchange.hop.isSent == !isTimeout && !load.exchange.isDirty)
      #expect(isTimeout == (load.exchange.connection == nil))
      #expect(connection.streamCount == (isTimeout ? 0 : 1))
      if isTimeout { #expect(load.wholeEnd == nil && load.deadline == nil) }

      load.exchange.endHop()
      #expect(connection.streamCount == 0)
      try load.begin(mayShare: true, at: load.at(10))
      load.send()
      load.head("HTTP/2 200", "Content-Length: 5")
      #expect(load.body(5, at: load.at(30)))
      #expect(load.wholeEnd == .seconds(90))
      #expect(load.end() == nil)
      load.events.notifyConsumers()
      load.pipe.finish(nil)
      #expect(try await load.pipe.whole().body.count == 5)
    }
  }

  @Test("The time of a load that is withdrawn does not count, but that of its redirects does")
  func withdrawn() throws {
    let load = try sent()
    load.exchange.withdraw()
    #expect(load.wholeEnd == nil)

    let redirected = try sent()
    redirected.head("HTTP/2 302", "Location: /y", "Content-Length: 0")
    #expect(redirected.end() == .unavailable("another hop"))
    try redirected.begin(mayShare: true, at: redirected.at(10))
    #expect(redirected.wholeEnd == .seconds(60))
    redirected.exchange.withdraw()
    #expect(redirected.wholeEnd == .seconds(60))
  }
}
