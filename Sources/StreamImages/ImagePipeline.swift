public import Foundation
public import Streams

/// Loads pictures: from memory, from the disk, from the network, and through processors.
///
/// ```swift
/// let request = ImageRequest(url: url, processors: [.resize(width: 320)])
/// let subscription = ImagePipeline.shared.imagePublisher(with: request)
///   .sink { _ in
///   } receiveValue: { response in
///     show(response.image)
///   }
/// ```
///
/// Who asks for what somebody else is waiting for shares the work. Nothing is done for those who have cancelled.
/// All operations may be called from any thread; values arrive on whatever thread made them, if not at once.
public final class ImagePipeline: Sendable {
  /// What parts of a program use that do not have a pipeline of their own. Works as it is; may be replaced.
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

  /// What it was made of. Fixed.
  public let configuration: Configuration

  let memory: MemoryStage
  let disk: DiskStage
  let load: LoadStage
  let decode: DecodeStage
  let process: ProcessStage
  let store: StoreStage
  let check: CheckStage
  /// Holds a place for each encoded image, from before it is loaded until it is encoded.
  package let making: WorkQueue
  /// The same for each host. Not those of loading: who holds a place there would wait for another of its own kind.
  package let makingOfHosts: HostQueues
  package let loaded: ByteBudget
  package let images = JobTable<ImageJobKey, DecodedImage>()
  package let originals = JobTable<DataJobKey, EncodedImage>()
  package let encodings = JobTable<EncodingJobKey, EncodedVariant>()
  let instruments = Instruments()
  let numbers = Guarded<UInt64>(0)
  let permits = StorePermits<StorePlace>()
  let isInvalidated = CancellationFlag()

