import CTransport
import Foundation
import StreamImages
import Testing

/// How a load takes heads and bodies, and what it reports at the end.
@Suite("Received responses") struct ExchangeResponseTests {
  @Test("A head is delivered at once, or with 16 KiB of the body where the load may still wait")
  func held() throws {
    for mayShare in [false, true] {
      let load = try ScriptedExchange.sent(mayShare: mayShare)
      #expect(!load.exchange.isDirty && load.events.isEmpty)
      #expect(load.head("HTTP/2 200"))
      #expect(load.exchange.isDirty == !mayShare)
      #expect(load.body(16_383))
      #expect(load.exchange.isDirty == !mayShare)
      #expect(load.body(1) && load.exchange.isDirty)
    }
    // Before a hop has begun, nothing is shared.
    let early = try ScriptedExchange()
    #expect(!early.exchange.holdsPlace && early.exchange.ticket == nil)
    early.head("HTTP/2 200")
    #expect(early.exchange.isDirty)
  }

  @Test("A head that was held is delivered with the end of its hop, and only once")
  func atEnd() async throws {
    let load = try ScriptedExchange.sent(mayShare: true)
    load.head("HTTP/2 200", "Content-Length: 3")
    load.body(3)
    #expect(load.events.isEmpty)

    #expect(load.end() == nil)
    #expect(load.exchange.isDirty && !load.events.isEmpty)
    load.events.notifyConsumers()

    #expect(!load.exchange.isDirty && load.events.isEmpty)
    let head = try await load.pipe.head()
    #expect(head.status == 200 && head.expectedByteCount == 3)
    #expect(try await load.pipe.next()?.count == 3)
  }

  @Test("Trailers are no second head, and each line is heard on the connection")
  func trailers() async throws {
    let load = try ScriptedExchange.sent(mayShare: true)
    let connection = try #require(load.exchange.connection)
    for (second, text) in ["HTTP/2 200", "Content-Length: 10", "", "X-Sum: 1", ""].enumerated() {
      load.events.turnBegan = load.at(Double(second + 1))
      #expect(load.line(text))
      #expect(connection.deliveredAt == load.at(Double(second + 1)) && connection.hasDelivered)
    }
    load.body(4, at: load.at(9))
    #expect(connection.deliveredAt == load.at(9))
    #expect(load.end() == .truncated(received: 4, expected: 10))
    load.events.notifyConsumers()
    #expect(try await load.pipe.head().headers.map(\.name) == ["Content-Length"])
  }

  @Test("A response tells its origin's version where loads may share a connection")
  func origins() throws {
    for (mayShare, version, speaksHTTP2) in [
      (true, "2", true), (true, "1.1", false), (false, "2", nil), (false, "1.1", nil),
    ] as [(Bool, String, Bool?)] {
      let load = try ScriptedExchange()
      let origin = load.exchange.chain.origin
      try load.begin(mayShare: mayShare)
      #expect(load.connect())
      #expect(load.events.takeOrigins() == [:])
      load.send()
      #expect(load.events.takeOrigins() == [origin: nil])
      load.head("HTTP/\(version) 200")
      let answered: [Origin: Bool?] = speaksHTTP2.map { [origin: $0] } ?? [:]
      #expect(load.events.takeOrigins() == answered)
    }
  }

  @Test("A load counts on the connection that it was last sent on, until its hop ends")
  func streams() throws {
    let load = try ScriptedExchange.sent()
    let first = try #require(load.exchange.connection)
    #expect(first.streamCount == 1)

    load.send(on: 2)
    let second = try #require(load.exchange.connection)
    #expect(first.streamCount == 0 && second !== first && second.streamCount == 1)

    for _ in 0..<2 { load.exchange.endHop() }
    #expect(second.streamCount == 0 && load.exchange.connection == nil)

    // A load that is released has ended.
    var other: CurlExchange? = CurlExchange(load.exchange.chain, load.pipe, load.events, .any)
    _ = other?.callbacks.will_send(other?.callbacks.context, 2, false)
    #expect(second.streamCount == 1)
    other = nil
    load.events.drainMoved { _ in }
    #expect(second.streamCount == 0)
  }

