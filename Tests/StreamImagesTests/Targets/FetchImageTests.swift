import Foundation
import StreamImages
import StreamsTesting
import Testing

@MainActor
@Suite("`FetchImage`", .timeLimit(.minutes(20)))
struct FetchImageTests {
  private let bench = Bench()

  private func wait(_ isSo: () -> Bool) async {
    while !isSo(), !Task.isCancelled { await Task.yield() }
  }

  private struct State: Equatable {
    var isLoading = false
    var fraction = 0.0
    var width: Int?
    var hasResult = false
  }

  @Test("`FetchImage` announces each change of a load before it happens")
  func loading() async throws {
    let bytes = try Pictures.png(8, 4)
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: (bytes.count + 1) / 2, onDemand: true)
    let picture = FetchImage(pipeline: bench.pipeline())
    let half = Double((bytes.count + 1) / 2) / Double(bytes.count)
    var states: [State] = []
    let changes = picture.objectWillChange.sink { @MainActor [unowned picture] _ in
      let state = State(
        isLoading: picture.isLoading, fraction: picture.progress.fraction, width: picture.image?.width,
        hasResult: picture.result != nil)
      if state != states.last { states.append(state) }
    }
    var (starts, ends) = (0, 0)
    picture.onStart = { _ in starts += 1 }
    picture.onCompletion = { _ in ends += 1 }

    picture.load(bench.url)
    #expect(picture.isLoading && picture.image == nil && starts == 1)
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await wait { picture.progress.fraction == half }
    bench.loader.sendRest(of: bench.url)
    await wait { !picture.isLoading }

