import Foundation
import StreamImages
import StreamsTesting
import Testing

/// Records the requests that it is to forget, and can be held while it does.
private final class ForgettingLoader: DataLoading {
  let loader = ScriptedLoader()
  let hold = Shared<Latch?>(nil)
  let forgotten = Shared<[DataRequest]>([])

  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    try await loader.load(request, limits: limits)
  }

  func forget(_ request: DataRequest) async {
    forgotten.change { $0.append(request) }
    await hold.value?.wait()
  }
}

@Suite("Rules of loading", .timeLimit(.minutes(1)))
struct LoadingRuleTests {
  private let bench = Bench()

  @Test("A response that is refused is forgotten once at each of its addresses, and a local one is not")
  func forgetting() async throws {
    let page = Data("<html>".utf8)
    let loader = ForgettingLoader()
    let redirected = ScriptedLoader(head: LoadedHead(url: bench.other), chunks: [page])
    loader.loader.answer(bench.url, with: page)
    let file = URL(filePath: "/a.png")
    loader.loader.answer(file, with: page)

    let pipeline = bench.pipeline { $0.dataLoader = loader }
    _ = await pipeline.imageTask(with: bench.url).failure()
    _ = await pipeline.imageTask(with: file).failure()
    #expect(loader.forgotten.value.map(\.url) == [bench.url])
    #expect(loader.forgotten.value.allSatisfy { $0.changingPriority == nil })

    let other = ForgettingRedirect(loader: redirected)
    _ = await bench.pipeline { $0.dataLoader = other }.imageTask(with: bench.url).failure()
    #expect(other.forgotten.value == [bench.url, bench.other])
  }

  private struct ForgettingRedirect: DataLoading {
    let loader: ScriptedLoader
    let forgotten = Shared<[URL]>([])

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      try await loader.load(request, limits: limits)
    }

