import Foundation
import LoopbackServer
import StreamImages
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`ImagePipeline`: priorities", .timeLimit(.minutes(20)))
struct PriorityFlowTests {
  /// Asks for pictures while the only place to load is taken, and tells in which order they were loaded.
  ///
  /// - Parameter isSettled: Whether all requests stand where they are to stand; looked at after each.
  private func order(
    _ workshop: Workshop, _ requests: [ImageRequest], _ isSettled: (ImagePipeline, Int) -> Bool
  ) async throws -> [String] {
    let pipeline = workshop.pipeline { $0.loadingWidth = 1 }
    let gate = try Gate()
    workshop.server.serve("/first", .bytes(try Pictures.png(1, 1)).with { $0.gate = gate })
    workshop.server.serve("*", .bytes(try Pictures.png(1, 1)))
    var recorders = [pipeline.imagePublisher(with: workshop.server.url("/first")).record()]
    _ = await workshop.server.waitForRequest("/first")

    for (index, request) in requests.enumerated() {
      recorders.append(pipeline.imagePublisher(with: request).record())
      while !isSettled(pipeline, index) { await Task.yield() }
    }
    gate.open()
    for recorder in recorders { #expect(await recorder.received(1).count == 1) }
    return workshop.server.requests.map(\.path)
  }

  @Test("Loads start by priority, and in order of arrival within a priority")
  func priorities() async throws {
    try await withWorkshop { workshop in
      let requests = [("/low", .low), ("/a", .normal), ("/b", .normal), ("/high", .veryHigh)].map {
        (path: String, priority: ImageRequest.Priority) in
        ImageRequest(url: workshop.server.url(path), priority: priority)
      }

      let order = try await order(workshop, requests) { $0.loadingCounts.waiting == $1 + 1 }

      #expect(order == ["/first", "/high", "/a", "/b", "/low"])
    }
  }

  @Test("A shared load has the highest priority of its requests")
  func shared() async throws {
    try await withWorkshop { workshop in
      let (a, b) = (workshop.server.url("/a"), workshop.server.url("/b"))

      let requests = [
        ImageRequest(url: a, priority: .low), ImageRequest(url: b, priority: .low),
        ImageRequest(url: b, processors: [ScriptedProcessor("x")], priority: .high),
      ]

      // The job is urgent a moment before its load has moved in the line: what counts is the line.
      let order = try await order(workshop, requests) { pipeline, index in
        let waiting = pipeline.waitingPriorities(of: .loading)
        return waiting.count == min(index + 1, 2) && (index < 2 || waiting.contains(.high))
      }

      #expect(order == ["/first", "/b", "/a"])
    }
  }

  @Test("A request that skips the queue loads while the queue is full")
  func skipping() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline { $0.loadingWidth = 1 }
      workshop.server.serve("/slow", .failing(.silence))
      workshop.server.serve("/a", .bytes(try Pictures.png(1, 1)))
      let slow = pipeline.imagePublisher(with: workshop.server.url("/slow")).record()
      _ = await workshop.server.waitForRequest("/slow")

      let request = ImageRequest(url: workshop.server.url("/a"), options: .skipDataLoadingQueue)
      #expect(try await pipeline.image(for: request).width == 1)

      slow.cancel()
    }
  }

  @Test("Loading pauses while too many bytes wait to be stored")
  func backlog() async throws {
    try await withWorkshop { workshop in
      let hold = Latch()
      let pipeline = workshop.pipeline {
        $0.storingByteBudget = 0
        $0.dataCache = ScriptedDataCache(error: .diskFull, latch: hold)
      }
      workshop.server.serve("*", .bytes(try Pictures.png(1, 1)))
      _ = try await pipeline.image(for: workshop.server.url("/a"))

      let second = pipeline.imagePublisher(with: workshop.server.url("/b")).record()
      while pipeline.loadingCounts.running == 0 { await Task.yield() }
      #expect(workshop.loads(of: "/b") == 0)
      hold.open()

      #expect(await second.received(1).count == 1)
      await pipeline.flush()
    }
  }

  @Test("Loading pauses while too many loaded bytes wait to be decoded")
  func loadedBytes() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline { $0.loadedByteBudget = 0 }
      workshop.server.serve("*", .bytes(try Pictures.png(1, 1)))
      pipeline.suspend(.decoding)
      let first = pipeline.imagePublisher(with: workshop.server.url("/a")).record()
      await until { pipeline.decodingCounts.waiting == 1 }

      let second = pipeline.imagePublisher(with: workshop.server.url("/b")).record()
      let third = pipeline.imagePublisher(with: workshop.server.url("/c")).record()
      await until { pipeline.loaded.waitingCount == 2 }
      third.cancel()
      await until { pipeline.loaded.waitingCount == 1 }
      #expect(workshop.loads(of: "/b") == 0)
      pipeline.resume(.decoding)

      #expect(await first.received(1).count == 1)
      #expect(await second.received(1).count == 1)
      await until { pipeline.loaded.byteCount == 0 }
      #expect(workshop.loads(of: "/c") == 0)
    }
  }
}
