import Foundation
import StreamImages
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`ImagePipelineDelegate`", .timeLimit(.minutes(20)))
struct DelegateTests {
  private struct Refusal: Error {}

  /// Says what it is told.
  private final class Scripted: ImagePipelineDelegate {
    let loader: (any DataLoading)?
    let encoder: (any ImageEncoding)?
    let memory: (any ImageCaching)?
    let disk: (any DataCaching)?
    let policy: PreviewPolicy?
    let willLoad: @Sendable (DataRequest) async throws -> DataRequest
    let willStore: @Sendable (Data, Bool) -> Data?

    init(
      loader: (any DataLoading)? = nil, encoder: (any ImageEncoding)? = nil,
      memory: (any ImageCaching)? = nil,
      disk: (any DataCaching)? = nil, policy: PreviewPolicy? = nil,
      willLoad: @escaping @Sendable (DataRequest) async throws -> DataRequest = { $0 },
      willStore: @escaping @Sendable (Data, Bool) -> Data? = { data, _ in data }
    ) {
      (self.loader, self.encoder, self.memory, self.disk) = (loader, encoder, memory, disk)
      (self.policy, self.willLoad, self.willStore) = (policy, willLoad, willStore)
    }

    func dataLoader(for request: ImageRequest) -> (any DataLoading)? { loader }
    func encoder(for request: ImageRequest) -> (any ImageEncoding)? { encoder }
    func imageCache(for request: ImageRequest) -> (any ImageCaching)? { memory }
    func dataCache(for request: ImageRequest) -> (any DataCaching)? { disk }
    func previewPolicy(for request: ImageRequest, _ info: ImageInfo) -> PreviewPolicy? { policy }

    func willLoad(_ address: DataRequest, for request: ImageRequest) async throws -> DataRequest {
      try await willLoad(address)
    }

    func willStore(_ data: Data, of image: Image?, for request: ImageRequest) async -> Data? {
      willStore(data, image != nil)
    }
  }

  private let bench = Bench()

