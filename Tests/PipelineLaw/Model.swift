import Foundation
import StreamImages
import StreamsExtras

/// What a program asks of a pipeline. Names are of a host and an image.
indirect enum Ask: Sendable {
  case image(String)
  case processed(String)
  case bytes(String)
  case encoded(String)
  /// An image whose closure asks for something else first, and is then processed.
  case montage(Ask)
  /// Bytes whose closure asks for something else.
  case copy(Ask)
  /// The encoded image of a montage.
  case print(Ask)
  /// An image that is stored when it is delivered.
  case stored(String)
  case removal(String)
  case flush
}

/// A few requests, and what may happen to them.
struct Model: Sendable {
  let name: String
  let asks: [Ask]
  var outcomes = Outcomes()
  /// The width of each queue, and the bytes of each budget.
  var width = 1
  var policy = ImagePipeline.DataCachePolicy.automatic
  /// What the delegate asks for before the load of an image.
  var beforeLoad: (name: String, ask: Ask)?
  /// How often another event than the first one of those that can end ends first.
  var reorderings = 1
  /// Whether all requests are there before anything ends.
  var beginsTogether = false
  /// How many requests are cancelled.
  var cancellations = 1
  /// Whether they may also be cancelled between two jobs, and not only when all wait for events.
  var cancelsBetweenJobs = false
  /// Whether the pipeline may be invalidated as well.
  var invalidates = false

  func with(_ change: (inout Model) -> Void) -> Model {
    var model = self
    change(&model)
    return model
  }

  fileprivate func configuration(_ parts: Parts) -> ImagePipeline.Configuration {
    var configuration = ImagePipeline.Configuration()
    configuration.dataLoader = parts.with(
      RetryMiddleware(
        maximumRetryCount: 1, jitter: 0, scheduler: StageScheduler(stage: parts.stage).eraseToAnyScheduler()))
    (configuration.dataCache, configuration.imageCache) = (parts, nil)
    (configuration.decoders, configuration.encoder) = ([parts], parts)
    (configuration.decoderRegistry, configuration.decodingIsolation) = (ImageDecoderRegistry(), .none)
    (configuration.loadingWidth, configuration.loadingWidthPerHost) = (width, width)
    (configuration.decodingWidth, configuration.processingWidth) = (width, width)
    configuration.encodingWidth = width
    (configuration.loadedByteBudget, configuration.storingByteBudget) = (width, width)
    (configuration.decodingByteBudget, configuration.recentByteLimit) = (width, 0)
    configuration.dataCachePolicy = policy
    return configuration
  }
}

/// One schedule of a model.
struct Play {
  private final class Delegate: ImagePipelineDelegate {
    let action: @Sendable (DataRequest) async throws -> Void

    init(_ action: @escaping @Sendable (DataRequest) async throws -> Void) { self.action = action }

    func willLoad(_ address: DataRequest, for request: ImageRequest) async throws -> DataRequest {
      try await action(address)
      return address
    }
  }

  private let model: Model
  private let stage = Stage()
  private let pipeline: ImagePipeline
  private let parts: Parts
  private let ended: Guarded<Set<Int>> = Guarded([])
  private var running: [Int: AnyCancellable] = [:]
  private var cancelled: Set<Int> = []
  private var isInvalidated = false
  private var reorderings: Int
  private(set) var story: [String] = []

  init(_ model: Model) {
    self.model = model
    reorderings = model.reorderings
    let names = Dictionary(
      ["one/a", "one/b", "two/a", "two/b"].flatMap { name -> [(DataCacheKey, String)] in
        let plain = ImageRequest(url: URL(string: "https://\(name)"))
        var processed = plain
        processed.processors = [Mark()]
        let variants = [plain, processed].compactMap(DataCacheKey.variant).map { ($0, "made \(name)") }
        return DataCacheKey.original(plain).map { variants + [($0, name)] } ?? variants
      }, uniquingKeysWith: { first, _ in first })
    parts = Parts(stage: stage, outcomes: model.outcomes, names: names)
    var configuration = model.configuration(parts)
    let made = Guarded<ImagePipeline?>(nil)
    if let (name, ask) = model.beforeLoad {
      configuration.delegate = Delegate { [parts] address in
        guard Parts.name(address.url) == name, let pipeline = made.withLock({ $0 }) else { return }
        try await Self.perform(ask, pipeline, parts)
      }
    }
    pipeline = ImagePipeline(configuration)
    made.withLock { [pipeline] in $0 = pipeline }
  }

  // MARK: Playing

