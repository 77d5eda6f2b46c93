import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite(.inRealTime) struct ShutdownTests {
  @Test("Invalidating a loader fails current and later loads and closes the sockets")
  func invalidate() async throws {
    try await withLoopback {
      $0.maximumConnectionsPerHost = 1
    } _: { server, loader in
      server.serve("/silent", .failing(.silence))
      let tasks = (0..<3).map { _ in
        Task {
          await failure { () throws(DataLoadingError) in
            try await loader.load(DataRequest(url: server.url("/silent")))
          }
        }
      }
      _ = await server.waitForRequest("/silent")

      loader.invalidate()
      let connected = try Descriptors.count(connectedTo: server.port)

      #expect(connected == 0)
      for task in tasks { #expect(await task.value == .invalidated) }
      let late = await failure { () throws(DataLoadingError) in
        try await loader.load(DataRequest(url: server.url("/silent")))
      }
      #expect(late == .invalidated)
    }
  }

  @Test("A body retains its loader, and releasing both closes the sockets")
  func lifetime() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/a", .bytes(pattern(100_000)))
    var configuration = CurlLoader.Configuration()
    configuration.proxy = .none

    var loaded: LoadedData? = try await CurlLoader(configuration).load(DataRequest(url: server.url("/a")))
    let body = try await loaded?.collect()
    let whileHeld = try Descriptors.count(connectedTo: server.port)
    loaded = nil
    let afterwards = try Descriptors.count(connectedTo: server.port)

    #expect(body == pattern(100_000))
    #expect(whileHeld == 1)
    #expect(afterwards == 0)
  }

  @Test("Idle connections are closed after their lifetime")
  func idleConnections() async throws {
    try await withLoopback {
      $0.idleConnectionLifetime = .milliseconds(100)
    } _: { server, loader in
      server.serve("*", .bytes(pattern(10)))
      _ = try await loader.data(for: DataRequest(url: server.url("/a")))

      let closed = await server.event { if case .closed(1, .client) = $0 { true } else { false } }

      #expect(closed != nil)
      #expect(try await loader.data(for: DataRequest(url: server.url("/b"))).body == pattern(10))
    }
  }

  @Test("100 loaders that load, fail and cancel leave no descriptor open")
  func descriptors() async {
    // In a process of its own, where nobody else opens any.
    await #expect(processExitsWith: .success) {
      try await ShutdownTests.useLoaders(1)
      let before = Descriptors.count

      try await ShutdownTests.useLoaders(100)

      // Fewer than one for each loader: the process itself may open some meanwhile.
      let after = Descriptors.count
      precondition(after < before + 50, "\(before) became \(after)")
    }
  }

  private static func useLoaders(_ count: Int) async throws {
    let server = try LoopbackServer()
    server.serve("/a", .bytes(pattern(1000)))
    server.serve("/broken", .failing(.close(afterBodyBytes: 10)))
    server.serve("/endless", .failing(.endless))
    for _ in 0..<count { try await useLoader(of: server) }
    server.stop()
  }

  private static func useLoader(of server: LoopbackServer) async throws {
    var configuration = CurlLoader.Configuration()
    configuration.proxy = .none
    let loader = CurlLoader(configuration)
    _ = try await loader.data(for: DataRequest(url: server.url("/a")))
    _ = await failure { () throws(DataLoadingError) in
      try await loader.data(for: DataRequest(url: server.url("/broken")))
    }
    _ = try await loader.load(DataRequest(url: server.url("/endless"))).body.next()
  }
}
