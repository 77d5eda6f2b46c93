public import Foundation
public import Streams

/// Loads images from memory, disk or the network, and processes them.
///
/// ```swift
/// let request = ImageRequest(url: url, processors: [.resize(width: 320)])
/// let subscription = ImagePipeline.shared.imagePublisher(with: request)
///   .sink { completion in
///     if case .failure(let error) = completion { report(error) }
///   } receiveValue: { response in
///     show(response.image)
///   }
/// ```
///
/// Concurrent requests for the same image share one load. The load is cancelled when its last subscriber cancels. Call
/// all members from any thread. Images in the memory cache are delivered synchronously, unless the request has
/// ``ImageRequest/Options/waitForStorage``; others asynchronously.
public final class ImagePipeline: Sendable {
  /// The pipeline that is used where no other is given. It needs no configuration; assign to it to replace it.
  public static var shared: ImagePipeline {
    get { current.withLock { $0 } }
    set {
      let old = current.withLock { current in
        defer { current = newValue }
        return current
      }
      withExtendedLifetime(old) {}
    }
  }

  private static let current = Guarded(ImagePipeline())

  /// The configuration that the pipeline was created with.
  public let configuration: Configuration

  let memory: MemoryStage
  let disk: DiskStage
  let load: LoadStage
  let decode: DecodeStage
  let process: ProcessStage
  let store: StoreStage
  let check: CheckStage
  package let loaded: ByteBudget
  /// Limits how many images and loaded bytes are looked up in the disk cache at a time. Each is a task, and thousands may be
  /// requested at once.
  let lookups = WorkQueue("lookups", width: 64)
  package let images = JobTable<ImageJobKey, DecodedImage>()
  package let originals = JobTable<DataJobKey, EncodedImage>()
  /// Its numbers differ from those of ``images``, because what both make is stored under one key.
  package let encodings = JobTable<EncodingJobKey, EncodedVariant>(after: 1 << 63)
  let instruments = Instruments()
  let permits = StorePermits<StorePlace>(whole: \.whole)
  let isInvalidated = CancellationFlag()

