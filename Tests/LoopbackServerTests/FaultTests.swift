import Foundation
import LoopbackServer
import LoopbackSockets
import Testing

@Suite struct FaultTests {
  private static let body = Data("0123456789".utf8)

  @Test(
    "Each fault breaks the response at the place it names",
    arguments: [
      (Reply.Fault.closeBeforeHead, "^$"), (.closeInHead, "^HTTP/1[^\0]*[^0-9]$"),
      (.close(afterBodyBytes: 4), "Length: 10\r\n[^\0]*\r\n\r\n0123$"),
      (.announce(length: "-1"), "Length: -1\r\n[^\0]*0123456789$"),
      (.rawHead("huh\r\n"), "^huh\r\n0123456789$"),
      (.headerFlood(count: 3, valueByteCount: 2), "X-Flood-2: xx\r\n\r\n0123456789$"),
    ])
  func breaking(fault: Reply.Fault, expected: String) async throws {
    try await withServer { server in
      server.serve("/a", .failing(fault, body: Self.body))

      let answer = try RawClient.ask(server, "/a")

      #expect(answer.range(of: expected, options: .regularExpression) != nil, "\(answer.debugDescription)")
    }
  }

  @Test("A silent reply lasts until the client disconnects")
  func silence() async throws {
    try await withServer { server in
      server.serve("/a", .failing(.silence))
      let client = try RawClient(server)
      client.get("/a")
      _ = await server.event { if case .requested = $0 { true } else { false } }

      client.leave()
      let event = await server.event { if case .answered = $0 { true } else { false } }

      guard case .answered(_, .clientLeft, 0)? = event else { return unexpected(event) }
    }
  }

  @Test("An endless response stalls when the client does not read")
  func endless() async throws {
    try await withServer { server in
      server.serve("/a", .failing(.endless))
      let client = try RawClient(server)
      client.get("/a")

      let event = await server.event { if case .stalled = $0 { true } else { false } }

      guard case .stalled(_, let sent)? = event else { return unexpected(event) }
      #expect(sent > 0)
      client.leave()
    }
  }

  @Test("Gates hold back responses, and bodies in the middle")
  func gates() async throws {
    try await withServer { server in
      let (head, middle) = (try Gate(), try Gate())
      server.serve(
        "/a",
        .bytes(Self.body).with {
          $0.gate = head
          $0.bodyGate = (afterBytes: 3, gate: middle)
        })
      let client = try RawClient(server)
      client.get("/a", ["Connection: close"])

      head.open()
      let first = client.hear(until: "012")
      middle.open()
      let rest = client.hear()

      #expect(first.hasSuffix("\r\n\r\n012"))
      #expect(rest == "3456789")
    }
  }

  @Test("A reply with a pace sends its body at that rate")
  func pace() async throws {
    try await withServer { server in
      server.serve(
        "/a", .bytes(Self.body).with { $0.pace = Reply.Pace(bytesPerSecond: 100, pieceByteCount: 5) })

      var answer = ""
      let took = try ContinuousClock().measure { answer = try RawClient.ask(server, "/a") }

      #expect(answer.hasSuffix("789"))
      #expect(took >= .milliseconds(100))
    }
  }

  @Test("`RefusingPort` refuses connections, and `CrowdedPort` never accepts them")
  func ports() throws {
    let (refusing, crowded) = (try RefusingPort(), try CrowdedPort())
    let alarm = try Alarm()

    let refused = try Socket.connecting(to: refusing.port).wait(toWrite: true, alarm: alarm)
    let waiting = try Socket.connecting(to: crowded.port)
      .wait(toWrite: true, alarm: alarm, timeout: .milliseconds(50))

    #expect(refused == .hungUp)
    #expect(waiting == .timedOut)
  }
}
