import Dispatch
import Foundation
import LoopbackServer
import StreamImages
import StreamsExtras
import StreamsFoundationExtras
import StreamsTesting
import Testing

/// Numbers and times of the public interface, from the least to the greatest.
@Suite("Numbers and times out of range", .timeLimit(.minutes(2)))
struct NumberTests {
  private static let numbers = [Int.min, -1, 0, 1, Int.max]
  private static let least = Duration(attoseconds: Int128.min)
  private static let greatest = Duration(attoseconds: Int128.max)
  private static let times = [
    least, .seconds(-3_000_000), .nanoseconds(-1), .zero, .nanoseconds(1), .seconds(Int64.max), greatest,
  ]

  private let bench = Bench()

  /// The names of the stored properties of some types.
  private func names(in value: Any, of types: Any.Type...) -> Set<String> {
    let found = Mirror(reflecting: value).children.filter { child in
      types.contains { $0 == type(of: child.value) }
    }
    return Set(found.compactMap(\.label))
  }

  // MARK: Pipelines

  private static let widths:
    [(name: String, set: @Sendable (inout ImagePipeline.Configuration, Int) -> Void)] = [
      ("loadingWidth", { $0.loadingWidth = $1 }), ("loadingWidthPerHost", { $0.loadingWidthPerHost = $1 }),
      ("decodingWidth", { $0.decodingWidth = $1 }), ("processingWidth", { $0.processingWidth = $1 }),
      ("encodingWidth", { $0.encodingWidth = $1 }), ("decodingByteBudget", { $0.decodingByteBudget = $1 }),
      ("loadedByteBudget", { $0.loadedByteBudget = $1 }), ("recentByteLimit", { $0.recentByteLimit = $1 }),
      ("storingByteBudget", { $0.storingByteBudget = $1 }),
      ("rateLimit", { $0.rateLimit = RateLimit(perSecond: 1_000_000, burst: $1) }),
    ]

  @Test("A pipeline loads and encodes images with any width and budget")
  func widths() async throws {
    for url in [bench.url, bench.other] { bench.loader.answer(url, with: try Pictures.png(8, 4)) }
    let names = names(in: ImagePipeline.Configuration(), of: Int.self, Int?.self, RateLimit?.self)
    #expect(names == Set(Self.widths.map(\.name)))
    for (name, set) in Self.widths {
      for number in Self.numbers {
        let pipeline = bench.pipeline { set(&$0, number) }
        let requests = [bench.url, bench.other].map { ImageRequest(url: $0, processors: [.resize(width: 4)]) }

        let images = requests.map { pipeline.imageTask(with: $0) }
        for image in images { #expect(try await image.image.size.width == 4, "\(name) \(number)") }
        _ = try await pipeline.encodedImage(for: requests[0])
        await pipeline.flush()
        await pipeline.cache.removeAll()
      }
    }
  }

  @Test("The widths of a running pipeline can be set to any number")
  func running() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline { ($0.dataCache, $0.imageCache) = (nil, nil) }
    for work in ImagePipeline.Work.allCases {
      for number in Self.numbers {
        pipeline.setWidth(number, of: work)
        #expect(pipeline.width(of: work) == max(1, number))
        _ = try await pipeline.image(for: bench.url)
      }
    }
  }

  @Test("A server encodes as many images at a time as it decodes and processes")
  func server() {
    let configuration = ImagePipeline.Configuration.server(allowing: .any)

    #expect(configuration.decodingWidth == ProcessInfo.processInfo.activeProcessorCount)
    #expect(configuration.processingWidth == configuration.decodingWidth)
    #expect(configuration.encodingWidth == configuration.decodingWidth)
  }

