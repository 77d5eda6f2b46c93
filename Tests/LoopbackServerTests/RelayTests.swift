import Foundation
import LoopbackServer
import Testing

@Suite("`NetworkRelay`", .timeLimit(.minutes(2))) struct RelayTests {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.serve("/a", .bytes(Data(repeating: 7, count: 100_000)))
  }

  private func withRelay(_ link: Link = Link(), _ test: (NetworkRelay) throws -> Void) throws {
    let relay = try NetworkRelay(to: server.port, link)
    defer {
      relay.stop()
      server.stop()
    }
    try test(relay)
  }

  @Test("A relay forwards everything in both directions")
  func whole() throws {
    try withRelay { relay in
      let heard = try RawClient.ask(relay.port, "/a")

      #expect(heard.hasSuffix(String(repeating: "\u{7}", count: 100_000)))
      // It counts after it has sent.
      relay.stop()
      #expect(relay.byteCount == heard.utf8.count)
      #expect(relay.connectionCount == 1)
    }
  }

  @Test("A relay takes as long as the rate and round trip of its link require")
  func slow() throws {
    try withRelay(Link(kilobitsPerSecond: 1000, roundTrip: .milliseconds(100))) { relay in
      let took = try ContinuousClock().measure { _ = try RawClient.ask(relay.port, "/a") }

      // 0.8 seconds for the bytes, and two round trips.
      #expect(took > .milliseconds(900))
      #expect(took < .seconds(100))
    }
  }

  @Test("A relay delivers everything in order over a link that loses packets")
  func lossy() throws {
    let text = (0..<20_000).map { "\($0)," }.joined()
    server.serve("/text", .bytes(Data(text.utf8)))
    try withRelay(Link(delay: .milliseconds(1), jitter: .milliseconds(1), loss: 0.05)) { relay in
      let heard = try RawClient.ask(relay.port, "/text")

      #expect(heard.hasSuffix(text))
    }
  }

  @Test("A silent relay holds back everything until its silence ends")
  func silent() throws {
    try withRelay { relay in
      relay.isSilent = true
      let client = try RawClient(relay.port)
      client.get("/a", ["Connection: close"])
      #expect(client.hear(atMost: .milliseconds(200)) == "")

      relay.isSilent = false

      #expect(client.hear().utf8.count > 100_000)
    }
  }

  @Test("A relay stops forwarding on forgotten connections and serves new ones")
  func forgetting() throws {
    try withRelay { relay in
      let client = try RawClient(relay.port)
      client.get("/a")
      #expect(client.hear(until: "\u{7}") != "")

      relay.forgetConnections()
      client.get("/a")

      #expect(!client.hear(atMost: .milliseconds(200)).contains("HTTP"))
      #expect(try RawClient.ask(relay.port, "/a").utf8.count > 100_000)
    }
  }

  @Test("A relay resets the given number of new connections once the client sends something")
  func resetting() throws {
    try withRelay { relay in
      let client = try RawClient(relay.port)
      client.get("/a")
      _ = client.hear(until: "\u{7}")

      relay.resetNext(2)
      let heard = try (0..<3).map { _ in try RawClient.ask(relay.port, "/a").utf8.count }

      #expect(heard.map { $0 > 0 } == [false, false, true])
      // The connection that there was is spared.
      client.get("/a", ["Connection: close"])
      #expect(client.hear().contains("HTTP/1.1 200"))
    }
  }

  @Test("A relay resets all open connections and serves new ones")
  func resettingAll() throws {
    try withRelay { relay in
      let clients = try (0..<2).map { _ in try RawClient(relay.port) }
      for client in clients {
        client.get("/a")
        _ = client.hear(until: "\u{7}")
      }

      relay.resetConnections()

      for client in clients {
        _ = client.hear()
        #expect(!client.say("GET"))
      }
      #expect(try RawClient.ask(relay.port, "/a").utf8.count > 100_000)
    }
  }
}
