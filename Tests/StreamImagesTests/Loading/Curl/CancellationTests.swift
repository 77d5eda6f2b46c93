import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite struct CancellationTests {
  @Test("Cancelling a task that waits for a response closes the socket at once")
  func beforeHead() async throws {
    try await withLoopback { server, loader in
      var quickest = Duration.seconds(60)
      for attempt in 1...50 where quickest >= .milliseconds(100) {
        let path = "/\(attempt)"
        server.serve(path, .failing(.silence))
        let task = Task {
          await failure { () throws(DataLoadingError) in
            try await loader.load(DataRequest(url: server.url(path)))
          }
        }
        _ = await server.waitForRequest(path)

        let took = await ContinuousClock().measure {
          task.cancel()
          #expect(await task.value == .cancelled)
          #expect(await server.waitForDeparture(from: path))
        }
        quickest = min(quickest, took)
      }

      // The machine may be busy, the loader must not be slow.
      #expect(quickest < .milliseconds(100))
    }
  }

  @Test("Cancelling a task that waits for bytes ends the body and closes the socket")
  func inBody() async throws {
    try await withLoopback { server, loader in
      let gate = try Gate()
      server.serve("/a", .bytes(pattern(100)).with { $0.bodyGate = (afterBytes: 10, gate: gate) })
      let body = try await loader.load(DataRequest(url: server.url("/a"))).body
      #expect(try await body.next()?.count == 10)

      let task = Task { await failure { () throws(DataLoadingError) in try await body.next() } }
      task.cancel()

      #expect(await task.value == .cancelled)
      #expect(await server.waitForDeparture(from: "/a"))
      #expect(await failure { () throws(DataLoadingError) in try await body.next() } == .cancelled)
    }
  }

  @Test("Cancelling a body drops its undelivered bytes")
  func ofBody() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .failing(.endless))
      let body = try await loader.load(DataRequest(url: server.url("/a"))).body
      #expect(try await body.next() != nil)

      body.cancel()
      body.cancel()

      #expect(await failure { () throws(DataLoadingError) in try await body.next() } == .cancelled)
      #expect(await server.waitForDeparture(from: "/a"))
    }
  }

  @Test("Releasing a body cancels its load")
  func byRelease() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .failing(.endless))

      do {
        let loaded = try await loader.load(DataRequest(url: server.url("/a")))
        #expect(try await loaded.body.next() != nil)
      }

      #expect(await server.waitForDeparture(from: "/a"))
    }
  }

  @Test("Cancelling a finished body has no effect")
  func afterEnd() async throws {
    try await withLoopback { server, loader in
      server.serve("*", .bytes(pattern(10)))
      let loaded = try await loader.load(DataRequest(url: server.url("/a")))
      _ = try await loaded.collect()

      loaded.body.cancel()

      #expect(try await loaded.body.next() == nil)
      _ = try await loader.load(DataRequest(url: server.url("/b"))).collect()
      #expect(server.connectionCount == 1)
    }
  }

  @Test("A load cancelled in the queue is never sent")
  func inLine() async throws {
    try await withLoopback {
      $0.maximumConnectionsPerHost = 1
    } _: { server, loader in
      let gate = try Gate()
      server.serve("/first", .bytes(Data()).with { $0.gate = gate })
      let first = Task { try await loader.data(for: DataRequest(url: server.url("/first"))) }
      _ = await server.waitForRequest("/first")

      let second = Task {
        await failure { () throws(DataLoadingError) in
          try await loader.data(for: DataRequest(url: server.url("/second")))
        }
      }
      second.cancel()
      #expect(await second.value == .cancelled)
      gate.open()
      _ = try await first.value
      _ = try await loader.data(for: DataRequest(url: server.url("/first")))

      #expect(server.requests.map(\.path) == ["/first", "/first"])
    }
  }

  @Test("Cancelling during a host name lookup does not delay other loads")
  func whileResolving() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(pattern(10)))
      let lookups = (0..<20).map { number in
        Task {
          await failure { () throws(DataLoadingError) in
            try await loader.load(DataRequest(url: URL(string: "http://nowhere-\(number).invalid/")!))
          }
        }
      }

      for lookup in lookups { lookup.cancel() }
      let body = try await loader.load(DataRequest(url: server.url("/a"))).collect()

      #expect(body == pattern(10))
      for lookup in lookups { #expect(await lookup.value != nil) }
    }
  }
}