    #expect(picture.image?.width == 8 && picture.progress.fraction == 1 && ends == 1)
    #expect(try picture.result?.get().image.width == 8)
    #expect(
      states == [
        State(), State(isLoading: true), State(isLoading: true, fraction: half),
        State(isLoading: true, fraction: 1), State(isLoading: true, fraction: 1, width: 8),
        State(fraction: 1, width: 8),
      ])
    changes.cancel()
  }

  @Test("A load that `onCompletion` starts continues, even if the publisher before it has published at once")
  func chain() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let pipeline = bench.pipeline()
    let picture = FetchImage(pipeline: pipeline)
    let cached = ImageResponse(
      request: ImageRequest(url: bench.other), decoded: DecodedImage(try Pictures.gradient(2, 1)))
    picture.onCompletion = { [unowned picture, bench] _ in
      picture.onCompletion = nil
      picture.load(pipeline.imagePublisher(with: bench.url))
    }

    picture.load(Just(cached).setFailureType(to: ImagePipeline.Error.self))
    try #require(pipeline.images.waitingCount == 1)
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendRest(of: bench.url)
    await wait { !picture.isLoading }

    #expect(picture.image?.width == 8)
    #expect(try picture.result?.get().image.width == 8)
  }

  @Test("A publisher that is replaced while it publishes at once changes nothing any more")
  func replaced() async throws {
    bench.loader.hold(bench.url)
    let pipeline = bench.pipeline()
    let picture = FetchImage(pipeline: pipeline)
    let cached = ImageResponse(
      request: ImageRequest(url: bench.other), decoded: DecodedImage(try Pictures.gradient(2, 1)))
    var ends = 0
    picture.onCompletion = { _ in ends += 1 }
    let shown = picture.$response.sink { @MainActor [unowned picture, bench] response in
      if response?.image.width == 2 { picture.load(pipeline.imagePublisher(with: bench.url)) }
    }

    picture.load(Just(cached).setFailureType(to: ImagePipeline.Error.self))

    #expect(picture.isLoading && picture.result == nil && ends == 0)
    #expect(pipeline.images.waitingCount == 1)
    shown.cancel()
    picture.cancel()
  }

  @Test("A cached image appears at once, and a cached preview stays during the load")
  func memory() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    _ = try await pipeline.image(for: bench.url)
    pipeline.cache[ImageRequest(url: bench.other)] = DecodedImage(
      try Pictures.gradient(2, 1), isPreview: true)
    bench.loader.hold(bench.other)
    let picture = FetchImage(pipeline: pipeline)

    picture.load(bench.url)
    #expect(picture.image?.width == 8 && !picture.isLoading && picture.result != nil)
    picture.load(bench.other)

    #expect(picture.image?.width == 2 && picture.isLoading && picture.response?.isPreview == true)
    picture.cancel()
  }

  @Test("An image whose task is cancelled on the main actor after its end is not shown")
  func lateCancellation() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let picture = FetchImage(pipeline: bench.pipeline())
    var (task, ends) = (ImageTask?.none, 0)
    picture.onStart = { task = $0 }
    picture.onCompletion = { _ in ends += 1 }

    picture.load(bench.url)
    let started = try #require(task)
    waitForEnd(of: started)
    started.cancel()
    await wait { !picture.isLoading }

    #expect(picture.image == nil && picture.result == nil && ends == 0)
  }

  @Test("An invalidated pipeline shows no image from memory")
  func invalidated() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    _ = try await pipeline.image(for: bench.url)
    let picture = FetchImage(pipeline: pipeline)
    pipeline.invalidate()

    picture.load(bench.url)
    await wait { !picture.isLoading }

    guard case .pipelineInvalidated? = picture.error else { return unexpected(picture.error) }
    #expect(picture.image == nil)
  }

  @Test("A response from memory has the request that the delegate prepared")
  func prepared() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline { $0.delegate = RecordingDelegate.marking }
    _ = try await pipeline.image(for: bench.url)
    let picture = FetchImage(pipeline: pipeline)

    picture.load(bench.url)

    #expect(picture.response?.request.isMarked == true)
    #expect(try picture.result?.get().request.isMarked == true)
  }

  @Test("A cached image starts no load and calls the completion")
  func startsInMemory() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    _ = try await pipeline.image(for: bench.url)
    let picture = FetchImage(pipeline: pipeline)
    var (starts, ends) = (0, 0)
    picture.onStart = { _ in starts += 1 }
    picture.onCompletion = { _ in ends += 1 }

    picture.load(bench.url)

    #expect(starts == 0 && ends == 1)
  }

  @Test("A late result of an earlier load is not shown")
  func generations() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    bench.loader.answer(bench.other, with: try Pictures.png(16, 4), onDemand: true)
    let picture = FetchImage(pipeline: bench.pipeline())
    picture.load(bench.url)
    await bench.loader.waitForLoad(of: bench.url)

    picture.load(bench.other)
    await bench.loader.waitForLoad(of: bench.other)
    bench.loader.sendRest(of: bench.url)
    bench.loader.sendRest(of: bench.other)
    await wait { !picture.isLoading && bench.loader.departures(from: bench.url) == 1 }

    #expect(picture.image?.width == 16)
  }

  @Test("Cancelling stops the load and keeps the preview, and a reset removes it")
  func cancelling() async throws {
    bench.loader.hold(bench.url)
    let pipeline = bench.pipeline()
    pipeline.cache[ImageRequest(url: bench.url)] = DecodedImage(try Pictures.gradient(2, 1), isPreview: true)
    let picture = FetchImage(pipeline: pipeline)
    var ends = 0
    picture.onCompletion = { _ in ends += 1 }
    picture.load(bench.url)
    await bench.loader.waitForLoad(of: bench.url)
    #expect(picture.isLoading)

    picture.cancel()
    #expect(picture.image?.width == 2 && !picture.isLoading && picture.result == nil)
    await wait { bench.loader.departures(from: bench.url) == 1 && pipeline.isIdle }
    picture.reset()

    #expect(picture.image == nil && picture.result == nil && ends == 0)
  }

  @Test("A reset clears the progress")
  func progressAfterReset() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let picture = FetchImage(pipeline: bench.pipeline())
    picture.load(bench.url)
    await wait { !picture.isLoading }
    #expect(picture.progress.fraction == 1)

    picture.reset()

    #expect(picture.progress == LoadProgress())
  }

  @Test("`FetchImage` reports an error for a missing request and for a failed load")
  func failing() async {
    let picture = FetchImage(pipeline: bench.pipeline())

    picture.load(ImageRequest?.none)
    guard case .imageRequestMissing? = picture.error else { return unexpected(picture.error) }
    picture.load(bench.url)
    await wait { !picture.isLoading }

    guard case .dataLoadingFailed(.cannotResolve)? = picture.error else { return unexpected(picture.error) }
    #expect(picture.image == nil)
  }

  @Test("An equal request is not loaded again, and a different one is")
  func reloading() async {
    bench.loader.hold(bench.url)
    let picture = FetchImage(pipeline: bench.pipeline())
    var starts = 0
    picture.onStart = { _ in starts += 1 }

    picture.load(bench.url)
    picture.load(bench.url)
    #expect(starts == 1)
    picture.processors = [ScriptedProcessor("a")]
    picture.load(bench.url)
    picture.load(ImageRequest(url: bench.url, options: .disableDiskCacheWrites))

    #expect(starts == 3)
    picture.reset()
  }

  @Test(
    "A view that disappears keeps, cancels or deprioritizes its load, and resumes when it appears",
    arguments: [FetchImage.DisappearBehavior.nothing, .cancel, .lowerPriority])
  func disappearing(_ behavior: FetchImage.DisappearBehavior) async {
    bench.loader.hold(bench.url)
    let picture = FetchImage(pipeline: bench.pipeline())
    var task: ImageTask?
    picture.onStart = { task = $0 }
    picture.disappearBehavior = behavior
    picture.priority = .high
    picture.load(bench.url)

    picture.disappear()
    #expect(task?.isCancelled == (behavior == .cancel))
    #expect(task?.priority == (behavior == .lowerPriority ? .veryLow : .high))
    picture.appear()

    #expect(picture.isLoading && task?.isCancelled == false && task?.priority == .high)
    picture.priority = .low
    #expect(task?.priority == .low)
    picture.reset()
  }

  @Test("Without a priority of its own, `FetchImage` loads with that of the request, also from then on")
  func usualPriority() {
    bench.loader.hold(bench.url)
    let picture = FetchImage(pipeline: bench.pipeline())
    var task: ImageTask?
    picture.onStart = { task = $0 }
    var request = ImageRequest(url: bench.url)
    request.priority = .low
    picture.priority = .high
    picture.load(request)
    #expect(task?.priority == .high)

    picture.priority = nil
    #expect(task?.priority == .low)

    picture.priority = .high
    picture.cancel()
    picture.load(request)
    picture.disappear()
    picture.priority = nil
    picture.appear()
    #expect(task?.isCancelled == false && task?.priority == .low)
    picture.reset()
  }

  @Test("The priority of a load that was lowered out of sight changes when the view appears")
  func loweredPriority() {
    bench.loader.hold(bench.url)
    let picture = FetchImage(pipeline: bench.pipeline())
    var task: ImageTask?
    picture.onStart = { task = $0 }
    picture.disappearBehavior = .lowerPriority
    picture.load(bench.url)

    picture.disappear()
    for priority in [.high, nil, .low] as [ImageRequest.Priority?] {
      picture.priority = priority
      #expect(task?.priority == .veryLow)
    }
    picture.appear()

    #expect(task?.priority == .low)
    picture.reset()
  }

  @Test("Releasing `FetchImage` cancels its load")
  func going() async {
    bench.loader.hold(bench.url)
    var picture: FetchImage? = FetchImage(pipeline: bench.pipeline())
    var task: ImageTask?
    picture?.onStart = { task = $0 }
    picture?.load(bench.url)

    picture = nil

    #expect(picture == nil && task?.isCancelled == true)
  }

  @Test("`FetchImage` shows the last image of a publisher, or its failure")
  func publishers() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    let picture = FetchImage(pipeline: pipeline)

    picture.load(
      pipeline.lowThenHigh(
        ImageRequest(url: bench.url, processors: [.resize(width: 4)]), ImageRequest(url: bench.url)))
    await wait { !picture.isLoading }
    #expect(picture.image?.width == 8 && picture.error == nil)
    picture.load(pipeline.imagePublisher(with: bench.other))
    await wait { !picture.isLoading }

    #expect(picture.image == nil && picture.error != nil)
  }

  @Test(
    "The delegate prepares a request once, whether or not it is in memory",
    arguments: [true, false])
  func preparedOnce(_ isInMemory: Bool) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let count = Shared(0)
    let delegate = RecordingDelegate { request in
      count.change { $0 += 1 }
      return request
    }
    let pipeline = bench.pipeline { $0.delegate = delegate }
    if isInMemory { _ = try await pipeline.image(for: bench.url) }
    let (picture, target) = (FetchImage(pipeline: pipeline), Display())
    var options = ImageLoadingOptions()
    options.pipeline = pipeline

    count.change { $0 = 0 }
    picture.load(bench.url)
    #expect(count.value == 1)
    loadImage(with: bench.url, options: options, into: target)

    #expect(count.value == 2)
    picture.cancel()
    cancelRequest(for: target)
  }
}
