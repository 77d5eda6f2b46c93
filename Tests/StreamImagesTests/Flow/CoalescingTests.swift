import Foundation
import LoopbackServer
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImagePipeline`: coalescing", .timeLimit(.minutes(20)))
struct CoalescingTests {
  /// Serves a picture that comes when the returned gate is opened.
  private func serve(_ path: String, _ workshop: Workshop) throws -> Gate {
    let gate = try Gate()
    workshop.server.serve(path, .bytes(try Pictures.jpeg(64, 48)).with { $0.gate = gate })
    return gate
  }

  @Test("Concurrent requests for one image share its load, decoding and processing")
  func sharing() async throws {
    try await withWorkshop { workshop in
      let (decoder, processor) = (ScriptedDecoder(), ScriptedProcessor("a"))
      let pipeline = workshop.pipeline { $0.decoders = [decoder] }
      let gate = try serve("/a", workshop)
      let request = ImageRequest(url: workshop.server.url("/a"), processors: [processor])

      let recorders = (0..<10).map { _ in pipeline.imagePublisher(with: request).record() }
      _ = await workshop.server.waitForRequest("/a")
      gate.open()

      for recorder in recorders { #expect(await recorder.received(1).count == 1) }
      #expect(workshop.loads(of: "/a") == 1)
      #expect(decoder.runs == 1)
      #expect(processor.runs == 1)
      await pipeline.flush()
      #expect(workshop.cachedFiles.count == 1)
    }
  }

  @Test("Requests share their common first processors")
  func sharedPrefix() async throws {
    try await withWorkshop { workshop in
      let (first, second, third) = (ScriptedProcessor("1"), ScriptedProcessor("2"), ScriptedProcessor("3"))
      let decoder = ScriptedDecoder()
      let pipeline = workshop.pipeline { $0.decoders = [decoder] }
      let gate = try serve("/a", workshop)
      let url = workshop.server.url("/a")

      let recorders = [[first], [first, second], [first, third], [first, second, third]].map {
        pipeline.imagePublisher(with: ImageRequest(url: url, processors: $0)).record()
      }
      _ = await workshop.server.waitForRequest("/a")
      gate.open()

      for recorder in recorders { #expect(await recorder.received(1).count == 1) }
      #expect(decoder.runs == 1)
      #expect(first.runs == 1)
      #expect(second.runs == 1)
      #expect(third.runs == 2)
    }
  }

  @Test("Image and data requests for one URL share its load")
  func sharedBytes() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      let gate = try serve("/a", workshop)
      let url = workshop.server.url("/a")

      let picture = pipeline.imagePublisher(with: ImageRequest(url: url, processors: [.resize(width: 8)]))
        .record()
      let data = pipeline.dataPublisher(with: url).record()
      _ = await workshop.server.waitForRequest("/a")
      gate.open()

      #expect(await picture.received(1).first?.image.width == 8)
      #expect(await data.received(1).count == 1)
      #expect(workshop.loads(of: "/a") == 1)
    }
  }

  @Test("Requests with different credentials do not share a response")
  func credentials() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      let (small, large) = (try Pictures.png(1, 1), try Pictures.png(2, 2))
      workshop.server.serve("/a") { .bytes($0[header: "Authorization"] == "ann" ? small : large) }
      let url = workshop.server.url("/a")
      func request(_ user: String) -> ImageRequest {
        ImageRequest(DataRequest(url: url, headers: ["Authorization": user]))
      }

      async let ann = pipeline.image(for: request("ann"))
      async let ben = pipeline.image(for: request("ben"))
      #expect(try await ann.width == 1)
      #expect(try await ben.width == 2)

      #expect(try await pipeline.response(for: request("ann")).image.width == 1)
      await pipeline.flush()
      #expect(try await workshop.pipeline().response(for: request("ben")).image.width == 2)
      #expect(workshop.loads(of: "/a") == 2)
    }
  }

  @Test("Cancelling one request does not cancel the shared load")
  func oneLeaves() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      let gate = try serve("/a", workshop)
      let publisher = pipeline.imagePublisher(with: workshop.server.url("/a"))

      let recorders = [publisher.record(), publisher.record()]
      _ = await workshop.server.waitForRequest("/a")
      recorders[0].cancel()
      gate.open()

      #expect(await recorders[1].received(1).count == 1)
      #expect(recorders[0].values.isEmpty)
      #expect(workshop.loads(of: "/a") == 1)
    }
  }

  @Test("A shared image is stored if at least one request allows it")
  func oneStores() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      let gate = try serve("/a", workshop)
      let url = workshop.server.url("/a")

      let recorders = [
        ImageRequest(url: url, options: [.disableDiskCacheWrites, .disableMemoryCacheWrites]),
        ImageRequest(url: url),
      ]
      .map { pipeline.imagePublisher(with: $0).record() }
      _ = await workshop.server.waitForRequest("/a")
      gate.open()
      for recorder in recorders { #expect(await recorder.received(1).count == 1) }
      await pipeline.flush()

      #expect(workshop.loads(of: "/a") == 1)
      #expect(workshop.cachedFiles.count == 1)
      #expect(try await pipeline.response(for: url).cacheSource == .memory)
    }
  }
}
