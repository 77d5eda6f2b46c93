import Foundation
import StreamImages
import StreamsTesting
import Testing

@MainActor
@Suite("Images that a target shows", .timeLimit(.minutes(1)))
struct DisplayRuleTests {
  private let bench = Bench()
  private let target = Display()

  private func options(_ configure: (inout ImageLoadingOptions) -> Void = { _ in }) -> ImageLoadingOptions {
    var options = ImageLoadingOptions()
    options.pipeline = bench.pipeline()
    configure(&options)
    return options
  }

  private func load(_ request: ImageRequest, _ options: ImageLoadingOptions) async {
    let finished = Latch()
    loadImage(with: request, options: options, into: target) { _ in finished.open() }
    await finished.wait()
  }

  @Test("By default, targets are cleared, show previews, have no transitions, and are filled")
  func defaults() {
    let options = ImageLoadingOptions()

    #expect(options.preparesForReuse && options.showsPreviews && !options.alwaysTransitions)
    #expect(options.contentModes.success == .fill && options.contentModes.failure == .fill)
    #expect(options.contentModes.placeholder == .fill)
    #expect(options.transition == .none && options.failureTransition == .none)
    #expect(ImageDisplay(image: nil, role: .picture).contentMode == .fill)
    #expect(ImageDisplay(image: nil, role: .picture).transition == .none)
  }

  @Test(
    "A placeholder is shown if there is one, and nothing is shown only to clear the target",
    arguments: [
      (true, true, [.placeholder, .picture]), (true, false, [.placeholder, .picture]),
      (false, true, [.placeholder, .picture]), (false, false, [.picture]),
    ] as [(Bool, Bool, [ImageDisplay.Role])])
  func placeholders(_ row: (hasImage: Bool, prepares: Bool, roles: [ImageDisplay.Role])) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let placeholder = row.hasImage ? try Pictures.gradient(1, 1) : nil

    await load(
      ImageRequest(url: bench.url),
      options {
        ($0.placeholder, $0.preparesForReuse) = (placeholder, row.prepares)
      })

    #expect(target.roles == row.roles)
    #expect(target.shown.map(\.image?.width) == (row.roles.count == 2 ? [placeholder?.width, 8] : [8]))
  }

  @Test("A preview in memory is shown after the placeholder, with the options of the image")
  func preview() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let tint = Image.Pixel(red: 1, green: 2, blue: 3)
    let options = options {
      $0.contentModes.success = .center
      $0.tints.success = tint
      $0.transition = .fadeIn()
    }
    let request = ImageRequest(url: bench.url)
    options.pipeline?.cache[request] = DecodedImage(try Pictures.gradient(1, 1), isPreview: true)

    await load(request, options)

    #expect(target.roles == [.placeholder, .preview, .picture])
    #expect(target.shown.map(\.contentMode) == [.fill, .center, .center])
    #expect(target.shown.map(\.tint) == [nil, tint, tint])
    #expect(target.shown.map(\.transition) == [.none, .none, .fadeIn()])
  }

  @Test("Only images from memory are shown without the transition, unless it is always wanted")
  func transitions() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let options = options {
      $0.transition = .fadeIn()
      $0.preparesForReuse = false
    }
    var always = options
    always.alwaysTransitions = true
    let pipeline = try #require(options.pipeline)

    await load(ImageRequest(url: bench.url), options)
    await pipeline.flush()
    await load(ImageRequest(url: bench.url), options)
    await load(ImageRequest(url: bench.url), always)
    bench.memory.removeAll()
    await load(ImageRequest(url: bench.url), options)

    #expect(target.shown.map(\.transition) == [.fadeIn(), .none, .fadeIn(), .fadeIn()])
    #expect(bench.loader.loads(of: bench.url) == 1)
  }

  @Test("A failure is shown in its own content mode, tint and transition")
  func failure() async throws {
    let tint = Image.Pixel(red: 1, green: 2, blue: 3)
    let image = try Pictures.gradient(2, 2)
    await load(
      ImageRequest(url: bench.url),
      options {
        ($0.failureImage, $0.tints.failure, $0.contentModes.failure) = (image, tint, .fit)
        $0.failureTransition = .crossDissolve()
      })

    #expect(target.roles == [.placeholder, .failure])
    #expect(target.shown.last?.tint == tint && target.shown.last?.contentMode == .fit)
    #expect(target.shown.last?.transition == .crossDissolve() && target.shown.last?.image == image)
  }

  @Test("The options' processors apply to requests without their own, and their priority to all")
  func settings() {
    bench.loader.hold(bench.url)
    let options = options {
      $0.processors = [ScriptedProcessor("a")]
      $0.priority = .high
    }

    let tasks = [[], [ScriptedProcessor("b")]].map { processors in
      loadImage(with: ImageRequest(url: bench.url, processors: processors), options: options, into: target)
    }
    cancelRequest(for: target)

    #expect(tasks.map { $0?.request.processors.map(\.identifier) } == [["scripted a"], ["scripted b"]])
    #expect(tasks.map { $0?.request.priority } == [.high, .high])
  }
}

