import Foundation
import StreamImages
import Streams
import StreamsTesting
import Testing

@Suite("ImagePrefetcher", .timeLimit(.minutes(20)))
struct ImagePrefetcherTests {
  private let bench = Bench()
  private let urls = (0..<6).map { URL(string: "https://example.org/\($0).png")! }

  init() throws {
    for url in urls { bench.loader.answer(url, with: try Pictures.png(8, 4)) }
  }

  private func name(_ report: ImagePrefetcher.Report) -> String {
    switch report.outcome {
    case .loaded: "loaded"
    case .skipped: "skipped"
    case .failed: "failed"
    }
  }

  @Test("A9.1: brings pictures into memory, so many at a time, with low priority")
  func memory() async throws {
    let loader = bench.loader
    for url in urls { loader.hold(url) }
    let pipeline = bench.pipeline()
    let prefetcher = ImagePrefetcher(pipeline: pipeline)

    prefetcher.start(with: urls.map { ImageRequest(url: $0, priority: .veryHigh) })
    await loader.waitForLoad(of: urls[0])
    await loader.waitForLoad(of: urls[1])

    #expect(prefetcher.count == 6 && pipeline.images.count == 2)
    let key = try #require(ImageJobKey(ImageRequest(url: urls[0])))
    #expect(pipeline.images.priority(of: key) == .low)
    prefetcher.priority = .high
    #expect(pipeline.images.priority(of: key) == .high)
    prefetcher.stopAll()
    await until { pipeline.isIdle }
    #expect(loader.requests.count == 2)
  }

  @Test("A9.1: starts a request with the priority that is set while it begins")
  func priorityMeanwhile() async throws {
    bench.loader.hold(urls[0])
    let delegate = Beginning()
    let pipeline = bench.pipeline { $0.delegate = delegate }
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    delegate.onBegin { prefetcher.priority = .high }

    prefetcher.start(with: [urls[0]])

    let key = try #require(ImageJobKey(ImageRequest(url: urls[0])))
    #expect(pipeline.images.priority(of: key) == .high)
    prefetcher.stopAll()
    await until { pipeline.isIdle }
  }

  /// Does something while a task begins.
  private final class Beginning: ImagePipelineDelegate {
    private let action = Guarded<(@Sendable () -> Void)?>(nil)

    func onBegin(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }
    func taskDidStart(_ task: ImageTask) { action.withLock { $0.take() }?() }
  }

  @Test("A9.1: brings bytes to the disk without decoding them, and does not read what is there")
  func disk() async throws {
    let pipeline = bench.pipeline()
    try await pipeline.cache.store(try Pictures.png(8, 4), for: ImageRequest(url: urls[0]))
    let prefetcher = ImagePrefetcher(pipeline: pipeline, destination: .diskCache)
    let (reports, done) = (prefetcher.reports.record(), prefetcher.completions.record())

    prefetcher.start(with: Array(urls[0...1]))
    _ = await done.received(1)
    await pipeline.flush()

    #expect(reports.values.map(name).sorted() == ["loaded", "skipped"])
    #expect(bench.decoder.runs == 0 && bench.memory.entries.isEmpty)
    #expect(bench.disk.entries.count == 2)
    #expect(bench.disk.reads == [try #require(DataCacheKey.original(ImageRequest(url: urls[1])))])
    reports.cancel()
    done.cancel()
  }

  @Test("A9.1: says that nothing is left after all reports, whichever threads they come from")
  func endComesLast() async throws {
    let pipeline = bench.pipeline()
    for url in urls { try await pipeline.cache.store(try Pictures.png(8, 4), for: ImageRequest(url: url)) }
    for _ in 0..<200 {
      let prefetcher = ImagePrefetcher(
        pipeline: pipeline, destination: .diskCache, maximumConcurrentRequests: urls.count)
      let (reports, done) = (prefetcher.reports.record(), prefetcher.completions.record())

      prefetcher.start(with: urls)
      _ = await done.received(1)

      #expect(reports.values.count == urls.count)
      reports.cancel()
      done.cancel()
    }
  }

