import Foundation
import LoopbackServer
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImagePipeline`: jobs", .timeLimit(.minutes(20)))
struct JobFlowTests {
  private let bench = Bench()

  @Test("Requests share no job if coalescing is disabled")
  func alone() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let pipeline = bench.pipeline { $0.isCoalescingEnabled = false }

    let tasks = (0..<3).map { _ in pipeline.imageTask(with: bench.url) }
    await bench.loader.waitForLoad(of: bench.url, count: 3)
    bench.loader.sendRest(of: bench.url)
    for task in tasks { #expect(try await task.image.width == 8) }

    #expect(bench.loader.loads(of: bench.url) == 3 && bench.decoder.runs == 3)
  }

  @Test(
    "A suspended kind of work begins nothing until it is resumed",
    arguments: ImagePipeline.Work.allCases)
  func queues(_ work: ImagePipeline.Work) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline { $0.dataCachePolicy = .storeEncodedImages }
    pipeline.suspend(work)
    pipeline.setWidth(3, of: work)
    #expect(pipeline.isSuspended(work) && pipeline.width(of: work) == 3)

    let request = ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")])
    let task = pipeline.imageTask(with: request)
    await until { pipeline.counts(of: work) == (1, 0) }
    if work == .encoding { _ = try await task.image } else { #expect(task.status.result == nil) }
    #expect(bench.disk.writes == [])
    pipeline.resume(work)

    #expect(try await task.image.width == 8)
    await pipeline.flush()
    #expect(bench.disk.writes == [DataCacheKey.variant(request)])
    #expect(!pipeline.isSuspended(work))
  }

  @Test("A request that forbids constrained networks fails without being sent on one")
  func conditions() async throws {
    struct Saving: NetworkConditions {
      var isConstrained: Bool { true }
      var isExpensive: Bool { false }
    }
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline { $0.networkConditions = Saving() }
    var careful = DataRequest(url: bench.url)
    careful.allowsConstrainedNetworkAccess = false

    let error = await pipeline.imageTask(with: ImageRequest(careful)).failure()
    guard case .dataLoadingFailed(.networkUnavailable(.constrained)) = error else { return unexpected(error) }
    #expect(bench.loader.requests.isEmpty)

    #expect(try await pipeline.image(for: bench.url).width == 8)
    #expect(try await pipeline.image(for: ImageRequest(careful)).width == 8)
  }

  @Test("Responses report coalescing and network timings, and cached ones do not")
  func news() async throws {
    try await withWorkshop { workshop in
      let gate = try Gate()
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()).with { $0.gate = gate })
      let pipeline = workshop.pipeline()
      let url = workshop.server.url("/a")
      // Past the disk, so that who asks has joined when asking returns.
      let requests = [.resize(width: 10), .resize(width: 20)].map { (processor: ImageProcessors.Resize) in
        ImageRequest(url: url, processors: [processor], options: .disableDiskCacheReads)
      }
      let first = pipeline.imageTask(with: requests[0])
      _ = await workshop.server.waitForRequest("/a")
      let others = requests.map(pipeline.imageTask(with:))
      #expect(pipeline.originals.count == 1 && pipeline.images.count == 2)
      gate.open()

      let responses = try await [first.response, others[0].response, others[1].response]
      let data = try await pipeline.data(for: url)
      let kept = try await pipeline.response(for: requests[0])

      #expect(responses.map(\.wasCoalesced) == [false, true, true])
      #expect(responses.allSatisfy { $0.timings.map { $0.answering > .zero } == true })
      #expect(kept.timings == nil && !kept.wasCoalesced && kept.cacheSource == .memory)
      #expect(data.timings == nil && !data.wasCoalesced)
    }
  }

  @Test("Requests with different image IDs are stored separately")
  func ids() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    let requests = ["a", "b"].map { id in
      var request = ImageRequest(url: bench.url)
      request.imageID = id
      return request
    }

    let tasks = requests.map(pipeline.imageTask(with:))
    for task in tasks { _ = try await task.image }
    await pipeline.flush()

    #expect(Set(bench.disk.writes) == Set(requests.compactMap { DataCacheKey.original($0) }))
  }

  @Test(
    "A request that skips the loading queue starts at once and shares no waiting job"
  )
  func skipping() async throws {
    bench.loader.hold(bench.other)
    bench.loader.hold(bench.url)
    let pipeline = bench.pipeline { $0.loadingWidth = 1 }
    let first = pipeline.imageTask(with: bench.other)
    await bench.loader.waitForLoad(of: bench.other)
    let waiting = pipeline.imageTask(with: bench.url)
    await until { pipeline.loadingCounts == (1, 1) }

    let hasty = pipeline.imageTask(with: ImageRequest(url: bench.url, options: .skipDataLoadingQueue))
    await bench.loader.waitForLoad(of: bench.url)
    hasty.cancel()

    await until { bench.loader.departures(from: bench.url) == 1 }
    #expect(waiting.status.result == nil && pipeline.loadingCounts == (1, 1))
    for task in [first, waiting] { task.cancel() }
    await until { pipeline.isIdle }
  }

  @Test("The priority of a waiting job follows the priorities of its requests")
  func priority() async throws {
    let urls = (0..<3).map { URL(string: "https://example.org/\($0).png")! }
    for url in urls { bench.loader.answer(url, with: try Pictures.png(8, 4), onDemand: true) }
    let pipeline = bench.pipeline { $0.loadingWidth = 1 }
    let tasks = urls.map {
      pipeline.imageTask(with: ImageRequest(url: $0, processors: [ScriptedProcessor("a")]))
    }
    await until { pipeline.loadingCounts == (2, 1) && !bench.loader.requests.isEmpty }
    let running = try #require(bench.loader.requests.first?.url)
    let others = tasks.filter { $0.request.url != running }

    others[1].priority = .high
    let joined = pipeline.imageTask(with: ImageRequest(url: others[0].request.url, priority: .veryHigh))
    let key = try #require(ImageJobKey(ImageRequest(url: others[0].request.url)))
    await until { pipeline.images.priority(of: key) == .veryHigh }
    joined.cancel()
    #expect(pipeline.images.priority(of: key) == .normal)
    bench.loader.sendRest(of: running)
    await bench.loader.waitForLoad(of: others[1].request.url)

    #expect(bench.loader.requests.map(\.url) == [running, others[1].request.url])
    for task in tasks { task.cancel() }
    await until { pipeline.isIdle }
  }

  @Test("Invalidating the pipeline fails image tasks, data tasks and later tasks")
  func invalidation() async {
    bench.loader.hold(bench.url)
    let pipeline = bench.pipeline()
    let image = pipeline.imageTask(with: bench.url)
    let data = pipeline.dataTask(with: bench.url)
    await bench.loader.waitForLoad(of: bench.url)

    pipeline.invalidate()
    let late = pipeline.imageTask(with: ImageRequest(id: "a", data: { Data() }))

    for error in [await image.failure(), await data.failure(), await late.failure()] {
      guard case .pipelineInvalidated? = error else { return unexpected(error) }
    }
    await until { pipeline.isIdle && bench.loader.departures(from: bench.url) == 1 }
  }

  /// What a request takes along.
  private final class Companion: Sendable {}

  @Test(
    "Each request is released with what it takes along, however it ends",
    .timeLimit(.minutes(1)), arguments: [false, true], [false, true])
  func released(isDamaged: Bool, isResized: Bool) async throws {
    let good = try Pictures.png(8, 4)
    bench.loader.answer(bench.url, with: good)
    bench.loader.answer(bench.other, with: Data(count: 100))
    let pipeline = bench.pipeline {
      $0.decoders = [ImageDecoders.Default()]
      $0.imageCache = nil
    }
    weak var companion: Companion?
    do {
      let new = Companion()
      companion = new
      for url in [bench.url, bench.other] {
        var request = ImageRequest(url: url, processors: isResized ? [.resize(width: 4)] : [])
        request.userInfo["companion"] = new
        if isDamaged, let key = DataCacheKey.original(request) {
          try await bench.disk.store(CachedData(good.prefix(40) + Data(count: 100)), for: key)
        }
        _ = try? await pipeline.image(for: request)
        _ = try? await pipeline.encodedImage(for: request)
      }
      await pipeline.flush()
    }

    await until { companion == nil }
    #expect(companion == nil)
  }

  @Test("A task that joins a load reports progress from the moment it joins")
  func progress() async throws {
    let bytes = try Pictures.png(8, 4)
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 2 + 1, onDemand: true)
    let pipeline = bench.pipeline()
    let image = pipeline.imageTask(with: bench.url)
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await until { image.status.progress.completed > 0 }

    let data = pipeline.dataTask(with: bench.url)
    #expect(data.status.progress.completed == 0)
    bench.loader.sendRest(of: bench.url)
    _ = try await (image.image, data.data)

    #expect(image.status.progress.fraction == 1 && data.status.progress.fraction == 1)
    #expect(bench.loader.loads(of: bench.url) == 1)
  }

  @Test("A request that reloads does not join a load that was sent without `no-cache`")
  func reloadJoins() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let pipeline = bench.pipeline()

    let usual = pipeline.imageTask(with: ImageRequest(url: bench.url, options: .disableDiskCache))
    await bench.loader.waitForLoad(of: bench.url)
    let fresh = pipeline.imageTask(with: ImageRequest(url: bench.url, options: .reloadIgnoringCachedData))
    // Both have joined their jobs when `imageTask` returns.
    let loadCount = pipeline.originals.count
    if loadCount == 2 { await bench.loader.waitForLoad(of: bench.url, count: 2) }
    bench.loader.sendRest(of: bench.url)
    _ = try await (usual.image, fresh.image)

    #expect(loadCount == 2)
    #expect(bench.loader.requests.map { $0.headers["Cache-Control"] } == [nil, "no-cache"])
    await pipeline.flush()
  }

  @Test("A pipeline that does not limit the memory of decoding loads bytes")
  func unlimited() async {
    await #expect(processExitsWith: .success) {
      let bench = Bench()
      bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
      let pipeline = bench.pipeline {
        ($0.decodingLimits.maximumDecodedBytes, $0.decodingLimits.maximumWorkingBytes) = (.max, .max)
      }

      let response = try await pipeline.data(for: bench.url)

      #expect(!response.data.isEmpty)
      await pipeline.flush()
    }
  }
}