  /// Creates a pipeline.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
    let dependencies = ResolvedDependencies(configuration)
    memory = MemoryStage(dependencies: dependencies)
    loaded = ByteBudget(limit: configuration.loadedByteBudget)
    let pendingWrites = PendingWrites(limit: configuration.storingByteBudget)
    let recents = RecentOriginals(byteLimit: configuration.recentByteLimit)
    disk = DiskStage(
      dependencies: dependencies, policy: configuration.dataCachePolicy, pendingWrites: pendingWrites,
      recents: recents)
    store = StoreStage(
      dependencies: dependencies, policy: configuration.dataCachePolicy,
      queue: WorkQueue("encoding", width: configuration.encodingWidth), pendingWrites: pendingWrites,
      recents: recents,
      onError: configuration.onStorageError, instruments: instruments)
    load = LoadStage(
      dependencies: dependencies, limits: configuration.loadLimits.bounded,
      conditions: configuration.networkConditions,
      queue: WorkQueue("loading", width: configuration.loadingWidth),
      hosts: HostQueues(width: configuration.loadingWidthPerHost),
      limiter: configuration.rateLimit.map { RateLimiter($0, scheduler: configuration.scheduler) },
      showsPreviews: configuration.isProgressiveDecodingEnabled, store: store, loaded: loaded)
    check = CheckStage(queue: WorkQueue("checking", width: 1), disk: disk)
    decode = DecodeStage(
      registry: configuration.decoderRegistry, decoders: configuration.decoders,
      delegate: configuration.delegate, limits: configuration.decodingLimits,
      queue: WorkQueue(
        "decoding", width: configuration.decodingWidth, capacity: configuration.decodingByteBudget),
      isolation: IsolatedDecoders(
        configuration.decodingIsolation, limits: configuration.decodingLimits))
    process = ProcessStage(queue: WorkQueue("processing", width: configuration.processingWidth))
  }

  /// Creates a pipeline with the default configuration, changed by `configure`.
  public convenience init(_ configure: (inout Configuration) -> Void) {
    var configuration = Configuration()
    configure(&configuration)
    self.init(configuration)
  }

  // MARK: Publishers

  /// Returns a publisher of the image; see ``ImagePublisher``.
  ///
  /// It publishes previews first, if there are any and `includesPreviews` is true. Pass `false` if you take one value
  /// only, as `first()` does.
  public func imagePublisher(
    with request: ImageRequest, includingPreviews includesPreviews: Bool = true
  ) -> ImagePublisher {
    ImagePublisher(request: request, pipeline: self, includesPreviews: includesPreviews)
  }

  /// Returns a publisher of the image at a URL. It fails if the URL is `nil`.
  public func imagePublisher(with url: URL?) -> ImagePublisher {
    imagePublisher(with: ImageRequest(url: url))
  }

  /// Returns a publisher of the loaded bytes; see ``DataPublisher``.
  public func dataPublisher(with request: ImageRequest) -> DataPublisher {
    DataPublisher(request: request, pipeline: self, isEncoded: false)
  }

  /// Returns a publisher of the bytes at a URL. It fails if the URL is `nil`.
  public func dataPublisher(with url: URL?) -> DataPublisher { dataPublisher(with: ImageRequest(url: url)) }

  /// Returns a publisher of the encoded image, as a server sends it to its clients.
  ///
  /// For a request with processors, a thumbnail or an ``ImageRequest/encoding``, the image is processed and then
  /// encoded in the format that the request names, or by the pipeline's encoder. ``DataResponse/contentType`` is that
  /// of the encoded format. The policy decides whether the encoded image is stored in the disk cache. A stored one is
  /// returned without decoding it. Other requests return the loaded bytes, once their header shows an image within the
  /// limits. An image that a closure supplies is always encoded.
  ///
  /// Concurrent requests for the same image share one load and one encoding. Fails with ``Error/encodingFailed(_:)``
  /// if the encoder throws; otherwise as ``DataPublisher``.
  public func encodedImagePublisher(with request: ImageRequest) -> DataPublisher {
    DataPublisher(request: request, pipeline: self, isEncoded: true)
  }

  /// Returns a publisher of the encoded image at a URL. It fails if the URL is `nil`.
  public func encodedImagePublisher(with url: URL?) -> DataPublisher {
    encodedImagePublisher(with: ImageRequest(url: url))
  }

  /// Returns a publisher of the events of a request: progress, previews, and the image.
  ///
  /// Demand works as for ``ImagePublisher``: the latest event that was not requested is kept, and the last one waits
  /// for demand. Failures are sent as failures, not as events.
  public func imageEvents(with request: ImageRequest) -> AnyPublisher<ImageTask.Event, Error> {
    ResultPublisher("ImageEvents") { [self] subscription in
      let task = makeTask(request)
      run(task) { event in
        switch event {
        case .progress, .preview: subscription.show(event)
        case .finished(.success): subscription.finish(event)
        case .finished(.failure(let error)): subscription.fail(error)
        }
      }
      return AnyCancellable { task.cancel() }
    }
    .eraseToAnyPublisher()
  }

  /// A publisher of the time that each step takes. It never completes, and nothing is measured without a subscriber.
  public var stageEvents: AnyPublisher<StageEvent, Never> { instruments.events }

  /// Whether ``stageEvents`` has a subscriber. Otherwise nothing is measured.
  package var isMeasuring: Bool { instruments.isMeasuring }

  // MARK: Async

  /// Loads an image. Cancelling the task cancels the request and throws ``Error/cancelled``.
  public func image(for request: ImageRequest) async throws(Error) -> Image {
    try await response(for: request).image
  }

  /// Loads the image at a URL. Throws if the URL is `nil`.
  public func image(for url: URL?) async throws(Error) -> Image {
    try await image(for: ImageRequest(url: url))
  }

  /// Loads an image and returns it with its metadata.
  public func response(for request: ImageRequest) async throws(Error) -> ImageResponse {
    if Task.isCancelled { throw .cancelled }
    return try await imageTask(with: request).response
  }

  /// Loads the image at a URL and returns it with its metadata. Throws if the URL is `nil`.
  public func response(for url: URL?) async throws(Error) -> ImageResponse {
    try await response(for: ImageRequest(url: url))
  }

  /// Loads bytes. They need not be an image.
  public func data(for request: ImageRequest) async throws(Error) -> DataResponse {
    if Task.isCancelled { throw .cancelled }
    return try await dataTask(with: request).response
  }

  /// Loads the bytes at a URL. Throws if the URL is `nil`.
  public func data(for url: URL?) async throws(Error) -> DataResponse {
    try await data(for: ImageRequest(url: url))
  }

  /// Loads and encodes an image; see ``encodedImagePublisher(with:)-(ImageRequest)``.
  public func encodedImage(for request: ImageRequest) async throws(Error) -> DataResponse {
    if Task.isCancelled { throw .cancelled }
    let request = prepared(request)
    if let hit = encodedHit(request) { return hit }
    let task = DataTask(request)
    run(task, isEncoded: true) { _ in }
    return try await task.response
  }

  /// Loads and encodes the image at a URL. Throws if the URL is `nil`.
  public func encodedImage(for url: URL?) async throws(Error) -> DataResponse {
    try await encodedImage(for: ImageRequest(url: url))
  }

  // MARK: The whole

  /// Waits until everything delivered so far is stored, or could not be.
  ///
  /// Storing continues in the background after an image is delivered. Call this before the program exits.
  public func flush() async { await store.flush() }

  /// Fails all loads in flight, and all later ones, with ``Error/pipelineInvalidated``.
  public func invalidate() {
    isInvalidated.set()
    images.close(.pipelineInvalidated)
    originals.close(.pipelineInvalidated)
    encodings.close(.pipelineInvalidated)
  }

  /// Whether nothing is in flight except storing.
  package var isIdle: Bool {
    let queues = [load.queue, decode.queue, process.queue]
    return images.count == 0 && originals.count == 0 && encodings.count == 0
      && queues.allSatisfy { $0.counts == (0, 0) }
  }

  /// How many computations have a thread, or get one now.
  package var computations: Int { computing.reduce(0) { $0 + $1.counts.running } }

  /// Returns once no thread holds anything of computations that have ended.
  package func settle() {
    for lane in computing.flatMap(\.idleLanes) { lane.sync {} }
  }

  private var computing: [WorkQueue] { [decode.queue, process.queue, store.queue, check.queue] }
  private var queues: [WorkQueue] { computing + [load.queue, lookups] }

  /// How many requests wait for a place in some queue, or for room.
  package var waitingForPlaces: Int {
    queues.reduce(loaded.waitingCount) { $0 + $1.counts.waiting }
  }

  /// Whether every place and every byte of the budgets was given back.
  package var holdsNothing: Bool {
    isIdle && loaded.byteCount == 0 && load.hosts.count == 0
      && queues.allSatisfy { $0.counts == (0, 0) }
  }

  package var loadingCounts: (waiting: Int, running: Int) { load.queue.counts }
  package var decodingCounts: (waiting: Int, running: Int) { decode.queue.counts }

  /// Starts a load for one subscriber.
  func begin(
    _ request: ImageRequest, includingPreviews includesPreviews: Bool,
    _ subscription: ResultSubscription<ImageResponse, Error>
  ) -> AnyCancellable {
    let task = makeTask(request)
    run(task) { event in
      switch event {
      case .progress: break
      case .preview(let response): if includesPreviews { subscription.show(response) }
      case .finished(.success(let response)): subscription.finish(response)
      case .finished(.failure(let error)): subscription.fail(error)
      }
    }
    return AnyCancellable { task.cancel() }
  }

  func begin(
    _ request: ImageRequest, isEncoded: Bool, _ subscription: ResultSubscription<DataResponse, Error>
  ) -> AnyCancellable {
    let request = prepared(request)
    if isEncoded, let hit = encodedHit(request) {
      subscription.finish(hit)
      return AnyCancellable {}
    }
    let task = DataTask(request)
    run(task, isEncoded: isEncoded) { event in
      switch event {
      case .progress, .preview: break
      case .finished(.success(let response)): subscription.finish(response)
      case .finished(.failure(let error)): subscription.fail(error)
      }
    }
    return AnyCancellable { task.cancel() }
  }
}
