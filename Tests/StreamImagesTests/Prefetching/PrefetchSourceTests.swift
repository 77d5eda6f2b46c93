import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImagePrefetcher`: sources and priority", .timeLimit(.minutes(20)))
struct PrefetchSourceTests {
  private let bench = Bench()
  private let urls = (0..<6).map { URL(string: "https://example.org/\($0).png")! }

  init() throws { try bench.answerWithImages(urls) }

  @Test("An image from the disk is loaded, and one that came into memory before its turn is skipped")
  func sources() async throws {
    let delegate = RecordingDelegate()
    let pipeline = bench.pipeline { $0.delegate = delegate }
    try await pipeline.cache.store(try Pictures.png(8, 4), for: ImageRequest(url: urls[0]))
    for url in urls[2...3] {
      pipeline.cache[ImageRequest(url: url)] = DecodedImage(try Pictures.gradient(2, 1))
    }
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maximumConcurrentRequests: 1)
    let (reports, done) = (prefetcher.reports.record(), prefetcher.completions.record())
    prefetcher.isPaused = true
    prefetcher.start(with: Array(urls[0...2]))
    pipeline.cache[ImageRequest(url: urls[1])] = DecodedImage(try Pictures.gradient(2, 1))

    prefetcher.isPaused = false
    _ = await done.received(1)
    let single = prefetcher.publisher(for: [ImageRequest(url: urls[3])]).record()
    _ = await single.ended()

    #expect(reports.values.map(\.request.url) == [urls[2], urls[0], urls[1]])
    #expect(reports.values.map(\.name) == ["skipped", "loaded", "skipped"])
    #expect(single.values.map(\.name) == ["skipped"] && bench.loader.requests.isEmpty)
    // What is in memory makes no task.
    #expect(delegate.tasks.compactMap(\.request.url) == Array(urls[0...1]))
    reports.cancel()
    done.cancel()
  }

  @Test("A prefetching publisher has the priority of its prefetcher")
  func publisherPriority() async throws {
    bench.loader.hold(urls[0])
    let pipeline = bench.pipeline()
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    prefetcher.priority = .veryHigh

    let recorder = prefetcher.publisher(for: [ImageRequest(url: urls[0], priority: .low)]).record()

    #expect(try pipeline.priorities(of: urls).first == .veryHigh)
    recorder.cancel()
    await until { pipeline.isIdle }
  }

  @Test(
    "Prefetching to disk stores an image that is in memory only",
    arguments: [ImagePipeline.DataCachePolicy.automatic, .storeEncodedImages])
  func memoryOnly(_ policy: ImagePipeline.DataCachePolicy) async throws {
    let pipeline = bench.pipeline { $0.dataCachePolicy = policy }
    let request = ImageRequest(url: urls[0])
    pipeline.cache[request] = DecodedImage(try Pictures.gradient(4, 2))
    let prefetcher = ImagePrefetcher(pipeline: pipeline, destination: .diskCache)
    let (reports, done) = (prefetcher.reports.record(), prefetcher.completions.record())

    prefetcher.start(with: [request])
    _ = await done.received(1)
    await pipeline.flush()

    #expect(reports.values.map(\.name) == ["loaded"] && bench.loader.loads(of: urls[0]) == 1)
    #expect(await pipeline.cache.contains(request, in: .disk))
    reports.cancel()
    done.cancel()
  }

  @Test(
    "The image of a closure is prefetched to the disk if the policy stores it",
    arguments: [ImagePipeline.DataCachePolicy.automatic, .storeAll, .storeEncodedImages])
  func closure(_ policy: ImagePipeline.DataCachePolicy) async throws {
    let pipeline = bench.pipeline { $0.dataCachePolicy = policy }
    var request = ImageRequest(id: "drawing", image: { try Pictures.gradient(8, 4) })
    request.thumbnail = .init(maxPixelSize: 4)
    let prefetcher = ImagePrefetcher(pipeline: pipeline, destination: .diskCache)
    let (reports, done) = (prefetcher.reports.record(), prefetcher.completions.record())

    prefetcher.start(with: [request])
    _ = await done.received(1)
    await pipeline.flush()

    #expect(reports.values.map(\.name) == ["loaded"])
    #expect(await pipeline.cache.contains(request, in: .disk))
    reports.cancel()
    done.cancel()
  }

  @Test(
    "Prefetching to disk decodes only what is stored as an image, and has an image task only if no bytes are made"
  )
  func work() async throws {
    for (policy, isProcessed, options, decodes, hasTask) in [
      (.automatic, false, [], false, false), (.automatic, true, [], true, false),
      (.automatic, false, .disableDiskCacheWrites, false, false),
      (.storeOriginalData, false, [], false, false), (.storeOriginalData, true, [], false, false),
      (.storeAll, false, [], false, false), (.storeAll, true, [], false, false),
      (.storeEncodedImages, false, [], true, true), (.storeEncodedImages, true, [], true, false),
    ] as [(ImagePipeline.DataCachePolicy, Bool, ImageRequest.Options, Bool, Bool)] {
      let (bench, delegate) = (Bench(), RecordingDelegate())
      bench.loader.answer(urls[0], with: try Pictures.png(8, 4))
      let pipeline = bench.pipeline {
        $0.delegate = delegate
        $0.dataCachePolicy = policy
      }
      let request = ImageRequest(
        url: urls[0], processors: isProcessed ? [.resize(width: 4)] : [], options: options)
      let prefetcher = ImagePrefetcher(pipeline: pipeline, destination: .diskCache)
      let (reports, done) = (prefetcher.reports.record(), prefetcher.completions.record())

      prefetcher.start(with: [request])
      _ = await done.received(1)
      await pipeline.flush()

      #expect(reports.values.map(\.name) == ["loaded"], "\(policy) \(isProcessed)")
      #expect((bench.decoder.runs > 0) == decodes, "\(policy) \(isProcessed)")
      #expect(delegate.tasks.isEmpty == !hasTask && bench.memory.entries.isEmpty, "\(policy) \(isProcessed)")
      reports.cancel()
      done.cancel()
    }
  }

  @Test("A task for the disk that is skipped is cancelled, and was never started")
  func skippedTask() async throws {
    let delegate = RecordingDelegate()
    let pipeline = bench.pipeline {
      $0.delegate = delegate
      $0.dataCachePolicy = .storeEncodedImages
    }
    let request = ImageRequest(url: urls[0])
    let key = try #require(DataCacheKey.variant(request))
    try await bench.disk.store(CachedData(try Pictures.png(4, 2)), for: key)
    let prefetcher = ImagePrefetcher(pipeline: pipeline, destination: .diskCache)
    let done = prefetcher.completions.record()

    prefetcher.start(with: [request])
    _ = await done.received(1)

    #expect(delegate.tasks.map(\.isCancelled) == [true] && delegate.lines == ["created"])
    done.cancel()
  }

  /// Does something once, at the first change of the priority of a load.
  private struct ListeningLoader: DataLoading {
    let loader: ScriptedLoader
    let watches = Shared([DynamicPriority.Observation]())
    let onChange = Shared<(@Sendable () -> Void)?>(nil)

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      if let priority = request.changingPriority?.value {
        let watch = priority.observe { [onChange] in
          var now: (@Sendable () -> Void)?
          onChange.change { swap(&$0, &now) }
          now?()
        }
        watches.change { $0.append(watch) }
      }
      return try await loader.load(request, limits: limits)
    }
  }

  @Test("A priority that is set while another one is being set is the last one for all requests")
  func nested() async throws {
    for url in urls { bench.loader.hold(url) }
    let loader = ListeningLoader(loader: bench.loader)
    let pipeline = bench.pipeline { $0.dataLoader = loader }
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maximumConcurrentRequests: 6)
    prefetcher.start(with: urls)
    for url in urls { await bench.loader.waitForLoad(of: url) }
    try #require(loader.watches.value.count == 6)
    loader.onChange.change { $0 = { prefetcher.priority = .veryHigh } }

    prefetcher.priority = .high

    #expect(try pipeline.priorities(of: urls) == [ImageRequest.Priority?](repeating: .veryHigh, count: 6))
    for watch in loader.watches.value { watch.cancel() }
    prefetcher.stopAll()
    await until { pipeline.isIdle }
  }

  @Test("Each encoding of an image is prefetched to the disk and reported", arguments: [1, 2])
  func encodings(_ width: Int) async throws {
    let pipeline = bench.pipeline()
    let requests = [ImageEncoder.Encoding.png, .jpeg(quality: 0.8)].map { encoding in
      var request = ImageRequest(url: urls[0], processors: [.resize(width: 4)])
      request.encoding = encoding
      return request
    }
    let prefetcher = ImagePrefetcher(
      pipeline: pipeline, destination: .diskCache, maximumConcurrentRequests: width)
    let (reports, done) = (prefetcher.reports.record(), prefetcher.completions.record())

    prefetcher.start(with: requests)
    _ = await done.received(1)
    await pipeline.flush()

    #expect(Set(reports.values.map(\.request)) == Set(requests))
    for request in requests { #expect(await pipeline.cache.contains(request, in: .disk)) }
    reports.cancel()
    done.cancel()
  }
}