  @Test("A9.2: leaves out what is in memory, unless it is a preview only, and what is being prefetched")
  func known() async throws {
    let pipeline = bench.pipeline()
    _ = try await pipeline.image(for: urls[0])
    pipeline.cache[ImageRequest(url: urls[1])] = DecodedImage(try Pictures.gradient(1, 1), isPreview: true)
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    let (reports, done) = (prefetcher.reports.record(), prefetcher.completions.record())
    prefetcher.isPaused = true
    #expect(prefetcher.isPaused)

    prefetcher.start(with: [URL]())
    prefetcher.start(with: [urls[0], urls[1], urls[1]])
    prefetcher.start(with: [urls[1]])
    #expect(prefetcher.count == 1)
    prefetcher.isPaused = false
    _ = await done.received(1)

    #expect(reports.values.map(name) == ["skipped", "loaded"])
    #expect(bench.loader.loads(of: urls[1]) == 1)
    reports.cancel()
    done.cancel()
  }

  @Test("A9.2: goes on with those behind what was stopped before it began")
  func behindStopped() async {
    bench.loader.hold(urls[0])
    let prefetcher = ImagePrefetcher(pipeline: bench.pipeline(), maximumConcurrentRequests: 1)
    let done = prefetcher.completions.record()
    prefetcher.start(with: Array(urls[0...3]))
    await bench.loader.waitForLoad(of: urls[0])

    prefetcher.stop(with: Array(urls[1...2]))
    prefetcher.stop(with: [urls[0]])
    for _ in 0..<100_000 where done.values.isEmpty { await Task.yield() }

    #expect(urls[1...3].map { bench.loader.loads(of: $0) } == [0, 0, 1])
    done.cancel()
  }

  @Test("A9.2: is stopped by one stop, however often it was started, and before it begins")
  func stopping() async {
    let pipeline = bench.pipeline()
    bench.loader.hold(urls[0])
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maximumConcurrentRequests: 1)
    let done = prefetcher.completions.record()
    prefetcher.start(with: [urls[0], urls[1]])
    prefetcher.start(with: [urls[0], urls[1]])
    await bench.loader.waitForLoad(of: urls[0])

    prefetcher.stop(with: [urls[0], urls[1]])

