import Foundation
import StreamImages
import Streams
import StreamsTesting
import Testing

@Suite("`ImagePrefetcher`", .timeLimit(.minutes(20)))
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

  @Test("Prefetching loads a limited number of images at once, with low priority")
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

  @Test("A prefetching request starts with the priority that is set while it begins")
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

  @Test("Prefetching to disk decodes nothing and skips stored data without reading it")
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

  @Test(
    "Prefetching to disk stores what later requests need, under every policy",
    arguments: ImagePipeline.DataCachePolicy.allCases)
  func diskPolicies(_ policy: ImagePipeline.DataCachePolicy) async throws {
    let pipeline = bench.pipeline { $0.dataCachePolicy = policy }
    var requests = urls.prefix(4).map { ImageRequest(url: $0) }
    requests[1].processors = [.resize(width: 4)]
    requests[2].thumbnail = .init(maxPixelSize: 4)
    requests[3].processors = [.resize(width: 4)]
    requests[3].encoding = .png
    let prefetcher = ImagePrefetcher(pipeline: pipeline, destination: .diskCache)
    let (reports, done) = (prefetcher.reports.record(), prefetcher.completions.record())

    prefetcher.start(with: requests)
    _ = await done.received(1)
    await pipeline.flush()
    prefetcher.start(with: requests)
    _ = await done.received(2)

    #expect(
      reports.values.map(name).sorted() == [String](repeating: "loaded", count: 4)
        + [String](repeating: "skipped", count: 4))
    #expect(bench.memory.entries.isEmpty)
    let next = bench.pipeline { $0.dataCachePolicy = policy }
    for request in requests.prefix(3) {
      #expect(await next.cache.contains(request))
      _ = try await next.image(for: request)
    }
    _ = try await next.encodedImage(for: requests[3])
    #expect(bench.loader.requests.count == 4)
    reports.cancel()
    done.cancel()
  }

  @Test("An invalidated pipeline prefetches nothing, and its images in memory are not skipped")
  func invalidated() async throws {
    let pipeline = bench.pipeline()
    _ = try await pipeline.image(for: urls[0])
    pipeline.invalidate()
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    let reports = prefetcher.reports.record()

    prefetcher.start(with: [urls[0]])
    _ = await reports.received(1)

    #expect(reports.values.map(name) == ["failed"])
    reports.cancel()
  }

  @Test("The prefetching completion follows all reports, on whatever threads they arrive")
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

  @Test("Prefetching skips images in memory, except previews, and requests in progress")
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

  @Test("Prefetching continues after several waiting requests are stopped")
  func behindStopped() async {
    bench.loader.hold(urls[0])
    let prefetcher = ImagePrefetcher(pipeline: bench.pipeline(), maximumConcurrentRequests: 1)
    let done = prefetcher.completions.record()
    prefetcher.start(with: Array(urls[0...3]))
    await bench.loader.waitForLoad(of: urls[0])

    prefetcher.stop(with: Array(urls[1...2]))
    prefetcher.stop(with: [urls[0]])
    await until { !done.values.isEmpty }

    #expect(urls[1...3].map { bench.loader.loads(of: $0) } == [0, 0, 1])
    done.cancel()
  }

  @Test("One stop cancels a prefetching request that was started repeatedly")
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

  @Test("Prefetching continues after one waiting request is stopped")
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

  @Test("Prefetching starts and stops in the order of the calls")
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

  @Test("The prefetching completion follows reports that another thread is still sending")
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

  @Test("Releasing the prefetcher stops all its requests")
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

  @Test("A paused prefetcher starts nothing new and continues what has begun")
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

  @Test("Each prefetching batch completes once, even if its images are cached or fail")
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

  @Test("The prefetcher completes once if its last requests end at the same time")
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

  @Test("The prefetching publisher reports outcomes in order, and cancelling it stops the request")
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