@Suite("Steps of `ImageTransition`")
struct TransitionStepTests {
  @Test("Transitions have the styles of their names, and last half a second by default")
  func styles() {
    #expect(ImageTransition.fadeIn() == ImageTransition(style: .fadeIn, duration: .milliseconds(500)))
    #expect(
      ImageTransition.crossDissolve() == ImageTransition(style: .crossDissolve, duration: .milliseconds(500)))
    #expect(ImageTransition.none == ImageTransition(style: .none, duration: .zero))
  }

  @Test(
    "The progress is 1 without a style or a duration, and otherwise the share of the time, from 0 to 1",
    arguments: [
      (.none, 2, 0.0, 1.0), (.none, 2, 1, 1), (.fadeIn, 0, 0, 1), (.fadeIn, 0, 1, 1), (.fadeIn, -1, 0.5, 1),
      (.fadeIn, 4, 0, 0), (.fadeIn, 4, 1, 0.25), (.fadeIn, 4, 4, 1), (.fadeIn, 4, 5, 1), (.fadeIn, 4, -1, 0),
    ] as [(ImageTransition.Style, Double, Double, Double)])
  func progress(_ row: (style: ImageTransition.Style, duration: Double, elapsed: Double, progress: Double)) {
    let transition = ImageTransition(style: row.style, duration: .seconds(row.duration))

    #expect(transition.progress(after: .seconds(row.elapsed)) == row.progress)
  }

  @Test("A transition may be as long, and its rate as high, as the types allow")
  func extremes() {
    let scheduler = VirtualScheduler.virtual
    for (duration, rate) in [
      (.seconds(Int64.max), 60), (.seconds(Int64.max), 1), (.seconds(1), Int.max),
      (.seconds(Int64.max), Int.max),
    ] as [(Duration, Int)] {
      let recorder = ImageTransition.fadeIn(duration).steps(perSecond: rate, on: scheduler)
        .record(demand: .max(1))
      scheduler.advance()

      #expect(recorder.values == [0] && recorder.completions.isEmpty)
      recorder.cancel()
    }
  }

  /// The steps, and the milliseconds after which they arrive.
  private func steps(_ style: ImageTransition.Style, _ duration: Double, rate: Int) -> (
    times: [Int], steps: [Double]
  ) {
    let scheduler = VirtualScheduler.virtual
    let times = Shared<[Int]>([])
    let recorder = ImageTransition(style: style, duration: .seconds(duration)).steps(
      perSecond: rate, on: scheduler
    )
    .record { recorder in
      recorder.onValue = { _, _ in
        times.change { $0.append(Int((Double(scheduler.now.elapsed.nanoseconds) / 1e6).rounded())) }
      }
    }
    scheduler.run()
    #expect(recorder.completions.count == 1)
    return (times.value, recorder.values)
  }

  @Test("A transition has at least one step, and otherwise as many as its time and the rate allow")
  func counts() {
    for (style, duration, rate, count) in [
      (ImageTransition.Style.fadeIn, 1.0, 4, 4), (.fadeIn, 3, 0, 3), (.fadeIn, 3, -5, 3),
      (.fadeIn, 0.01, 4, 1),
      (.crossDissolve, 0.5, 60, 30), (.fadeIn, 2, 1, 2), (.custom("a"), 0.35, 10, 4),
    ] as [(ImageTransition.Style, Double, Int, Int)] {
      let found = steps(style, duration, rate: rate)
      #expect(found.steps == (0...count).map { Double($0) / Double(count) }, "\(style) \(duration) \(rate)")
      let times = (0...count).map { Int((Double($0) * duration / Double(count) * 1_000).rounded()) }
      #expect(found.times.count == times.count && zip(found.times, times).allSatisfy { abs($0 - $1) <= 1 })
    }
    for (style, duration) in [(ImageTransition.Style.none, 1.0), (.fadeIn, 0), (.fadeIn, -1)]
      as [(ImageTransition.Style, Double)]
    {
      let found = steps(style, duration, rate: 4)
      #expect(found.steps == [1] && found.times == [0])
    }
  }
}
