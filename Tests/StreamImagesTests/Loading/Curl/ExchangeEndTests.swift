import CTransport
import Foundation
import StreamImages
import Testing

/// What a load reports when a hop has ended.
@Suite("Ends of hops") struct ExchangeEndTests {
  @Test("The short body of a redirect is read and forgotten, and a long one ends its connection")
  func redirects() async throws {
    for (method, length, isRead) in [
      (.get, "Content-Length: 0", true), (.get, "Content-Length: 65536", true),
      (.get, "Content-Length: 65537", false), (.get, "Transfer-Encoding: chunked", false),
      (.head, "Content-Length: 65537", true),
    ] as [(DataRequest.Method, String, Bool)] {
      let load = try ScriptedExchange.sent("https://a.example/x", method)
      #expect(load.head("HTTP/1.1 302 Found", "Location: /y", length) == isRead)
      #expect(load.body(10) && load.body(1 << 20))
      #expect(!load.exchange.isDirty)

      let before = MonotonicInstant.now
      #expect(load.end(isRead ? .done : .stopped) == .unavailable("another hop"))
      #expect(load.exchange.chain.target == "https://a.example/y")
      let begin = load.at(100)
      try load.begin(at: begin)
      load.send()
      #expect(load.head("HTTP/1.1 200 OK", "Content-Length: 2"))
      if method == .get { load.body(2) }
      #expect(load.end() == nil)

      let timings = try #require(try await load.pipe.head().timings)
      #expect(timings.redirectCount == 1)
      #expect(timings.waiting <= before.duration(to: begin) && timings.waiting > .seconds(90))
    }
  }

  @Test("A redirect that may not be followed ends the load with its own error")
  func refusedRedirect() throws {
    let load = try ScriptedExchange.sent { _, limits in limits.maximumRedirectCount = 0 }
    load.head("HTTP/1.1 302 Found", "Location: /y", "Content-Length: 0")

    #expect(load.end() == .tooManyRedirects(limit: 0))
  }

  @Test("The timings of a response are those of its last hop, and of the whole")
  func timings() async throws {
    let load = try ScriptedExchange()
    try load.begin(at: load.at(-100))
    load.send()
    load.head("HTTP/1.1 200 OK")

    let timings = try #require(try await load.pipe.head().timings)

    #expect(timings.waiting < .seconds(-90) && timings.redirectCount == 0)
    #expect(
      timings.connecting >= .seconds(100) && timings.untilHead >= timings.connecting + timings.answering)
    #expect(timings.answering > .zero)
  }

  @Test("An error names the addresses that were refused, and what was sent, in the present hop")
  func errors() throws {
    let host = "a.example"
    let unknown = DataLoadingError.cannotConnect(host: host, reason: "no reason given")
    let policy = AddressPolicy { $0.bytes.first == 1 }
    for (addresses, error) in [
      ([], unknown), ([[1, 0, 0, 0]], unknown), ([[2, 0, 0, 0]], .addressRefused(host: host)),
      ([[1, 0, 0]], .addressRefused(host: host)), ([[2, 0, 0, 0], [1, 0, 0, 0]], unknown),
      ([[1, 0, 0, 0], [2, 0, 0, 0]], unknown),
      ([[2, 0, 0, 0], [2, 0, 0, 0]], .addressRefused(host: host)),
    ] as [([[UInt8]], DataLoadingError)] {
      for hasBegun in [false, true] {
        let load = try ScriptedExchange(policy: policy)
        if hasBegun {
          // Of an earlier hop.
          _ = load.connect([2, 0, 0, 0])
          try load.begin()
        }
        for address in addresses { #expect(load.connect(address) == (address.count == 4 && address[0] == 1)) }
        #expect(load.end(.cannot_connect) == error)
      }
    }
    for (isSent, phase, memory) in [
      (false, .connect, .unavailable("no memory")), (true, .firstByte, .headTooLarge),
    ] as [(Bool, DataLoadingError.Phase, DataLoadingError)] {
      for (outcome, error) in [
        (.lost, .connectionLost(phase, reason: "no reason given")), (.no_memory, memory),
      ] as [(transport_outcome, DataLoadingError)] {
        let load = try ScriptedExchange()
        try load.begin()
        if isSent { load.send() }
        #expect(load.end(outcome) == error)
      }
    }
  }

  @Test("A head that is refused stops its transfer, and its error is that of the load")
  func refusedHead() throws {
    for (line, error) in [
      ("HTTP/1.1 999", .protocolViolation("invalid status line")), ("no colon", nil),
    ] as [(String, DataLoadingError?)] {
      let load = try ScriptedExchange.sent()
      if error == nil { #expect(load.line("HTTP/1.1 200 OK")) }
      #expect(!load.line(line))
      let found = load.end(.stopped)
      #expect(found == error ?? .protocolViolation("a header without a colon"))
    }
    let load = try ScriptedExchange.sent { request, _ in request.acceptedStatuses = [404] }
    #expect(!load.head("HTTP/1.1 200 OK"))
    guard case .status(200, _)? = load.end(.stopped) else { return unexpected("no status") }
  }
}
