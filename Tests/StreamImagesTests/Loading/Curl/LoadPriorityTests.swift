import Foundation
import LoopbackServer
import StreamImages
import StreamImagesTesting
import StreamsExtras
import Testing

@Suite("Load priority", .timeLimit(.minutes(20)))
struct LoadPriorityTests {
  @Test(
    "The priority is sent as a header unless it is the default",
    arguments: [
      (ImageRequest.Priority.veryLow, false, "u=6"), (.low, false, "u=5"), (.normal, false, nil),
      (.high, false, "u=1"), (.veryHigh, false, "u=0"), (.normal, true, "i"), (.high, true, "u=1, i"),
    ] as [(ImageRequest.Priority, Bool, String?)])
  func header(_ priority: ImageRequest.Priority, _ isIncremental: Bool, _ expected: String?) async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(Data([1])))
      var request = DataRequest(url: server.url("/a"))
      (request.priority, request.isIncremental) = (priority, isIncremental)

      _ = try await loader.data(for: request)

      #expect(server.requests.map { $0[header: "Priority"] } == [expected])
    }
  }

  @Test("An explicit Priority header is not replaced")
  func ownHeader() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(Data([1])))
      var request = DataRequest(url: server.url("/a"), headers: ["Priority": "u=2"])
      (request.priority, request.isIncremental) = (.high, true)

      _ = try await loader.data(for: request)

      #expect(server.requests.map { $0[header: "Priority"] } == ["u=2"])
    }
  }

  @Test(
    "A pipeline sends the request's priority, marked incremental if previews are enabled",
    arguments: [true, false])
  func pipeline(_ showsPreviews: Bool) async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.png(1, 1)))
      let pipeline = workshop.pipeline { $0.isProgressiveDecodingEnabled = showsPreviews }

      _ = try await pipeline.image(for: ImageRequest(url: workshop.server.url("/a"), priority: .high))

      #expect(workshop.server.requests.map { $0[header: "Priority"] } == [showsPreviews ? "u=1, i" : "u=1"])
    }
  }

  /// One place, which is taken, and loads that wait for it. One was urgent before it was queued. Then another becomes
  /// urgent, and the first does not matter any more.
  @Test("Changing the priority of a queued load moves it within the queue")
  func changed() async throws {
    try await withLoopback({ ($0.maximumConnectionsPerHost, $0.multiplexes) = (1, false) }) {
      server, loader in
      let gate = try Gate()
      server.serve("/first", .bytes(Data([1])).with { $0.gate = gate })
      server.serve("*", .bytes(Data([1])))
      let priorities = (0..<4).map { _ in DynamicPriority(.normal) } + [DynamicPriority(.veryHigh)]
      let first = Task { try await loader.data(for: DataRequest(url: server.url("/first"))) }
      _ = await server.waitForRequest("/first")

      // On the thread of the loader, tasks run one after the other: each has asked before the next one runs.
      var waiting: [Task<Void, any Error>] = []
      for (index, priority) in priorities.enumerated() {
        var request = DataRequest(url: server.url("/\(index)"))
        request.changingPriority = .init(priority)
        waiting.append(
          Task(executorPreference: loader.executor) { [request] in
            let loaded = try await loader.load(request)
            while try await loaded.body.next() != nil {}
          })
      }
      await Task(executorPreference: loader.executor) {}.value
      priorities[3].set(.high)
      priorities[0].set(.low)
      gate.open()

      for task in waiting { try await task.value }
      _ = try await first.value
      #expect(server.requests.map(\.path) == ["/first", "/4", "/3", "/1", "/2", "/0"])
      // A load that has begun does not follow its priority any more.
      #expect(priorities.allSatisfy { $0.counts.observers == 0 })
    }
  }

  @Test("Changing the priority of a task changes the priority of its load")
  func task() async throws {
    let bench = Bench()
    bench.loader.answer(bench.url, with: try Pictures.png(), onDemand: true)
    let task = bench.pipeline().loadImage(with: ImageRequest(url: bench.url, priority: .low)) { _ in }
    await bench.loader.waitForLoad(of: bench.url)
    let followed = try #require(bench.loader.requests.last?.changingPriority)

    #expect(followed.value.current == .low)
    task.priority = .veryHigh

    #expect(followed.value.current == .veryHigh)
    task.cancel()
  }

  @Test("Changing the priority of a task moves its load within the pipeline's own queue")
  func queuedTask() async throws {
    let bench = Bench()
    let urls = (0..<4).map { URL(string: "https://example.org/\($0)")! }
    for url in urls { bench.loader.answer(url, with: try Pictures.png(), onDemand: true) }
    let pipeline = bench.pipeline { $0.loadingWidth = 1 }
    var tasks: [ImageTask] = []
    for (index, url) in urls.enumerated() {
      tasks.append(pipeline.loadImage(with: ImageRequest(url: url, priority: .low)) { _ in })
      await until { bench.loader.requests.count == 1 && pipeline.counts(of: .loading).waiting == index }
    }

    tasks[3].priority = .veryHigh
    tasks[1].priority = .veryLow
    for index in urls.indices {
      await until { bench.loader.requests.count > index }
      bench.loader.sendRest(of: bench.loader.requests[index].url)
    }

    #expect(bench.loader.requests.map(\.url) == [0, 3, 2, 1].map { urls[$0] })
    for task in tasks { _ = try await task.image }
  }

  @Test("A changing priority does not affect the equality of requests")
  func equality() throws {
    let url = try #require(URL(string: "https://example.org/a"))
    let requests = [ImageRequest.Priority.low, .high].map { priority in
      var request = DataRequest(url: url)
      request.changingPriority = .init(DynamicPriority(priority))
      return request
    }

    #expect(Set(requests).count == 1)
  }
}
