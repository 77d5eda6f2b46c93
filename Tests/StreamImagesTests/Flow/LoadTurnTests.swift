import Dispatch
import Foundation
import StreamImages
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`ImagePipeline`: loads that wait", .timeLimit(.minutes(1)))
struct LoadTurnTests {
  /// Refuses the loads of one URL a number of times, and loads the others.
  private struct BusyLoader: DataLoading {
    let loader: ScriptedLoader
    let busy: URL
    let refusals: Shared<Int>

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      let isRefused = Shared(false)
      if request.url == busy {
        refusals.change { left in
          isRefused.change { $0 = left > 0 }
          left -= 1
        }
      }
      guard !isRefused.value else {
        throw .status(503, head: LoadedHead(status: 503, headers: ["Retry-After": "5"], url: request.url))
      }
      return try await loader.load(request, limits: limits)
    }
  }

  private let bench = Bench()
  private let scheduler = DispatchQueue.test

  /// A pipeline with one place for loads, of each host and in all, which retries the loads of `bench.url`.
  private func pipeline(refusals: Int) throws -> ImagePipeline {
    for url in [bench.url, bench.other] { bench.loader.answer(url, with: try Pictures.png(8, 4)) }
    let loader = BusyLoader(loader: bench.loader, busy: bench.url, refusals: Shared(refusals))
    let retries = RetryMiddleware(jitter: 0, scheduler: scheduler.eraseToAnyScheduler())
    return bench.pipeline {
      ($0.dataLoader, $0.loadingWidth, $0.loadingWidthPerHost) = (loader.with(retries), 1, 1)
    }
  }

  @Test("A load that waits for its retry holds no place, and takes its turn again")
  func retries() async throws {
    let pipeline = try pipeline(refusals: 2)
    let busy = pipeline.imageTask(with: bench.url)
    for _ in 0..<2 {
      await until { scheduler.pending == 1 && pipeline.counts(of: .loading) == (0, 0) }

      _ = try await pipeline.image(for: bench.other)
      await pipeline.cache.removeAll()

      pipeline.suspend(.loading)
      await scheduler.advance(by: .seconds(5))
      await until { pipeline.counts(of: .loading) == (1, 0) }
      pipeline.resume(.loading)
    }

    _ = try await busy.image
    #expect(pipeline.counts(of: .loading) == (0, 0) && bench.loader.loads(of: bench.url) == 1)
    await pipeline.flush()
  }

  @Test(
    "A load can be cancelled while it waits for its retry, and for its turn after that",
    arguments: [false, true])
  func cancelling(waitsForTurn: Bool) async throws {
    let pipeline = try pipeline(refusals: 1)
    let busy = pipeline.imageTask(with: bench.url)
    await until { scheduler.pending == 1 && pipeline.counts(of: .loading) == (0, 0) }
    if waitsForTurn {
      pipeline.suspend(.loading)
      await scheduler.advance(by: .seconds(5))
      await until { pipeline.counts(of: .loading) == (1, 0) }
    }

    busy.cancel()

    await until { pipeline.isIdle }
    #expect(bench.loader.loads(of: bench.url) == 0)
    pipeline.resume(.loading)
    _ = try await pipeline.image(for: bench.other)
    await pipeline.flush()
  }

  @Test("Requests whose closures load from the same pipeline end, however few places there are")
  func nested() async throws {
    let pipeline = bench.pipeline { ($0.loadingWidth, $0.imageCache, $0.dataCache) = (1, nil, nil) }
    let parts = (0..<10).map { URL(string: "https://example.org/\($0).png")! }
    for part in parts { bench.loader.answer(part, with: try Pictures.png(8, 4)) }

    let montages = parts.map { part in
      pipeline.imageTask(
        with: ImageRequest(id: "montage \(part)", image: { try await pipeline.image(for: part) }))
    }
    let copies = parts.map { part in
      pipeline.dataTask(
        with: ImageRequest(id: "copy \(part)", data: { try await pipeline.data(for: part).data }))
    }

    for montage in montages { _ = try await montage.image }
    for copy in copies { _ = try await copy.data }
    #expect(pipeline.isIdle)
  }

  @Test("Requests whose closures encode images of the same pipeline end, whoever else waits for the same")
  func nestedEncodings() async throws {
    let pipeline = bench.pipeline { ($0.loadingWidth, $0.imageCache, $0.dataCache) = (1, nil, nil) }
    let parts = (0..<5).map { URL(string: "https://example.org/\($0).png")! }
    for part in parts { bench.loader.answer(part, with: try Pictures.png(8, 4)) }
    let small = parts.map { ImageRequest(url: $0, processors: [.resize(width: 4)]) }
    pipeline.suspend(.loading)

    let montages = small.map { part in
      Task {
        try await pipeline.encodedImage(
          for: ImageRequest(
            id: "montage \(part)",
            image: {
              let encoded = try await pipeline.encodedImage(for: part)
              return try ImageDecoder.decode(encoded.data)
            }))
      }
    }
    await until { pipeline.encodings.count == 5 }
    let same = small.map { part in Task { try await pipeline.encodedImage(for: part) } }
    await until { pipeline.encodings.count == 10 }
    pipeline.resume(.loading)

    for task in montages + same { #expect(try await task.value.data.isEmpty == false) }
    await until { pipeline.holdsNothing }
  }

  @Test("A closure may load several images at once from the same pipeline, and others go on meanwhile")
  func several() async throws {
    let pipeline = bench.pipeline { ($0.loadingWidth, $0.imageCache, $0.dataCache) = (1, nil, nil) }
    let urls = (0..<3).map { URL(string: "https://example.org/\($0).png")! }
    for url in urls { bench.loader.answer(url, with: try Pictures.png(8, 4), onDemand: true) }
    let sizes = Shared([Int]())
    let montage = pipeline.imageTask(
      with: ImageRequest(
        id: "montage",
        image: {
          async let first = pipeline.image(for: urls[0])
          async let second = pipeline.image(for: urls[1])
          let both = try await [first, second]
          sizes.change { $0 = both.map(\.size.width) }
          return both[0]
        }))
    await until { pipeline.counts(of: .loading) == (1, 1) }
    let other = pipeline.imageTask(with: urls[2])

    // In any order.
    while montage.status.result == nil || other.status.result == nil {
      for url in urls { bench.loader.sendRest(of: url) }
      await Task.yield()
    }

    _ = try await (montage.image, other.image)
    #expect(sizes.value == [8, 8] && pipeline.counts(of: .loading) == (0, 0))
    await until { pipeline.isIdle }
  }

  @Test("A delegate may load from the same pipeline before it sends a request")
  func delegate() async throws {
    final class Signing: ImagePipelineDelegate {
      let pipeline = Shared<ImagePipeline?>(nil)
      let token: URL

      init(token: URL) { self.token = token }

      func willLoad(_ load: DataRequest, for request: ImageRequest) async throws -> DataRequest {
        if load.url != token { _ = try await pipeline.value?.data(for: token) }
        return load
      }
    }
    for url in [bench.url, bench.other] { bench.loader.answer(url, with: try Pictures.png(8, 4)) }
    let signing = Signing(token: bench.other)
    let pipeline = bench.pipeline { ($0.delegate, $0.loadingWidth) = (signing, 1) }
    signing.pipeline.change { $0 = pipeline }

    _ = try await pipeline.image(for: bench.url)

    #expect(bench.loader.loads(of: bench.other) == 1 && pipeline.isIdle)
    await pipeline.flush()
    signing.pipeline.change { $0 = nil }
  }

  /// What a request takes along.
  private final class Companion: Sendable {}

  @Test("A request that was retried, and one that loaded another, are released when they have ended")
  func released() async throws {
    let pipeline = try pipeline(refusals: 1)
    weak var companion: Companion?
    do {
      let new = Companion()
      companion = new
      var busy = ImageRequest(url: bench.url)
      busy.userInfo["companion"] = new
      let task = pipeline.imageTask(with: busy)
      await until { scheduler.pending == 1 }
      await scheduler.advance(by: .seconds(5))
      _ = try await task.image
      let montage = ImageRequest(
        id: "montage",
        image: { [url = bench.other] in
          withExtendedLifetime(new) {}
          return try await pipeline.image(for: url)
        })
      _ = try await pipeline.image(for: montage)
      await pipeline.flush()
    }

    await until { companion == nil }
    #expect(companion == nil)
  }
}