  /// Plays until nothing can happen any more. Returns what is wrong, if anything is.
  mutating func run(_ search: inout Search) -> String? {
    JobHook.set(stage)
    defer { JobHook.set(nil) }
    var begun = 0
    while true {
      while stage.runJob(of: pipeline) {
        if model.cancelsBetweenJobs { cancel(search.choose(1 + abortions.count) - 1) }
      }
      let events = stage.events
      if let fault = fault(events) { return fault }
      let reachable = reorderings > 0 ? events[...] : events.prefix(1)
      let alternatives = reachable.reduce(0) { $0 + $1.outcomes.count }
      let begins = begun < model.asks.count ? 1 : 0
      guard begins + alternatives > 0 else { return verdict }
      let isFree = begins == 0 || !model.beginsTogether
      var choice = isFree ? search.choose(begins + alternatives + abortions.count) : 0
      if choice < begins {
        begin(begun)
        begun += 1
        continue
      }
      choice -= begins
      if choice >= alternatives {
        cancel(choice - alternatives)
        continue
      }
      var index = 0
      while choice >= events[index].outcomes.count {
        choice -= events[index].outcomes.count
        index += 1
      }
      if index > 0 { reorderings -= 1 }
      story.append("\(events[index].label): \(events[index].outcomes[choice])")
      stage.end(events[index], choice)
    }
  }

  /// What may be stopped now: requests, by number, and -1 for the pipeline.
  private var abortions: [Int] {
    guard cancelled.count < model.cancellations else { return [] }
    let open = running.keys.sorted().filter { !cancelled.contains($0) && !ended.withLock { $0 }.contains($0) }
    return open + (model.invalidates && !isInvalidated && !open.isEmpty ? [-1] : [])
  }

  private mutating func cancel(_ index: Int) {
    guard index >= 0 else { return }
    let number = abortions[index]
    cancelled.insert(number)
    story.append(number < 0 ? "invalidate" : "cancel \(number)")
    if number < 0 {
      isInvalidated = true
      pipeline.invalidate()
    } else {
      running[number]?.cancel()
    }
  }

  // MARK: Judging

  /// Time must not pass for one request while another waits for what it holds.
  private func fault(_ events: [Stage.Event]) -> String? {
    guard let first = events.first, first.label == StageScheduler.label, pipeline.waitingForPlaces > 0 else {
      return nil
    }
    return "A request waits for a place that another one holds while it waits for its retry"
  }

  private var verdict: String? {
    let (ended, cancelled) = (ended.withLock { $0 }, cancelled)
    let left = model.asks.indices.filter { !ended.contains($0) && !cancelled.contains($0) }
    if !left.isEmpty {
      let waiting = pipeline.waitingForPlaces
      return "These requests never end, and \(waiting) wait for places or room: \(left)"
    }
    if !pipeline.holdsNothing { return "All have ended, and the pipeline still holds something" }
    return nil
  }

  // MARK: Asking

  private mutating func begin(_ number: Int) {
    let ask = model.asks[number]
    story.append("begin \(number): \(ask)")
    let end: @Sendable () -> Void = { [ended] in _ = ended.withLock { $0.insert(number) } }
    let request = Self.request(ask, pipeline, parts)
    switch ask {
    case .image, .processed, .montage, .stored:
      running[number] = pipeline.imagePublisher(with: request)
        .sink(receiveCompletion: { _ in end() }, receiveValue: { _ in })
    case .bytes, .copy:
      running[number] = pipeline.dataPublisher(with: request)
        .sink(receiveCompletion: { _ in end() }, receiveValue: { _ in })
    case .encoded, .print:
      running[number] = pipeline.encodedImagePublisher(with: request)
        .sink(receiveCompletion: { _ in end() }, receiveValue: { _ in })
    case .removal, .flush:
      let task = Task.detached { [pipeline, parts] in
        try? await Self.perform(ask, pipeline, parts)
        end()
      }
      running[number] = AnyCancellable { task.cancel() }
    }
  }

  private static func perform(_ ask: Ask, _ pipeline: ImagePipeline, _ parts: Parts) async throws {
    let request = request(ask, pipeline, parts)
    switch ask {
    case .image, .processed, .montage, .stored: _ = try await pipeline.image(for: request)
    case .bytes, .copy: _ = try await pipeline.data(for: request)
    case .encoded, .print: _ = try await pipeline.encodedImage(for: request)
    case .removal: await pipeline.cache.remove(request)
    case .flush: await pipeline.flush()
    }
  }

  private static func request(_ ask: Ask, _ pipeline: ImagePipeline, _ parts: Parts) -> ImageRequest {
    switch ask {
    case .image(let name), .bytes(let name), .removal(let name): ImageRequest(url: url(name))
    case .processed(let name), .encoded(let name): ImageRequest(url: url(name), processors: [parts])
    case .stored(let name): ImageRequest(url: url(name), options: .waitForStorage)
    case .montage(let inner), .print(let inner):
      ImageRequest(
        id: "\(inner)",
        image: {
          try await perform(inner, pipeline, parts)
          return try await parts.supply()
        })
    case .copy(let inner):
      ImageRequest(
        id: "\(inner)",
        data: {
          try await perform(inner, pipeline, parts)
          return Data([1])
        })
    case .flush: ImageRequest(url: nil)
    }
  }

  private static func url(_ name: String) -> URL? { URL(string: "https://\(name)") }
}

/// A processor with the name of the parts.
private struct Mark: ImageProcessing {
  var identifier: String { "part" }
  func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image { image }
}