  @Test("A prefetcher with any number of concurrent requests loads all")
  func prefetching() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    for number in Self.numbers {
      let prefetcher = ImagePrefetcher(
        pipeline: bench.pipeline { $0.imageCache = nil }, maximumConcurrentRequests: number)
      let recorder = prefetcher.publisher(for: [ImageRequest(url: bench.url)]).record()

      #expect(await recorder.endsWell() && recorder.values.count == 1, "\(number)")
    }
  }

  // MARK: Loads

  private static let limits: [(name: String, set: @Sendable (inout LoadLimits, Int) -> Void)] = [
    ("maximumByteCount", { $0.maximumByteCount = $1 }),
    ("maximumExpansionRatio", { $0.maximumExpansionRatio = $1 }),
    ("maximumHeadByteCount", { $0.maximumHeadByteCount = $1 }),
    ("maximumHeadFieldCount", { $0.maximumHeadFieldCount = $1 }),
    ("maximumDataURLByteCount", { $0.maximumDataURLByteCount = $1 }),
    ("maximumRedirectCount", { $0.maximumRedirectCount = $1 }),
  ]

  private static let timeouts: [(name: String, set: @Sendable (inout LoadLimits, Duration) -> Void)] = [
    ("connectTimeout", { $0.connectTimeout = $1 }), ("firstByteTimeout", { $0.firstByteTimeout = $1 }),
    ("idleTimeout", { $0.idleTimeout = $1 }), ("totalTimeout", { $0.totalTimeout = $1 }),
  ]

  @Test("A negative limit of a load counts as zero, and a negative time as none")
  func bounds() {
    #expect(names(in: LoadLimits(), of: Int.self) == Set(Self.limits.map(\.name)))
    #expect(names(in: LoadLimits(), of: Duration.self) == Set(Self.timeouts.map(\.name)))
    #expect(LoadLimits().bounded == LoadLimits())
    for (name, set) in Self.limits {
      for number in Self.numbers {
        var (given, expected) = (LoadLimits(), LoadLimits())
        set(&given, number)
        set(&expected, max(0, number))
        #expect(given.bounded == expected, "\(name) \(number)")
      }
    }
    for (name, set) in Self.timeouts {
      for time in Self.times {
        var (given, expected) = (LoadLimits(), LoadLimits())
        set(&given, time)
        set(&expected, time < .zero ? .zero : time > .seconds(1 << 30) ? .seconds(3_155_760_000) : time)
        #expect(given.bounded == expected, "\(name) \(time)")
      }
    }
  }

  @Test("Each load ends within limits and times of any size, by itself, cached and in a pipeline")
  func loads() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.png(8, 4)))
      workshop.server.serve("/moved", Reply(status: 302).with { $0.headers = [("Location", "/a")] })
      var all: [LoadLimits] = []
      for (_, set) in Self.limits {
        for number in Self.numbers {
          var limits = LoadLimits()
          set(&limits, number)
          all.append(limits)
        }
      }
      for (_, set) in Self.timeouts {
        for time in Self.times {
          var limits = LoadLimits()
          set(&limits, time)
          all.append(limits)
        }
      }
      let cache = HTTPCache(workshop.loader, store: DataCache(directory: workshop.cacheDirectory))
      for limits in all {
        // A load that has no time at all fails, and one that has more than it needs does not.
        let isGenerous = limits.bounded == LoadLimits().bounded
        for loader in [workshop.loader, cache] as [any DataLoading] {
          let request = DataRequest(url: workshop.server.url("/moved"))
          do throws(DataLoadingError) {
            let loaded = try await loader.load(request, limits: limits)
            _ = try await loaded.collect()
          } catch {
            #expect(!isGenerous, "\(limits) \(error)")
          }
        }
        let pipeline = workshop.pipeline {
          ($0.loadLimits, $0.dataCache, $0.imageCache) = (limits, nil, nil)
        }
        let error = await imageFailure { () throws(ImagePipeline.Error) in
          try await pipeline.image(for: workshop.server.url("/a"))
        }
        if error == nil { #expect(limits.maximumByteCount > 0) }
      }
    }
  }

  private static let connections:
    [(name: String, set: @Sendable (inout CurlLoader.Configuration, Int) -> Void)] = [
      ("maximumConnectionsPerHost", { $0.maximumConnectionsPerHost = $1 }),
      ("maximumConnections", { $0.maximumConnections = $1 }),
      ("maximumStreamsPerConnection", { $0.maximumStreamsPerConnection = $1 }),
      ("bufferedByteCount", { $0.bufferedByteCount = $1 }),
    ]

  @Test("A loader loads with any number of connections, and keeps them for any time")
  func connections() async throws {
    var configuration = CurlLoader.Configuration()
    #expect(names(in: configuration, of: Int.self) == Set(Self.connections.map(\.name)))
    #expect(names(in: configuration, of: Duration.self) == ["idleConnectionLifetime"])
    configuration.proxy = .none
    try await RealTime.run {
      let server = try LoopbackServer()
      defer { server.stop() }
      server.serve("/a", .bytes(Data([1, 2, 3])))
      var all: [CurlLoader.Configuration] = []
      for (_, set) in Self.connections {
        for number in Self.numbers {
          all.append(configuration)
          set(&all[all.count - 1], number)
        }
      }
      for time in Self.times {
        all.append(configuration)
        all[all.count - 1].idleConnectionLifetime = time
      }
      for configuration in all {
        let loader = CurlLoader(configuration)
        defer { loader.invalidate() }
        for _ in 0..<2 {
          let body = try await loader.data(for: DataRequest(url: server.url("/a"))).body
          #expect(body == Data([1, 2, 3]))
        }
      }
    }
  }

  @Test("A file is read in chunks of any size")
  func chunks() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("file", Data([1, 2, 3]))
    for number in Self.numbers {
      let loaded = try await FileLoader(chunkByteCount: number).load(
        DataRequest(url: file), limits: LoadLimits())
      #expect(try await loaded.collect() == Data([1, 2, 3]))
    }
  }

  // MARK: Retries

  @Test("A load is retried as often as allowed, whatever the times and factors of the waits are")
  func retries() async throws {
    let factors = [-Double.infinity, -1, 0, 1, 2, 1e300, .infinity, .nan]
    var backoffs: [RetryMiddleware.Backoff] = []
    for time in Self.times {
      backoffs += [.constant(time), .linear(time), .custom { _ in time }]
      for factor in factors { backoffs.append(.exponential(first: time, factor: factor, maximum: time)) }
    }
    for backoff in backoffs {
      for longest in [Self.least, .zero, Self.greatest] {
        bench.loader.fail(bench.url, with: .connectionLost(.firstByte, reason: ""))
        let before = bench.loader.loads(of: bench.url)
        let loader = bench.loader.with(
          RetryMiddleware(
            maximumRetryCount: 9, backoff: backoff, jitter: .nan, maximumRetryAfter: longest,
            scheduler: DispatchQueue.immediate.eraseToAnyScheduler()))

        let error = await failure { () throws(DataLoadingError) in
          try await loader.load(DataRequest(url: bench.url), limits: LoadLimits())
        }

        #expect(error == .connectionLost(.firstByte, reason: ""))
        #expect(bench.loader.loads(of: bench.url) == before + 10)
      }
    }
  }

  @Test("A delay before a retry is from zero to a century for any policy")
  func delays() {
    let factors = [-Double.infinity, -1, 0, 1, 2, 1e300, .infinity, .nan]
    for (first, longest) in Self.times.flatMap({ first in Self.times.map { (first, $0) } }) {
      for factor in factors {
        var policy = ImageRetryPolicy(
          initialDelay: first, multiplier: factor, maximumDelay: longest, jitter: factor)
        policy.chance = { factor }
        for retry in Self.numbers {
          let delay = policy.delay(before: retry)
          #expect(delay >= .zero && delay <= .seconds(3_155_760_001), "\(policy) \(retry)")
        }
      }
    }
  }

  // MARK: Caches

  @Test("Caches with any limit and lifetime store or refuse, and stay within their limits")
  func caches() async throws {
    let (key, entry) = (DataCacheKey("a"), CachedData(Data([1, 2, 3])))
    for number in Self.numbers {
      for time in Self.times {
        let memory = ImageCache(costLimit: number, countLimit: number)
        (memory.costLimit, memory.countLimit, memory.lifetime) = (number, number, time)
        memory.lifetimeExtension = .by(time)
        memory[ImageCacheKey(ImageRequest(url: bench.url))] = try DecodedImage(Pictures.gradient(4, 4))
        memory.enterBackground()
        memory.handle(.warning)
        memory.trim(toCost: number)
        memory.trim(toCount: number)
        #expect(memory.totalCount <= max(0, number))

        let encoded = EncodedMemoryCache(over: nil, byteLimit: number, countLimit: number)
        try await encoded.store(entry, for: key)
        #expect(await (encoded.data(for: key) != nil) == (number == .max))
        _ = ResumableLoader(bench.loader, byteLimit: number, countLimit: number, lifetime: time)
      }
    }
    for number in Self.numbers {
      let folder = try TemporaryFolder()
      let disk = DataCache(directory: folder.url, sizeLimit: number, countLimit: number)
      #expect(disk.sizeLimit == max(0, number) && disk.countLimit == max(0, number))
      do throws(DataCacheError) { try await disk.store(entry, for: key) } catch {
        #expect(number < .max, "\(error)")
      }
      #expect(await (disk.data(for: key) != nil) == (number == .max))
    }
    for time in Self.times {
      let folder = try TemporaryFolder()
      let disk = DataCache(directory: folder.url, lifetime: time)
      try await disk.store(entry, for: key)
      #expect(await (disk.data(for: key) != nil) == (time > .seconds(1)), "\(time)")
    }
  }

  @Test("An HTTP cache stores bodies up to any size, and keeps them fresh for any time")
  func http() async throws {
    bench.loader.answer(bench.url, with: Data([1, 2, 3]))
    for number in Self.numbers {
      for time in Self.times {
        let cache = HTTPCache(
          bench.loader, store: RecordingDataCache(), policy: .overriding(time), maximumEntryByteCount: number)
        var statuses: [CacheStatus?] = []
        for _ in 0..<2 {
          let loaded = try await cache.load(DataRequest(url: bench.url), limits: LoadLimits())
          #expect(try await loaded.collect() == Data([1, 2, 3]))
          statuses.append(loaded.head.cacheStatus)
        }
        #expect((statuses[1] == .hit) == (number == .max && time > .seconds(1)), "\(number) \(time)")
      }
    }
    let body = RecordedChunks(BufferedChunks(Data([1])), limit: .max) { _ in }
    body.cancel()
    _ = try? await body.next()
  }

  // MARK: Animations

  @Test("An animation plays any number of times, and not at all for a negative one")
  func playing() async throws {
    bench.loader.answer(bench.url, with: TinyGIF.bytes(colors: [1, 2], hold: 1, plays: 2))
    let animation = try await bench.pipeline().animation(for: bench.url)
    for number in Self.numbers.dropLast() {
      let scheduler = DispatchQueue.immediate.eraseToAnyScheduler()
      let recorder = animation.play(on: scheduler, plays: number).record()

      #expect(await recorder.endsWell() && recorder.values.count == 2 * max(0, number), "\(number)")
    }
  }
}