  @Test("The delegate changes requests first, and a shared image ID keeps variants apart")
  func preparing() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(16, 8))
    let delegate = RecordingDelegate { request in
      var request = request
      request.imageID = "same"
      return request
    }
    let pipeline = bench.pipeline { $0.delegate = delegate }

    let large = try await pipeline.image(for: bench.url)
    let small = try await pipeline.image(
      for: ImageRequest(url: bench.url, processors: [.resize(width: 8)]))

    #expect(large.width == 16 && small.width == 8)
    #expect(delegate.tasks.map(\.request.imageID) == ["same", "same"])
    #expect(bench.memory.entries.count == 2)
  }

  @Test("The delegate signs network requests only, without changing their cache keys")
  func signing() async throws {
    let bytes = try Pictures.png(8, 4)
    bench.loader.answer(bench.url, with: bytes)
    let calls = Shared(0)
    let delegate = Scripted(willLoad: { address in
      calls.change { $0 += 1 }
      var address = address
      address.headers.append("Authorization", "secret")
      return address
    })
    let folder = try TemporaryFolder()
    let file = try folder.file("a.png", bytes)
    bench.loader.answer(file, with: bytes)
    let pipeline = bench.pipeline { $0.delegate = delegate }

    for request in [
      ImageRequest(url: bench.url), ImageRequest(url: file), ImageRequest(id: "a", data: { bytes }),
    ] {
      _ = try await pipeline.image(for: request)
    }

    #expect(calls.value == 1)
    #expect(bench.loader.requests.map { $0.headers["Authorization"] } == ["secret", nil])
    #expect(bench.memory.entries[ImageCacheKey(ImageRequest(url: bench.url))] != nil)
  }

  @Test("An error of the delegate refuses the request with a typed error")
  func refusing() async {
    let delegate = Scripted(willLoad: { _ in throw Refusal() })

    let error = await bench.pipeline { $0.delegate = delegate }.imageTask(with: bench.url).failure()

    guard case .requestRefused(let reason)? = error, reason is Refusal else { return unexpected(error) }
    #expect(bench.loader.requests.isEmpty)
  }

  @Test("A request cancelled while the delegate prepares it is not sent")
  func cancelledWhileSigning() async {
    let (entered, hold) = (Latch(), Latch())
    let delegate = Scripted(willLoad: { address in
      entered.open()
      // A task that is cancelled while another thread starts it is told a little later.
      await withTaskCancellationHandler {
        await hold.wait()
      } onCancel: {
        hold.open()
      }
      return address
    })
    let pipeline = bench.pipeline { $0.delegate = delegate }
    let task = pipeline.imageTask(with: bench.url)
    await entered.wait()

    task.cancel()

    await until { pipeline.isIdle && pipeline.loadingCounts == (0, 0) }
    #expect(bench.loader.requests.isEmpty)
  }

  @Test("The delegate chooses the loader, caches and encoder of a request")
  func parts() async throws {
    struct PNG: ImageEncoding {
      func encode(_ image: Image) throws -> Data { Data(try ImageEncoder.encode(image, as: .png)) }
    }
    let (memory, disk, loader) = (RecordingImageCache(), RecordingDataCache(), ScriptedLoader())
    loader.answer(bench.url, with: try Pictures.jpeg(16, 8))
    let delegate = Scripted(loader: loader, encoder: PNG(), memory: memory, disk: disk)
    let pipeline = bench.pipeline { $0.delegate = delegate }

    _ = try await pipeline.image(for: ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")]))
    await pipeline.flush()

    #expect(bench.loader.requests.isEmpty && bench.memory.reads.isEmpty && bench.disk.reads.isEmpty)
    #expect(memory.writes.count == 1)
    let stored = try #require(disk.entries.values.first)
    #expect(ImageFormat(sniffing: stored.data.prefix(ImageFormat.sniffingLength)) == .png)
  }

  @Test("The delegate changes stored data or prevents storing it")
  func storing() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let delegate = Scripted(willStore: { data, isPicture in isPicture ? nil : data + [0] })
    let pipeline = bench.pipeline {
      $0.delegate = delegate
      $0.dataCachePolicy = .storeAll
    }
    let request = ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")])

    _ = try await pipeline.image(for: request)
    await pipeline.flush()

    #expect(bench.disk.writes == [try #require(DataCacheKey.original(request))])
    #expect(bench.disk.entries.values.first?.data.last == 0)
  }

  @Test("The delegate receives the events of each task in order")
  func events() async throws {
    let bytes = try Pictures.png(8, 4)
    bench.loader.answer(bench.url, with: bytes)
    bench.loader.hold(bench.other)
    let delegate = RecordingDelegate()
    let pipeline = bench.pipeline { $0.delegate = delegate }

    _ = try await pipeline.image(for: bench.url)
    _ = try await pipeline.image(for: bench.url)
    let cancelled = pipeline.imagePublisher(with: bench.other).record()
    await bench.loader.waitForLoad(of: bench.other)
    cancelled.cancel()
    // A caller may go on before the delegate has received the end.
    await until { delegate.lines.count { $0 == "finished" } == 2 }

    let tasks = delegate.tasks
    #expect(tasks.count == 3)
    let progress = "progress \(bytes.count) of \(bytes.count) bytes"
    #expect(delegate.lines(of: tasks[0]) == ["created", "started", progress, "finished"])
    #expect(delegate.lines(of: tasks[1]) == ["created", "started", "finished"])
    #expect(delegate.lines(of: tasks[2]) == ["created", "started", "failed: Loading was cancelled."])
  }

  @Test("The delegate decides which previews are delivered", arguments: [PreviewPolicy.none, .first, nil])
  func previews(_ policy: PreviewPolicy?) async throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 4 + 1, onDemand: true)
    let pipeline = bench.pipeline {
      $0.delegate = Scripted(policy: policy)
      $0.isProgressiveDecodingEnabled = true
    }
    let task = pipeline.imageTask(with: bench.url)
    let previews = task.previewPublisher.record()
    await bench.loader.waitForLoad(of: bench.url)
    for index in 1...3 {
      bench.loader.sendPiece(of: bench.url)
      await until { task.status.progress.completed >= index * (bytes.count / 4) }
      if policy == nil || policy == .first && index == 1 {
        _ = await previews.received(policy == nil ? index : 1)
      }
    }
    bench.loader.sendRest(of: bench.url)
    _ = await previews.ended()

    #expect(previews.values.count == (policy == PreviewPolicy.none ? 0 : policy == .first ? 1 : 3))
  }

  @Test("The delegate receives nothing after the end of a task cancelled during an event")
  func order() async throws {
    let bench = Bench()
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let delegate = RecordingDelegate()
    let pipeline = bench.pipeline { $0.delegate = delegate }
    let task = pipeline.imageTask(with: bench.url)
    // Hears of progress before the delegate does, and ends the task in between.
    let subscription = task.eventPublisher.sink { event in
      if case .progress(let progress) = event, progress.completed > 0 { task.cancel() }
    }
    await bench.loader.waitForLoad(of: bench.url)

    bench.loader.sendRest(of: bench.url)
    await until { delegate.lines(of: task).count == 4 && pipeline.isIdle }

    #expect(delegate.lines(of: task).last?.hasPrefix("failed") == true)
    #expect(delegate.lines(of: task).dropLast().last?.hasPrefix("progress") == true)
    subscription.cancel()
  }
}
