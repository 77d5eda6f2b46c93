import Foundation
import InMemoryLogging
import Logging
import StreamImages
import StreamImagesTelemetry
import StreamImagesTesting
import Testing

@Suite("The log of a pipeline", .timeLimit(.minutes(2)))
struct PipelineLoggingTests {
  private let bench = TelemetryBench()
  private let handler = InMemoryLogHandler()

  private func pipeline(_ level: Logger.Level, next: (any ImagePipelineDelegate)? = nil) -> ImagePipeline {
    let handler = handler
    var logger = Logger(label: "test") { _ in handler }
    logger.logLevel = level
    return bench.pipeline { $0.delegate = PipelineLogging(logger, next: next) }
  }

  /// A delegate receives the end of a task, while the caller goes on.
  private func entries(_ count: Int) async -> [InMemoryLogHandler.Entry] {
    while handler.entries.count < count, !Task.isCancelled { await Task.yield() }
    return handler.entries
  }

  @Test("A failed image is logged once, with its code, host, size and time, and without its URL")
  func failure() async throws {
    bench.loader.answer(bench.url, with: Data("no image".utf8))

    _ = try? await pipeline(.info).image(for: bench.url)

    let entries = await entries(1)
    let entry = try #require(entries.first)
    #expect(entries.count == 1)
    #expect(entry.level == .warning)
    #expect(entry.message == "image failed")
    #expect(entry.metadata["error.type"] == "pipeline.not-an-image.text")
    #expect(entry.metadata["server.address"] == "images.example")
    #expect(entry.metadata["image.received_bytes"] == "8")
    #expect(entry.metadata["image.duration_ms"].flatMap { Int("\($0)") } != nil)
    #expect(entry.metadata["url.full"] == nil)
    #expect(!"\(entry)".contains("secret"))
  }

  @Test("A failed encoding is logged too")
  func encoded() async {
    bench.loader.fail(bench.url, with: .headTooLarge)
    var request = ImageRequest(url: bench.url)
    request.encoding = .png

    _ = try? await pipeline(.info).encodedImage(for: request)

    #expect(await entries(1).map { "\($0.metadata["error.type"]!)" } == [DataLoadingError.headTooLarge.code])
  }

  @Test(
    "At debug level, the URL is logged without user, password and query, and so are images that were loaded")
  func debug() async throws {
    let other = URL(string: "https://images.example/b.png")!
    bench.loader.fail(bench.url, with: .headTooLarge)
    bench.loader.answer(other, with: try Pictures.png(4, 4))
    let pipeline = pipeline(.debug)

    _ = try? await pipeline.image(for: bench.url)
    _ = await entries(1)
    _ = try await pipeline.image(for: other)

    let entries = await entries(2)
    #expect(entries.map { "\($0.message)" } == ["image failed", "image loaded"])
    #expect(entries[0].metadata["url.full"] == "https://images.example/a.png?…")
    #expect(entries[1].metadata["image.origin"] == "network")
  }

  @Test("A request that its caller cancels is not logged")
  func cancellation() async {
    bench.loader.hold(bench.url)
    let task = pipeline(.info).imageTask(with: bench.url)
    await bench.loader.waitForLoad(of: bench.url)

    task.cancel()

    // The delegate is called inside `cancel()`.
    #expect(handler.entries.isEmpty)
  }

  @Test("A delegate behind it receives every call")
  func forwarding() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(4, 4))
    let behind = RecordingDelegate()

    _ = try await pipeline(.info, next: behind).image(for: bench.url)

    while behind.lines.last != "finished", !Task.isCancelled { await Task.yield() }
    #expect(behind.lines.prefix(2) == ["created", "started"])
  }
}