    #expect(prefetcher.count == 0)
    await until { pipeline.isIdle && bench.loader.departures(from: urls[0]) == 1 }
    #expect(bench.loader.loads(of: urls[1]) == 0)
    #expect(done.values.isEmpty)
    done.cancel()
  }

  @Test("A9.2: goes on with what waits behind a request that was stopped before it began")
  func stoppedInTheMiddle() async {
    let pipeline = bench.pipeline()
    bench.loader.hold(urls[0])
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maximumConcurrentRequests: 1)
    let done = prefetcher.completions.record()
    prefetcher.start(with: [urls[0], urls[1], urls[2]])
    await bench.loader.waitForLoad(of: urls[0])

    prefetcher.stop(with: [urls[1]])
    prefetcher.stop(with: [urls[0]])
    await bench.loader.waitForLoad(of: urls[2])
    _ = await done.received(1)

    #expect(bench.loader.loads(of: urls[1]) == 0)
    done.cancel()
  }

  @Test("A9.2: takes starts and stops in the order in which they are made")
  func order() async {
    let pipeline = bench.pipeline()
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    let done = prefetcher.completions.record()
    bench.loader.hold(urls[0])

    for _ in 0..<200 {
      prefetcher.start(with: [urls[0]])
      prefetcher.stop(with: [urls[0]])
    }
    #expect(prefetcher.count == 0)
    prefetcher.stop(with: [urls[1]])
    prefetcher.start(with: [urls[1]])
    _ = await done.received(1)

    #expect(bench.memory.entries[ImageCacheKey(ImageRequest(url: urls[1]))] != nil)
    done.cancel()
  }

  @Test("A9.2: says that nothing is left after the reports, even if another thread is still telling one")
  func lastWord() async throws {
    let pipeline = bench.pipeline()
    for url in urls[0...1] { _ = try await pipeline.image(for: url) }
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    let said = Journal()
    let reports = prefetcher.reports.sink { [urls] report in
      said.note("report")
      guard report.request.url == urls[0] else { return }
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        prefetcher.start(with: [urls[1]])
        isDone.signal()
      }
      isDone.wait()
    }
    let completions = prefetcher.completions.sink { said.note("completion") }

    prefetcher.start(with: [urls[0]])

    #expect(said.lines == ["report", "report", "completion", "completion"])
    reports.cancel()
    completions.cancel()
  }

  @Test("A9.2: stops everything when it goes")
  func going() async {
    let pipeline = bench.pipeline()
    bench.loader.hold(urls[0])
    var prefetcher: ImagePrefetcher? = ImagePrefetcher(pipeline: pipeline)
    let reports = prefetcher!.reports.record()
    prefetcher!.start(with: [urls[0]])
    await bench.loader.waitForLoad(of: urls[0])

    prefetcher = nil

    await until { pipeline.isIdle && bench.loader.departures(from: urls[0]) == 1 }
    #expect(prefetcher == nil && reports.values.isEmpty)
    #expect(await reports.ended() == .finished)
  }

  @Test("A9.3: begins nothing while it is paused, and goes on with what it has begun")
  func pausing() async {
    let pipeline = bench.pipeline()
    bench.loader.answer(urls[0], with: Data("none".utf8), onDemand: true)
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maximumConcurrentRequests: 1)
    let (reports, done) = (prefetcher.reports.record(), prefetcher.completions.record())
    prefetcher.start(with: [urls[0], urls[1]])
    await bench.loader.waitForLoad(of: urls[0])

    prefetcher.isPaused = true
    bench.loader.sendRest(of: urls[0])
    _ = await reports.received(1)
    #expect(bench.loader.loads(of: urls[1]) == 0 && prefetcher.count == 1)
    prefetcher.isPaused = false
    _ = await done.received(1)

    #expect(reports.values.map(name) == ["failed", "loaded"])
    reports.cancel()
    done.cancel()
  }

  @Test("A9.4: says each time that all is done, also if all was there, or failed")
  func completion() async throws {
    let pipeline = bench.pipeline()
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    let done = prefetcher.completions.record()

    prefetcher.start(with: [urls[0], urls[1]])
    _ = await done.received(1)
    prefetcher.start(with: [urls[0], urls[1]])
    _ = await done.received(2)
    prefetcher.start(with: [bench.other])
    _ = await done.received(3)
    prefetcher.start(with: [ImageRequest(url: nil)])
    _ = await done.received(4)

    #expect(done.values.count == 4)
    done.cancel()
  }

  @Test("A9.4: says so once, also if the last two are done at the same moment")
  func completionOnce() async {
    let prefetcher = ImagePrefetcher(pipeline: bench.pipeline(), maximumConcurrentRequests: 6)
    let done = prefetcher.completions.record()

    for round in 1...100 {
      bench.memory.removeAll()
      prefetcher.start(with: urls)
      _ = await done.received(round)
      await until { prefetcher.count == 0 }
    }

    #expect(done.values.count == 100)
    done.cancel()
  }

  @Test("A9.4, A9.5, R15: is a publisher of what becomes of each; cancelling stops it")
  func publisher() async throws {
    let pipeline = bench.pipeline()
    _ = try await pipeline.image(for: urls[0])
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maximumConcurrentRequests: 1)
    let requests = [urls[0], bench.other, urls[1]].map { ImageRequest(url: $0) }

    let recorder = prefetcher.publisher(for: requests).record()
    _ = await recorder.ended()
    bench.loader.hold(urls[2])
    let cancelled = prefetcher.publisher(for: [ImageRequest(url: urls[2])]).record()
    await bench.loader.waitForLoad(of: urls[2])
    cancelled.cancel()

    #expect(recorder.values.map(name) == ["skipped", "failed", "loaded"])
    #expect(recorder.values.map(\.request) == requests)
    await until { pipeline.isIdle && bench.loader.departures(from: urls[2]) == 1 }
    #expect(cancelled.values.isEmpty)
  }
}
