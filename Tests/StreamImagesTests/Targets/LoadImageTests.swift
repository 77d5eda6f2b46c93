import Foundation
import StreamImages
import StreamsTesting
import Testing

/// Writes down what it is to show.
@MainActor
final class Display: ImageDisplaying {
  let imageSlot = ImageSlot()
  private(set) var shown: [ImageDisplay] = []

  func display(_ display: ImageDisplay) { shown.append(display) }

  var roles: [ImageDisplay.Role] { shown.map(\.role) }
}

@MainActor
@Suite("`loadImage(with:into:)`", .timeLimit(.minutes(20)))
struct LoadImageTests {
  private let bench = Bench()
  private let target = Display()

  private func options(_ configure: (inout ImageLoadingOptions) -> Void = { _ in }) -> ImageLoadingOptions {
    var options = ImageLoadingOptions()
    options.pipeline = bench.pipeline { $0.isProgressiveDecodingEnabled = true }
    configure(&options)
    return options
  }

  @Test("An image in memory is displayed before the function returns, without a transition")
  func memory() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let options = options { $0.transition = .fadeIn() }
    _ = try await #require(options.pipeline).image(for: bench.url)
    var always = options
    always.alwaysTransitions = true

    let task = loadImage(with: bench.url, options: options, into: target)
    loadImage(with: bench.url, options: always, into: target)