    func forget(_ request: DataRequest) async { forgotten.change { $0.append(request.url) } }
  }

  @Test("A load gives up its places when its body has arrived, and not only when its bytes are checked")
  func places() async throws {
    let loader = ForgettingLoader()
    let hold = Latch()
    loader.hold.change { $0 = hold }
    loader.loader.answer(bench.url, with: try Pictures.png(8, 4))
    loader.loader.answer(bench.other, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline {
      ($0.dataLoader, $0.loadingWidth, $0.loadingWidthPerHost) = (loader, 1, 1)
    }
    var request = ImageRequest(url: bench.url)
    request.integrity = Integrity(of: Data())

    let refused = pipeline.imageTask(with: request)
    await until { loader.forgotten.value.count == 1 }
    #expect(pipeline.loadingCounts == (0, 0))
    #expect(try await pipeline.image(for: bench.other).width == 8)
    hold.open()

    guard case .integrityMismatch? = await refused.failure() else { return unexpected(refused.status) }
  }

  @Test("A request for the network buffers its body, and reloads unless it says otherwise")
  func addresses() async throws {
    let bytes = try Pictures.png(8, 4)
    let file = URL(filePath: "/a.png")
    bench.loader.answer(bench.url, with: bytes)
    bench.loader.answer(file, with: bytes)
    let own = DataRequest(url: bench.url, headers: ["Cache-Control": "max-age=0"])
    for request in [
      ImageRequest(url: bench.url), ImageRequest(url: bench.url, options: .reloadIgnoringCachedData),
      ImageRequest(own, options: .reloadIgnoringCachedData),
      ImageRequest(url: file, options: .reloadIgnoringCachedData),
      ImageRequest(url: bench.url, options: .disableMemoryCache),
    ] {
      _ = try await bench.pipeline { ($0.dataCache, $0.imageCache) = (nil, nil) }.image(for: request)
    }

    #expect(
      bench.loader.requests.map { $0.headers["Cache-Control"] } == [nil, "no-cache", "max-age=0", nil, nil])
    #expect(bench.loader.requests.map(\.buffersBody) == [true, true, true, false, true])
    #expect(bench.loader.requests.allSatisfy { !$0.isIncremental })
  }

  private struct Rewriting: ImagePipelineDelegate {
    let partition: String?

    func willLoad(_ address: DataRequest, for request: ImageRequest) async throws -> DataRequest {
      var new = DataRequest(url: address.url)
      new.cachePartition = partition
      return new
    }
  }

  @Test(
    "A request that a delegate replaces keeps its partition unless the new one has its own",
    arguments: [nil, "b"])
  func partitions(_ partition: String?) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    var request = ImageRequest(url: bench.url)
    request.cachePartition = "a"

    _ = try await bench.pipeline { $0.delegate = Rewriting(partition: partition) }.image(for: request)

    #expect(bench.loader.requests.map(\.cachePartition) == [partition ?? "a"])
  }

  @Test(
    "The closure of an image waits for its turn and for room, unless the request skips the queue",
    arguments: [
      "queue", "stored", "loaded",
    ])
  func closures(_ reason: String) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let (hold, calls) = (Latch(), Shared<[String]>([]))
    let pipeline = bench.pipeline {
      switch reason {
      case "stored":
        ($0.storingByteBudget, $0.dataCache) = (0, ScriptedDataCache(error: .diskFull, latch: hold))
      case "loaded": $0.loadedByteBudget = 0
      default: break
      }
    }
    switch reason {
    case "queue": pipeline.suspend(.loading)
    case "stored": _ = try await pipeline.image(for: bench.url)
    default:
      pipeline.suspend(.decoding)
      _ = pipeline.imageTask(with: bench.url)
      await until { pipeline.decodingCounts.waiting == 1 }
    }
    let image = { (name: String, options: ImageRequest.Options) in
      ImageRequest(
        id: name,
        image: {
          calls.change { $0.append(name) }
          return try Pictures.gradient(2, 1)
        }, options: options)
    }

    let patient = pipeline.imageTask(with: image("patient", []))
    #expect(try await pipeline.image(for: image("hasty", .skipDataLoadingQueue)).width == 2)
    for _ in 0..<1_000 where calls.value.count == 1 { await Task.yield() }
    #expect(calls.value == ["hasty"])
    hold.open()
    pipeline.resume(.decoding)
    pipeline.resume(.loading)

    #expect(try await patient.image.width == 2 && calls.value == ["hasty", "patient"])
  }

  @Test(
    "A request that skips the queue waits neither for earlier bytes to be decoded nor to be stored",
    arguments: [true, false])
  func skipping(_ isStoring: Bool) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    bench.loader.answer(bench.other, with: try Pictures.png(8, 4))
    let hold = Latch()
    let pipeline = bench.pipeline {
      ($0.storingByteBudget, $0.loadedByteBudget) = isStoring ? (0, 1 << 20) : (1 << 20, 0)
      $0.dataCache = ScriptedDataCache(error: .diskFull, latch: hold)
    }
    if isStoring {
      _ = try await pipeline.image(for: bench.url)
    } else {
      pipeline.suspend(.decoding)
      _ = pipeline.imageTask(with: bench.url)
      await until { pipeline.decodingCounts.waiting == 1 }
    }

    let hasty = pipeline.dataTask(with: ImageRequest(url: bench.other, options: .skipDataLoadingQueue))
    #expect(try await hasty.data.count > 0)

    hold.open()
    pipeline.resume(.decoding)
    await pipeline.flush()
  }

  @Test("A closure that throws an error of the pipeline or of loading fails with it")
  func closureErrors() async {
    for (error, code) in [
      (DataLoadingError.headTooLarge, "loading.head-too-large"),
      (ImagePipeline.Error.dataIsEmpty, "pipeline.data-is-empty"),
      (DataLoadingError.tooLarge(limit: 1, announced: nil), "pipeline.data-download-exceeded-maximum-size"),
      (ImagePipeline.Error.cancelled, "pipeline.source-failed"),
      (DataLoadingError.cancelled, "loading.cancelled"),
      (CancellationError(), "pipeline.source-failed"),
    ] as [(any Error, String)] {
      for request in [
        ImageRequest(id: "a", data: { throw error }), ImageRequest(id: "b", image: { throw error }),
      ] {
        #expect(await bench.pipeline().imageTask(with: request).failure()?.code == code)
      }
    }
  }
}
