import Foundation
import StreamImages
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`ImagePipeline`: traces", .timeLimit(.minutes(20)))
struct TraceTests {
  private let bench = Bench()

  @Test("The stages of a pipeline are slices of a trace for Perfetto, beside the signals of streams")
  func stages() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    let parts = Guarded<[String]>([])
    let trace = PerfettoTrace { part in parts.withLock { $0.append(part) } }
    trace.enable()
    let stages = pipeline.stageEvents.record()
    let steps = pipeline.stageEvents.sink { event in
      trace.addSlice(
        "\(event.stage)", track: "images", start: event.start, duration: event.duration,
        details: ["outcome": "\(event.outcome)"])
    }

    let widths = pipeline.imagePublisher(with: bench.url).map(\.image.width).record()
    #expect(try await widths.elements() == [8])
    await until { stages.values.count >= 3 }
    steps.cancel()
    stages.cancel()
    trace.finish()

    let text = parts.withLock { $0.joined() }
    let events = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    let slices = events.filter { $0["pid"] as? Int == 2 && $0["ph"] as? String == "X" }
    let names = Set(slices.compactMap { $0["name"] as? String })
    let tracks = events.filter { $0["pid"] as? Int == 1 && $0["ph"] as? String == "B" }
    #expect(names.isSuperset(of: ["disk", "load", "decode"]))
    #expect(slices.allSatisfy { ($0["dur"] as? Double ?? -1) >= 0 })
    #expect(tracks.contains { ($0["name"] as? String)?.contains("Map") == true })
  }
}