    #expect(task == nil && target.roles == [.picture, .picture])
    #expect(target.shown.map(\.transition) == [.none, .fadeIn()])
  }

  @Test("An image whose task is cancelled on the main actor after its end is not displayed")
  func lateCancellation() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let calls = Shared(0)
    let task = try #require(
      loadImage(with: bench.url, options: options(), into: target) { _ in calls.change { $0 += 1 } })

    // Without leaving the main actor, so that the event is not delivered meanwhile.
    waitForEnd(of: task)
    task.cancel()
    while target.imageSlot.isLoading, !Task.isCancelled { await Task.yield() }

    #expect(target.roles == [.placeholder] && calls.value == 0)
  }

  @Test("An invalidated pipeline displays no image from memory")
  func invalidated() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let options = options()
    let pipeline = try #require(options.pipeline)
    _ = try await pipeline.image(for: bench.url)
    pipeline.invalidate()
    let (results, finished) = (Shared<[Result<ImageResponse, ImagePipeline.Error>]>([]), Latch())

    loadImage(with: bench.url, options: options, into: target) { result in
      results.change { $0.append(result) }
      finished.open()
    }
    await finished.wait()

    guard case .failure(.pipelineInvalidated)? = results.value.first else { return unexpected(results.value) }
    #expect(target.roles == [.placeholder] && results.value.count == 1)
  }

  @Test("A response from memory has the request that the delegate prepared")
  func prepared() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let options = options { $0.pipeline = bench.pipeline { $0.delegate = RecordingDelegate.marking } }
    _ = try await #require(options.pipeline).image(for: bench.url)
    let requests = Shared<[ImageRequest?]>([])

    loadImage(with: bench.url, options: options, into: target) { result in
      requests.change { $0.append(try? result.get().request) }
    }

    #expect(requests.value.map { $0?.isMarked } == [true])
  }

  @Test("The placeholder and then the image are displayed, each with its options")
  func placeholder() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let tint = Image.Pixel(red: 1, green: 2, blue: 3, alpha: 255)
    let placeholder = try Pictures.gradient(1, 1)
    let options = options {
      $0.placeholder = placeholder
      $0.contentModes = .init(success: .fill, failure: .center, placeholder: .fit)
      $0.tints.placeholder = tint
      $0.transition = .crossDissolve()
      $0.processors = [ScriptedProcessor("a")]
    }

    let (results, finished) = (Shared(0), Latch())
    let task = loadImage(with: bench.url, options: options, into: target) { result in
      results.change { $0 += 1 }
      finished.open()
    }
    await finished.wait()

    #expect(target.roles == [.placeholder, .picture] && results.value == 1)
    #expect(target.shown.map(\.contentMode) == [.fit, .fill])
    #expect(target.shown.map(\.tint) == [tint, nil])
    #expect(target.shown.map(\.transition) == [.none, .crossDissolve()])
    #expect(task?.request.processors.count == 1 && !target.imageSlot.isLoading)
  }

  @Test("Previews are displayed if enabled, and progress is reported", arguments: [true, false])
  func previews(_ showsPreviews: Bool) async throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 2 + 1, onDemand: true)
    let (finished, previewed) = (Latch(), Latch())
    let fractions = Shared<[Double]>([])

    loadImage(
      with: ImageRequest(url: bench.url), options: options { $0.showsPreviews = showsPreviews }, into: target,
      progress: { preview, progress in
        if preview != nil { previewed.open() }
        fractions.change { $0.append(progress.fraction) }
      }, completion: { _ in finished.open() })
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await previewed.wait()
    bench.loader.sendRest(of: bench.url)
    await finished.wait()

    #expect(target.roles == (showsPreviews ? [.placeholder, .preview, .picture] : [.placeholder, .picture]))
    #expect(fractions.value.last == 1 && fractions.value == fractions.value.sorted())
  }

  @Test("The failure image is displayed, and without one nothing changes")
  func failure() async throws {
    let image = try Pictures.gradient(2, 2)
    let options = options {
      $0.failureImage = image
      $0.failureTransition = .fadeIn(.seconds(1))
      $0.contentModes.failure = .center
      $0.preparesForReuse = false
    }
    let finished = Latch(2)
    var plain = options
    plain.failureImage = nil

    loadImage(with: bench.url, options: options, into: target, completion: { _ in finished.open() })
    let second = Display()
    loadImage(with: bench.url, options: plain, into: second, completion: { _ in finished.open() })
    await finished.wait()

    #expect(target.roles == [.failure] && target.shown[0].image == image)
    #expect(target.shown[0].contentMode == .center && target.shown[0].transition == .fadeIn(.seconds(1)))
    #expect(second.shown.isEmpty)
  }

  @Test("A missing request fails immediately")
  func noRequest() throws {
    let image = try Pictures.gradient(2, 2)
    var error: ImagePipeline.Error?

    let task = loadImage(
      with: ImageRequest?.none, options: options { $0.failureImage = image }, into: target,
      completion: { if case .failure(let failure) = $0 { error = failure } })

    guard case .imageRequestMissing? = error else { return unexpected(error) }
    #expect(task == nil && target.roles == [.failure])
  }

  @Test("A new load cancels the target's previous one and displays nothing of it")
  func reuse() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    bench.loader.answer(bench.other, with: try Pictures.png(16, 4))
    let options = options()
    let (first, second) = (Shared(0), Latch())

    let task = loadImage(
      with: bench.url, options: options, into: target, completion: { _ in first.change { $0 += 1 } })
    await bench.loader.waitForLoad(of: bench.url)
    loadImage(with: bench.other, options: options, into: target, completion: { _ in second.open() })
    bench.loader.sendRest(of: bench.url)
    await second.wait()

    #expect(task?.isCancelled == true && first.value == 0)
    #expect(target.shown.compactMap(\.image?.width) == [16])
  }

  @Test("A load ends when its request is cancelled or its target is released")
  func ending() async throws {
    bench.loader.hold(bench.url)
    bench.loader.hold(bench.other)
    let options = options()
    let finished = Shared(0)

    let first = loadImage(
      with: bench.url, options: options, into: target, completion: { _ in finished.change { $0 += 1 } })
    cancelRequest(for: target)
    var passing: Display? = Display()
    let second = loadImage(with: bench.other, options: options, into: passing!)
    #expect(passing?.imageSlot.isLoading == true)
    passing = nil

    #expect(first?.isCancelled == true && second?.isCancelled == true && finished.value == 0)
    #expect(target.roles == [.placeholder])
  }

  @Test("The current image stays during a load if reuse is not prepared")
  func keeping() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    bench.loader.answer(bench.other, with: try Pictures.png(16, 4))
    let options = options { $0.preparesForReuse = false }
    for url in [bench.url, bench.other] {
      let finished = Latch()
      loadImage(with: url, options: options, into: target, completion: { _ in finished.open() })
      await finished.wait()
    }

    #expect(target.roles == [.picture, .picture])
  }

  @Test("A cached variant is displayed until the image is loaded")
  func variant() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let small = ImageRequest(url: bench.url, processors: [.resize(width: 4)])
    let options = options { $0.placeholderRequests = [ImageRequest(url: bench.other), small] }
    _ = try await #require(options.pipeline).image(for: small)
    let finished = Latch()

    loadImage(with: bench.url, options: options, into: target, completion: { _ in finished.open() })
    await finished.wait()

    #expect(target.shown.map(\.image?.width) == [4, 8])
  }

  @Test("Omitted options are taken from the shared options")
  func shared() async throws {
    defer { ImageLoadingOptions.shared = ImageLoadingOptions() }
    let pipeline = bench.pipeline()
    ImageLoadingOptions.shared.pipeline = pipeline
    ImageLoadingOptions.shared.priority = .veryHigh
    bench.loader.hold(bench.url)

    let task = loadImage(with: bench.url, into: target)

    #expect(task?.priority == .veryHigh)
    cancelRequest(for: target)
  }
}

@Suite("`ImageTransition`")
struct ImageTransitionTests {
  @Test(
    "The progress of a transition follows its duration",
    arguments: [
      (.none, 0.0, 1.0), (.fadeIn(.seconds(2)), 1, 0.5), (.fadeIn(.seconds(2)), 9, 1),
      (.crossDissolve(.seconds(2)), -1, 0), (ImageTransition(style: .custom("flip"), duration: .zero), 0, 1),
    ] as [(ImageTransition, Double, Double)])
  func progress(_ row: (transition: ImageTransition, seconds: Double, progress: Double)) {
    #expect(row.transition.progress(after: .seconds(row.seconds)) == row.progress)
  }

  @Test("A transition publishes its steps on a scheduler")
  func steps() {
    let scheduler = VirtualScheduler.virtual
    let recorder = ImageTransition.fadeIn(.seconds(1)).steps(perSecond: 4, on: scheduler).record()
    let none = ImageTransition.none.steps(on: scheduler).record()

    scheduler.advance(by: 0.5)
    #expect(recorder.values == [0, 0.25, 0.5] && none.values == [1])
    scheduler.advance(by: 0.5)

    #expect(recorder.values == [0, 0.25, 0.5, 0.75, 1] && recorder.completions.count == 1)
  }
}
