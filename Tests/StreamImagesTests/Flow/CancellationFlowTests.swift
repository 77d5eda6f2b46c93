import Foundation
import LoopbackServer
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImagePipeline`: cancellation", .timeLimit(.minutes(20)))
struct CancellationFlowTests {
  /// Waits until nothing is under way.
  private func becomesIdle(_ pipeline: ImagePipeline) async -> Bool {
    while !pipeline.isIdle {
      if Task.isCancelled { return false }
      await Task.yield()
    }
    return true
  }

  private func checkNothingIsLeft(_ workshop: Workshop, _ pipeline: ImagePipeline, _ request: ImageRequest)
    async
  {
    #expect(await becomesIdle(pipeline))
    await pipeline.flush()
    #expect(workshop.cachedFiles == [])
    #expect(pipeline.configuration.imageCache?[ImageCacheKey(request)] == nil)
  }

  @Test("A request cancelled while it waits to load is never sent")
  func waiting() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline { $0.loadingWidth = 1 }
      workshop.server.serve("/slow", .failing(.silence))
      let slow = pipeline.imagePublisher(with: workshop.server.url("/slow")).record()
      _ = await workshop.server.waitForRequest("/slow")
      let request = ImageRequest(url: workshop.server.url("/a"))
      let recorder = pipeline.imagePublisher(with: request).record()
      while pipeline.loadingCounts.waiting == 0 { await Task.yield() }

      recorder.cancel()
      slow.cancel()

      await checkNothingIsLeft(workshop, pipeline, request)
      #expect(workshop.loads(of: "/a") == 0)
      #expect(recorder.events.count == 1)
    }
  }

  @Test("Cancelling before or during the response closes the connection", arguments: [0, 100])
  func loading(_ byteCount: Int) async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      let gate = try Gate()
      let bytes = try Pictures.jpeg()
      workshop.server.serve(
        "/a",
        .bytes(bytes).with {
          if byteCount == 0 { $0.gate = gate } else { $0.bodyGate = (afterBytes: byteCount, gate: gate) }
        })
      let request = ImageRequest(url: workshop.server.url("/a"))
      let recorder = pipeline.imagePublisher(with: request).record()
      _ = await workshop.server.waitForRequest("/a")

      recorder.cancel()

      #expect(await workshop.server.waitForDeparture(from: "/a"))
      await checkNothingIsLeft(workshop, pipeline, request)
      #expect(recorder.events.count == 1)
    }
  }

  @Test("Cancelling stops decoding or processing, and nothing is stored", arguments: ["decode", "process"])
  func computing(_ stage: String) async throws {
    try await withWorkshop { workshop in
      let entered = Latch()
      let wait: @Sendable (@Sendable () -> Bool) throws -> Void = { isCancelled in
        entered.open()
        while !isCancelled() { sched_yield() }
        throw CancellationError()
      }
      let decoder = ScriptedDecoder { if stage == "decode" { try wait($0.isCancelled) } }
      let processor = ScriptedProcessor("a") { if stage == "process" { try wait($0.isCancelled) } }
      let pipeline = workshop.pipeline { $0.decoders = [decoder] }
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
      let request = ImageRequest(url: workshop.server.url("/a"), processors: [processor])
      let recorder = pipeline.imagePublisher(with: request).record()
      await entered.wait()

      recorder.cancel()

      await checkNothingIsLeft(workshop, pipeline, request)
      #expect(recorder.events.count == 1)
    }
  }

  @Test("A request cancelled while it waits to be decoded is never decoded")
  func waitingForDecoder() async throws {
    try await withWorkshop { workshop in
      let (entered, end) = (Latch(), DispatchSemaphore(value: 0))
      let decoder = ScriptedDecoder { _ in
        entered.open()
        end.wait()
      }
      let pipeline = workshop.pipeline {
        $0.decoders = [decoder]
        $0.decodingWidth = 1
      }
      workshop.server.serve("*", .bytes(try Pictures.jpeg()))
      let first = pipeline.imagePublisher(with: workshop.server.url("/1")).record()
      await entered.wait()
      let second = pipeline.imagePublisher(with: workshop.server.url("/2")).record()
      while pipeline.decodingCounts.waiting == 0 { await Task.yield() }

      second.cancel()
      end.signal()

      #expect(await first.received(1).count == 1)
      #expect(await becomesIdle(pipeline))
      #expect(decoder.runs == 1)
      #expect(second.events.count == 1)
    }
  }

  @Test("Cancelling thousands of requests leaves nothing behind")
  func many() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      workshop.server.serve("*", .bytes(try Pictures.jpeg()))
      let lifetimes = Lifetimes()

      for index in 0..<2_000 {
        let recorder = pipeline.imagePublisher(with: workshop.server.url("/\(index % 50)")).record()
        _ = lifetimes.track(recorder, as: "\(index)")
        if index.isMultiple(of: 7) { await Task.yield() }
        recorder.cancel()
        recorder.forget()
      }

      #expect(await becomesIdle(pipeline))
      await pipeline.flush()
      #expect(lifetimes.living == [])
    }
  }

  @Test("Invalidating the pipeline fails all current and later requests")
  func invalidation() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
      workshop.server.serve("/slow", .failing(.silence))
      _ = try await pipeline.image(for: workshop.server.url("/a"))
      let running = [
        pipeline.imagePublisher(with: workshop.server.url("/slow")).record(),
        pipeline.imagePublisher(
          with: ImageRequest(url: workshop.server.url("/slow"), processors: [.resize(width: 1)])
        )
        .record(),
      ]
      let data = pipeline.dataPublisher(with: workshop.server.url("/slow")).record()
      _ = await workshop.server.waitForRequest("/slow")

      pipeline.invalidate()
      let late = pipeline.imagePublisher(with: workshop.server.url("/a")).record()

      for recorder in running + [late] {
        guard case .failure(.pipelineInvalidated)? = await recorder.ended() else {
          return unexpected(recorder.events)
        }
      }
      guard case .failure(.pipelineInvalidated)? = await data.ended() else { return unexpected(data.events) }
      #expect(await workshop.server.waitForDeparture(from: "/slow"))
      #expect(await becomesIdle(pipeline))
    }
  }
}