  @Test("A body of the size that is allowed and announced is taken, and with a byte more it is refused")
  func sizes() throws {
    for (pieces, announced, error) in [
      ([10], nil, nil), ([6, 4], nil, nil), ([11], nil, .tooLarge(limit: 10, announced: nil)),
      ([6, 5], nil, .tooLarge(limit: 10, announced: nil)), ([5], 5, nil), ([2, 3], 5, nil),
      ([6], 5, .longerThanAnnounced(byteCount: 5)), ([2, 4], 5, .longerThanAnnounced(byteCount: 5)),
      ([2, 2], 5, .truncated(received: 4, expected: 5)), ([], 5, .truncated(received: 0, expected: 5)),
    ] as [([Int], Int?, DataLoadingError?)] {
      let load = try ScriptedExchange.sent { _, limits in limits.maximumByteCount = 10 }
      load.head("HTTP/1.1 200 OK", announced.map { "Content-Length: \($0)" } ?? "X: y")
      var isTaken = true
      for piece in pieces { isTaken = load.body(piece) }

      let isRefused = if case .truncated? = error { false } else { error != nil }
      #expect(isTaken == !isRefused)
      #expect(load.end(isRefused ? .stopped : .done) == error)
    }
  }

  @Test("A compressed body may expand to 1 MiB, and above that to the ratio of 16 KiB more than was received")
  func expansion() throws {
    for (count, ratio, allowsCoding, isCoded, isAllowed) in [
      (1 << 20, 1, true, true, true), (1 << 20 + 1, 1, true, true, false), (20_000, 1, true, true, true),
      (1_638_400, 100, true, true, true), (1_638_401, 100, true, true, false),
      (1_638_401, .max, true, true, true), (2_000_000, 100, false, true, true),
      (2_000_000, 100, true, false, true),
    ] as [(Int, Int, Bool, Bool, Bool)] {
      let load = try ScriptedExchange.sent { request, limits in
        request.allowsContentCoding = allowsCoding
        limits.maximumExpansionRatio = ratio
      }
      load.head("HTTP/1.1 200 OK", isCoded ? "Content-Encoding: gzip" : "X: y")

      #expect(load.body(count) == isAllowed)
      #expect(load.end() == (isAllowed ? nil : .expandsTooMuch(ratio: ratio)))
    }
  }

  @Test(
    "A full buffer pauses the transfer at once, unless it decompresses, and no bytes are taken after the consumer has left"
  )
  func full() throws {
    for (count, isCoded, isPaused) in [(3, false, false), (4, false, true), (4, true, false)] {
      let load = try ScriptedExchange.sent(buffered: 4) { request, _ in request.allowsContentCoding = true }
      load.head("HTTP/1.1 200 OK", isCoded ? "Content-Encoding: gzip" : "X: y")

      #expect(load.body(count))
      #expect(load.phase == (isPaused ? .total : .idle))
      load.events.notifyConsumers()
      #expect(load.phase == (count == 4 ? .total : .idle))
      // What libcurl had in hand comes although it was paused.
      #expect(load.body(1, at: load.at(1)) && load.phase == .total)

      load.pipe.cancel()
      #expect(!load.body(1))
    }
  }

  @Test(
    "A connection with something unread is used only if other loads wait for it, and no load is counted on it"
  )
  func unread() throws {
    for (others, isUsed) in [(0, false), (1, true), (2, true)] {
      for (method, hasUnread) in [(.get, true), (.post, true), (.get, false)] as [(DataRequest.Method, Bool)]
      {
        let load = try ScriptedExchange("https://a.example/x", method)
        let connection = try #require(load.events.connection(5))
        connection.streamCount = others
        try load.begin(mayShare: true)

        let sending = load.sending(on: 5, hasUnread: hasUnread)

        guard hasUnread, !isUsed else {
          #expect(sending == .go && load.exchange.hop.isSent && connection.streamCount == others + 1)
          continue
        }
        #expect(sending == .close && !load.exchange.hop.isSent)
        #expect(connection.streamCount == 0 && load.exchange.connection == nil)
        #expect(load.end(.stopped) == .unavailable("again"))
        try load.begin(mayShare: true)
        #expect(load.sending(on: 6) == .go && load.exchange.hop.isSent)
      }
    }
    let unknown = try ScriptedExchange()
    try unknown.begin()
    #expect(unknown.sending(on: 0, hasUnread: true) == .close)
  }

  @Test("A request that must not be sent twice stops its transfer, and not the connection of others")
  func twice() throws {
    let load = try ScriptedExchange.sent("https://a.example/x", .post)
    #expect(load.sending(on: 2, hasUnread: true) == .stop)
  }
}