  /// A pipeline of these parts.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
    let parts = Parts(configuration)
    memory = MemoryStage(parts: parts)
    loaded = ByteBudget(limit: configuration.loadedByteBudget)
    let backlog = Backlog(limit: configuration.storingByteBudget)
    let recents = RecentOriginals(byteLimit: configuration.recentByteLimit)
    disk = DiskStage(
      parts: parts, policy: configuration.dataCachePolicy, backlog: backlog, recents: recents)
    store = StoreStage(
      parts: parts, policy: configuration.dataCachePolicy,
      queue: WorkQueue("encoding", width: configuration.encodingWidth), backlog: backlog, recents: recents,
      onError: configuration.onStorageError)
    load = LoadStage(
      parts: parts, limits: configuration.loadLimits, conditions: configuration.networkConditions,
      queue: WorkQueue("loading", width: configuration.loadingWidth),
      hosts: HostQueues(width: configuration.loadingWidthPerHost),
      limiter: configuration.rateLimit.map { RateLimiter($0, scheduler: configuration.scheduler) },
      showsPreviews: configuration.isProgressiveDecodingEnabled, store: store, loaded: loaded)
    check = CheckStage(queue: WorkQueue("checking", width: 1), disk: disk)
    decode = DecodeStage(
      registry: configuration.decoderRegistry, decoders: configuration.decoders,
      delegate: configuration.delegate, limits: configuration.decodingLimits,
      queue: WorkQueue(
        "decoding", width: configuration.decodingWidth, capacity: configuration.decodingByteBudget))
    making = WorkQueue("making", width: configuration.loadingWidth)
    makingOfHosts = HostQueues(width: configuration.loadingWidthPerHost)
    process = ProcessStage(queue: WorkQueue("processing", width: configuration.processingWidth))
  }

  /// A pipeline that differs from the default in what `configure` changes.
  public convenience init(_ configure: (inout Configuration) -> Void) {
    var configuration = Configuration()
    configure(&configuration)
    self.init(configuration)
  }

  // MARK: Publishers

  /// A publisher of the picture of `request`; see ``ImagePublisher``.
  ///
  /// Unfinished pictures are published on the way, if there are any and `includesPreviews` is true. With `first()` and
  /// the like, which take one value, it had better not be.
  public func imagePublisher(
    with request: ImageRequest, includingPreviews includesPreviews: Bool = true
  ) -> ImagePublisher {
    ImagePublisher(request: request, pipeline: self, includesPreviews: includesPreviews)
  }

  /// The same for a URL. Without one, it fails.
  public func imagePublisher(with url: URL?) -> ImagePublisher {
    imagePublisher(with: ImageRequest(url: url))
  }

  /// A publisher of the bytes of `request`; see ``DataPublisher``.
  public func dataPublisher(with request: ImageRequest) -> DataPublisher {
    DataPublisher(request: request, pipeline: self, isEncoded: false)
  }

  /// The same for a URL. Without one, it fails.
  public func dataPublisher(with url: URL?) -> DataPublisher { dataPublisher(with: ImageRequest(url: url)) }

  /// A publisher of the image of `request`, encoded: what a server sends to its clients.
  ///
  /// For a request with processors, a thumbnail or an ``ImageRequest/encoding``, the image is processed and then encoded: in
  /// the format that the request names, or by the pipeline's encoder. ``DataResponse/contentType`` is that of the encoded
  /// format. The encoded image is stored in the disk cache as the policy says, and read from there without being decoded.
  /// Other requests return the bytes that were loaded, once their header shows an image within the limits. An image that is
  /// supplied by a closure is always encoded.
  ///
  /// Concurrent requests for the same image share one load and one encoding. Fails with ``Error/encodingFailed(_:)`` if
  /// the encoder throws; otherwise as ``DataPublisher``.
  public func encodedImagePublisher(with request: ImageRequest) -> DataPublisher {
    DataPublisher(request: request, pipeline: self, isEncoded: true)
  }

  /// The same for a URL. Without one, it fails.
  public func encodedImagePublisher(with url: URL?) -> DataPublisher {
    encodedImagePublisher(with: ImageRequest(url: url))
  }

  /// A publisher of all that happens to a request: how far the load is, previews, and the picture.
  ///
  /// As ``ImagePublisher``; of events that are not asked for, the latest is kept, and the end waits. Failures come as
  /// failures.
  public func imageEvents(with request: ImageRequest) -> AnyPublisher<ImageTask.Event, Error> {
    DeliveryPublisher("ImageEvents") { [self] delivery in
      let task = makeTask(request)
      run(task) { event in
        switch event {
        case .progress, .preview: delivery.show(event)
        case .finished(.success): delivery.finish(event)
        case .finished(.failure(let error)): delivery.fail(error)
        }
      }
      return AnyCancellable { task.cancel() }
    }
    .eraseToAnyPublisher()
  }

  /// What the pipeline spends time on, as it is done. It measures only while somebody subscribes; it never completes.
  public var stageEvents: AnyPublisher<StageEvent, Never> { instruments.events }

  // MARK: Async

  /// Waits for the picture. Cancelling the task cancels the request and throws ``Error/cancelled``.
  public func image(for request: ImageRequest) async throws(Error) -> Image {
    try await response(for: request).image
  }

  /// The same for a URL. Without one, it throws.
  public func image(for url: URL?) async throws(Error) -> Image {
    try await image(for: ImageRequest(url: url))
  }

  /// Waits for the picture and what is known of it.
  public func response(for request: ImageRequest) async throws(Error) -> ImageResponse {
    try await lastValue(of: imagePublisher(with: request))
  }

  /// The same for a URL. Without one, it throws.
  public func response(for url: URL?) async throws(Error) -> ImageResponse {
    try await response(for: ImageRequest(url: url))
  }

  /// Waits for the bytes. They need not be those of a picture.
  public func data(for request: ImageRequest) async throws(Error) -> DataResponse {
    try await lastValue(of: dataPublisher(with: request))
  }

  /// The same for an address.
  public func data(for url: URL?) async throws(Error) -> DataResponse {
    try await data(for: ImageRequest(url: url))
  }

  /// Returns the encoded image; see ``encodedImagePublisher(with:)-(ImageRequest)``.
  public func encodedImage(for request: ImageRequest) async throws(Error) -> DataResponse {
    if let hit = encodedHit(prepared(request)) {
      if Task.isCancelled { throw .cancelled }
      return hit
    }
    return try await lastValue(of: encodedImagePublisher(with: request))
  }

  /// The same for a URL. Without one, it throws.
  public func encodedImage(for url: URL?) async throws(Error) -> DataResponse {
    try await encodedImage(for: ImageRequest(url: url))
  }

  // MARK: The whole

  /// Waits until all pictures delivered so far are where they are to be kept.
  ///
  /// Storing goes on behind the program's back; a program that ends should wait for it.
  public func flush() async { await store.flush() }

  /// Fails all that is under way, and all that comes later, with ``Error/pipelineInvalidated``.
  public func invalidate() {
    isInvalidated.set()
    images.close(.pipelineInvalidated)
    originals.close(.pipelineInvalidated)
    encodings.close(.pipelineInvalidated)
  }

  /// Whether nothing is under way but storing.
  package var isIdle: Bool {
    let queues = [load.queue, decode.queue, process.queue]
    return images.count == 0 && originals.count == 0 && encodings.count == 0
      && queues.allSatisfy { $0.counts == (0, 0) }
  }

  package var loadingCounts: (waiting: Int, running: Int) { load.queue.counts }
  package var decodingCounts: (waiting: Int, running: Int) { decode.queue.counts }

  /// Work for one subscriber.
  func begin(
    _ request: ImageRequest, includingPreviews includesPreviews: Bool,
    _ delivery: Delivery<ImageResponse, Error>
  ) -> AnyCancellable {
    let task = makeTask(request)
    run(task) { event in
      switch event {
      case .progress: break
      case .preview(let response): if includesPreviews { delivery.show(response) }
      case .finished(.success(let response)): delivery.finish(response)
      case .finished(.failure(let error)): delivery.fail(error)
      }
    }
    return AnyCancellable { task.cancel() }
  }

  func begin(
    _ request: ImageRequest, isEncoded: Bool, _ delivery: Delivery<DataResponse, Error>
  ) -> AnyCancellable {
    let request = prepared(request)
    if isEncoded, let hit = encodedHit(request) {
      delivery.finish(hit)
      return AnyCancellable {}
    }
    let task = DataTask(request)
    run(task, isEncoded: isEncoded) { event in
      switch event {
      case .progress, .preview: break
      case .finished(.success(let response)): delivery.finish(response)
      case .finished(.failure(let error)): delivery.fail(error)
      }
    }
    return AnyCancellable { task.cancel() }
  }
}
