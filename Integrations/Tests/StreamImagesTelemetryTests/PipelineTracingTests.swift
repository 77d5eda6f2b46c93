import InMemoryTracing
import StreamImages
import StreamImagesTelemetry
import StreamImagesTesting
import Testing
import Tracing

@Suite("The spans of a pipeline")
struct PipelineTracingTests {
  private let bench = TelemetryBench()
  private let tracer = InMemoryTracer()

  @Test(
    "Load, decode, process, encode and store are spans below the caller's, and the origin receives the context"
  )
  func spans() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 8))
    let pipeline = bench.pipeline {
      $0.delegate = PipelineTracing(tracer: tracer)
      $0.dataCachePolicy = .storeAll
    }
    let following = PipelineTracing(tracer: tracer).follow(pipeline)
    var request = ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")])
    request.encoding = .png

    try await tracer.withSpan("GET /thumb") { [request] _ in _ = try await pipeline.encodedImage(for: request)
    }
    await pipeline.flush()

    let spans = tracer.finishedSpans
    let parent = try #require(spans.first { $0.operationName == "GET /thumb" })
    let load = try #require(spans.first { $0.operationName == "image.load" })
    #expect(
      Set(spans.map(\.operationName)).isSuperset(of: [
        "image.disk", "image.load", "image.decode", "image.process", "image.encode", "image.store",
      ]))
    #expect(spans.allSatisfy { $0.spanID == parent.spanID || $0.parentSpanID == parent.spanID })
    #expect(tracer.activeSpans.isEmpty)
    #expect(load.kind == .client)
    #expect(load.attributes.get("server.address") == .string("images.example"))
    #expect(load.attributes.get("image.outcome") == .string("succeeded"))
    #expect(spans.allSatisfy { $0.startInstant.nanosecondsSinceEpoch <= $0.endInstant.nanosecondsSinceEpoch })
    let headers = try #require(bench.loader.requests.first).headers
    #expect(headers[InMemoryTracer.spanIDKey] == load.spanID)
    #expect(headers[InMemoryTracer.traceIDKey] == parent.traceID)
    withExtendedLifetime(following) {}
  }

  @Test("A failed load ends its span with the code of the error")
  func failure() async throws {
    bench.loader.fail(bench.url, with: .headTooLarge)
    let tracing = PipelineTracing(tracer: tracer)
    let pipeline = bench.pipeline { $0.delegate = tracing }
    let following = tracing.follow(pipeline)

    _ = try? await pipeline.image(for: bench.url)

    let load = try #require(tracer.finishedSpans.first { $0.operationName == "image.load" })
    #expect(load.attributes.get("error.type") == .string(DataLoadingError.headTooLarge.code))
    #expect(load.status?.code == .error)
    withExtendedLifetime(following) {}
  }

  @Test("Requests with different contexts share the image in the caches")
  func keys() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 8))
    let pipeline = bench.pipeline { $0.delegate = PipelineTracing(tracer: tracer) }

    for name in ["first", "second"] {
      try await tracer.withSpan(name) { _ in _ = try await pipeline.image(for: bench.url) }
    }

    #expect(bench.loader.requests.count == 1)
  }

  @Test("A load of a pipeline that is not followed has an ended span once its request is released")
  func notFollowed() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 8))
    do {
      let pipeline = bench.pipeline {
        $0.delegate = PipelineTracing(tracer: tracer)
        ($0.imageCache, $0.dataCache) = (nil, nil)
      }
      _ = try await pipeline.image(for: bench.url)
      await pipeline.flush()
    }

    while !tracer.activeSpans.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(tracer.finishedSpans.map(\.operationName) == ["image.load"])
  }
}
