import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImagePrefetcher`: order of work", .timeLimit(.minutes(20)))
struct PrefetchScheduleTests {
  private let bench = Bench()
  private let urls = (0..<6).map { URL(string: "https://example.org/\($0).png")! }

  init() throws { try bench.answerWithImages(urls) }

  /// Does something while a task begins.
  private final class Beginning: ImagePipelineDelegate {
    private let action = Guarded<(@Sendable () -> Void)?>(nil)

    func onBegin(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }
    func taskDidStart(_ task: ImageTask) { action.withLock { $0.take() }?() }
  }

  @Test("A prefetcher of no width loads one image at a time", arguments: [-1, 0, 1])
  func width(_ width: Int) async {
    for url in urls { bench.loader.hold(url) }
    let pipeline = bench.pipeline()
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maximumConcurrentRequests: width)

    prefetcher.start(with: urls)

    #expect(pipeline.images.count == 1 && prefetcher.count == 6)
    prefetcher.stopAll()
    await until { pipeline.isIdle }
  }

  @Test("Nothing is left of requests that are stopped while the prefetcher is paused")
  func paused() async {
    let pipeline = bench.pipeline()
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    prefetcher.isPaused = true
    for _ in 0..<100 {
      prefetcher.start(with: urls)
      prefetcher.stop(with: urls.dropLast().map { $0 })
    }
    #expect(prefetcher.waitingCount == 1 && prefetcher.count == 1 && pipeline.images.count == 0)

    prefetcher.isPaused = false
    prefetcher.start(with: urls)

    await until { prefetcher.count == 0 }
    #expect(prefetcher.waitingCount == 0 && urls.allSatisfy { bench.loader.loads(of: $0) == 1 })
    await pipeline.flush()
  }

  @Test("Each change of the priority reaches all prefetching requests in flight, and those that follow")
  func priorities() async throws {
    for url in urls { bench.loader.hold(url) }
    let pipeline = bench.pipeline()
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maximumConcurrentRequests: 3)
    prefetcher.start(with: urls)
    for priority in [.high, .veryLow, .normal, .veryHigh] as [ImageRequest.Priority] {
      prefetcher.priority = priority
      #expect(prefetcher.priority == priority)
      #expect(try pipeline.priorities(of: urls) == [priority, priority, priority, nil, nil, nil])
    }

    prefetcher.stop(with: [urls[1]])

    #expect(try pipeline.priorities(of: urls) == [.veryHigh, nil, .veryHigh, .veryHigh, nil, nil])
    prefetcher.stopAll()
    await until { pipeline.isIdle }
  }

  @Test("Stopping waiting requests makes no room, and stopping those in flight makes as much as they had")
  func room() async {
    for url in urls { bench.loader.hold(url) }
    let pipeline = bench.pipeline()
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    let reports = prefetcher.reports.record()
    prefetcher.start(with: urls)
    for url in urls[0...1] { await bench.loader.waitForLoad(of: url) }

    prefetcher.stop(with: [urls[2]])
    #expect(pipeline.images.count == 2 && prefetcher.count == 5)
    prefetcher.stop(with: Array(urls[0...1]))
    #expect(pipeline.images.count == 2 && prefetcher.count == 3)
    for url in urls[3...4] { await bench.loader.waitForLoad(of: url) }
    await until { urls[0...1].allSatisfy { bench.loader.departures(from: $0) == 1 } }
    #expect(urls.map { bench.loader.departures(from: $0) } == [1, 1, 0, 0, 0, 0])
    prefetcher.stopAll()
    #expect(prefetcher.count == 0)
    await until { pipeline.isIdle && bench.loader.departures(from: urls[4]) == 1 }

    prefetcher.start(with: urls)
    #expect(pipeline.images.count == 2 && prefetcher.count == 6)
    prefetcher.stopAll()
    await until { pipeline.isIdle }
    #expect(reports.values.isEmpty)
    reports.cancel()
  }

  @Test("A request that is stopped and started again while it waits is loaded once")
  func restarted() async {
    let pipeline = bench.pipeline()
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maximumConcurrentRequests: 3)
    let (reports, done) = (prefetcher.reports.record(), prefetcher.completions.record())
    prefetcher.isPaused = true
    for _ in 0..<3 {
      prefetcher.start(with: Array(urls[0...1]))
      prefetcher.stop(with: Array(urls[0...1]))
    }
    prefetcher.start(with: Array(urls[0...1]))
    #expect(prefetcher.count == 2)

    prefetcher.isPaused = false
    _ = await done.received(1)
    #expect(!prefetcher.isPaused && reports.values.map(\.name) == ["loaded", "loaded"])
    // There is as much room as before.
    for url in urls[2...4] { bench.loader.hold(url) }
    prefetcher.start(with: Array(urls[2...4]))
    #expect(pipeline.images.count == 3)
    prefetcher.stopAll()
    await until { pipeline.isIdle }
    #expect(done.values.count == 1)
    reports.cancel()
    done.cancel()
  }

  @Test("A request that is stopped while it begins is cancelled")
  func stoppedAtBegin() async {
    bench.loader.hold(urls[0])
    let delegate = Beginning()
    let pipeline = bench.pipeline { $0.delegate = delegate }
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maximumConcurrentRequests: 1)
    delegate.onBegin { [urls] in prefetcher.stop(with: [urls[0]]) }

    prefetcher.start(with: [urls[0]])

    #expect(prefetcher.count == 0)
    await until { pipeline.isIdle }
  }

  /// Uses a prefetcher when it is released.
  private final class Guest: Sendable {
    let prefetcher: ImagePrefetcher
    let counts: Shared<[Int]>

    init(_ prefetcher: ImagePrefetcher, _ counts: Shared<[Int]>) {
      (self.prefetcher, self.counts) = (prefetcher, counts)
    }

    deinit {
      let count = prefetcher.count
      counts.change { $0.append(count) }
    }

    func request(_ id: String) -> ImageRequest {
      ImageRequest(
        id: id, image: { [self] in try withExtendedLifetime(self) { try Pictures.gradient(8, 4) } })
    }
  }

  @Test("A stopped request is released at once, and may use the prefetcher then")
  func released() {
    let (prefetcher, counts) = (ImagePrefetcher(pipeline: bench.pipeline()), Shared<[Int]>([]))
    prefetcher.isPaused = true

    prefetcher.start(with: [Guest(prefetcher, counts).request("a")])
    prefetcher.stop(with: [ImageRequest(id: "a", image: { throw ImageCodecError.truncated })])
    #expect(counts.value == [0])

    prefetcher.start(with: [Guest(prefetcher, counts).request("b")])
    prefetcher.stopAll()
    #expect(counts.value == [0, 0])
  }

  @Test("A prefetching batch without requests, or that is stopped, does not complete")
  func noCompletion() async {
    let pipeline = bench.pipeline()
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    let (reports, done) = (prefetcher.reports.record(), prefetcher.completions.record())

    prefetcher.start(with: [URL]())
    #expect(done.values.isEmpty)
    prefetcher.start(with: [ImageRequest(url: nil)])
    #expect(reports.values.map(\.name) == ["failed"] && done.values.count == 1)
    prefetcher.start(with: [URL]())
    #expect(done.values.count == 1)
    bench.loader.hold(urls[0])
    prefetcher.start(with: [urls[0]])
    prefetcher.stop(with: [urls[0]])
    prefetcher.start(with: [URL]())

    #expect(reports.values.count == 1 && done.values.count == 1)
    await until { pipeline.isIdle }
    reports.cancel()
    done.cancel()
  }

  @Test("A request that is started from the last report postpones the completion")
  func postponed() async {
    let prefetcher = ImagePrefetcher(pipeline: bench.pipeline())
    let lines = Journal()
    let reports = prefetcher.reports.sink { [urls] report in
      lines.note("report")
      if report.request.url == urls[0] { prefetcher.start(with: [urls[1]]) }
    }
    let completions = prefetcher.completions.sink { lines.note("completion") }

    prefetcher.start(with: [urls[0]])
    await until { lines.lines.count == 3 }

    #expect(lines.lines == ["report", "report", "completion"])
    reports.cancel()
    completions.cancel()
  }

  @Test("A batch completes once if its request ends while the rest of the batch is examined")
  func endsMeanwhile() async throws {
    for isNew in [true, false] {
      let pipeline = bench.pipeline()
      pipeline.cache[ImageRequest(url: urls[1])] = DecodedImage(try Pictures.gradient(2, 1))
      let prefetcher = ImagePrefetcher(pipeline: pipeline)
      let (lines, picture) = (Journal(), DecodedImage(try Pictures.gradient(3, 1)))
      let reports = prefetcher.reports.sink { [urls] report in
        lines.note(report.name)
        guard report.request.url == urls[1] else { return }
        // The first one is found in memory as soon as it begins.
        pipeline.cache[ImageRequest(url: urls[0])] = picture
        prefetcher.isPaused = false
      }
      let completions = prefetcher.completions.sink { lines.note("completion") }
      prefetcher.isPaused = true
      if !isNew { prefetcher.start(with: [urls[0]]) }

      prefetcher.start(with: Array(urls[0...1]))

      await until { lines.lines.count >= 3 }
      // A batch without a new request has a completion of its own.
      #expect(lines.lines == ["skipped", "skipped", "completion"] + (isNew ? [] : ["completion"]))
      reports.cancel()
      completions.cancel()
      bench.memory.removeAll()
    }
  }

  @Test("A prefetcher whose requests end at once needs no stack for each of them")
  func deep() async {
    await #expect(processExitsWith: .success) {
      let pipeline = Bench().pipeline()
      pipeline.invalidate()
      let prefetcher = ImagePrefetcher(pipeline: pipeline)

      prefetcher.start(with: (0..<100_000).map { URL(string: "https://example.org/\($0).png")! })

      #expect(prefetcher.count == 0)
    }
  }
}
