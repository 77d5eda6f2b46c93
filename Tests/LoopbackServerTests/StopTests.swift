import Foundation
import LoopbackServer
import LoopbackSockets
import Testing

@Suite struct StopTests {
  @Test("Stopping the server is quick during any reply, and ends all waiting")
  func quick() async throws {
    let server = try LoopbackServer()
    server.serve("/silent", .failing(.silence))
    server.serve("/endless", .failing(.endless))
    server.serve("/slow", .bytes(Data(count: 10)).with { $0.delay = .seconds(3600) })
    let clients = try ["/silent", "/endless", "/slow"].map { path in
      let client = try RawClient(server)
      client.get(path)
      return client
    }
    for path in ["/silent", "/endless", "/slow"] {
      _ = await server.event { if case .requested(let request) = $0 { request.path == path } else { false } }
    }
    async let never = server.event { _ in false }

    let took = ContinuousClock().measure { server.stop() }

    #expect(took < .seconds(300))
    #expect(await never == nil)
    for client in clients { client.leave() }
    let outcomes = server.events.filter { if case .answered(_, .stopped, _) = $0 { true } else { false } }
    #expect(outcomes.count == 3)
  }

  @Test("A stopped server refuses connections and can be stopped again")
  func refuses() throws {
    let server = try LoopbackServer()

    server.stop()
    server.stop()

    let alarm = try Alarm()
    let client = try Socket.connecting(to: server.port)
    #expect(client.wait(toWrite: true, alarm: alarm) == .hungUp)
  }

  @Test("100 servers leave no descriptor open")
  func descriptors() async {
    // In a process of its own, where nobody else opens any.
    await #expect(processExitsWith: .success) {
      try StopTests.useServer()
      let before = try StopTests.descriptorCount()

      for _ in 0..<100 { try StopTests.useServer() }

      // Fewer than one for each server: the process itself may open some meanwhile.
      let after = try StopTests.descriptorCount()
      precondition(after < before + 50, "\(before) became \(after)")
    }
  }

  private static func useServer() throws {
    let server = try LoopbackServer()
    server.serve("/a", .bytes(Data(count: 10)))
    _ = try RawClient.ask(server, "/a")
    server.stop()
  }

  private static func descriptorCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  @Test("Connections beyond the maximum are closed")
  func bounded() async throws {
    let server = try LoopbackServer(maximumConnections: 1)
    defer { server.stop() }
    server.serve("/a", .failing(.silence))
    let first = try RawClient(server)
    first.get("/a")
    _ = await server.event { if case .requested = $0 { true } else { false } }

    let second = try RawClient(server)

    #expect(second.hear() == "")
    first.leave()
  }
}
