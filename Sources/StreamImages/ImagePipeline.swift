public import Foundation
internal import Streams

/// Loads pictures: from memory, from the disk, from the network, and through processors.
///
/// ```swift
/// let request = ImageRequest(url: url, processors: [.resize(width: 320)])
/// let subscription = ImagePipeline.shared.imagePublisher(with: request)
///   .sink { completion in … } receiveValue: { response in show(response.image) }
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

  public let configuration: Configuration

  let memory: MemoryStage
  let disk: DiskStage
  let load: LoadStage
  let decode: DecodeStage
  let process: ProcessStage
  let store: StoreStage
  package let images = JobTable<ImageJobKey, DecodedImage>()
  package let originals = JobTable<DataJobKey, EncodedImage>()
  private let isInvalidated = CancellationFlag()

  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
    memory = MemoryStage(cache: configuration.imageCache)
    let backlog = Backlog(limit: configuration.storingByteBudget)
    let recents = RecentOriginals()
    disk = DiskStage(
      cache: configuration.dataCache, policy: configuration.dataCachePolicy, backlog: backlog,
      recents: recents)
    store = StoreStage(
      memory: configuration.imageCache, disk: configuration.dataCache, policy: configuration.dataCachePolicy,
      encoder: configuration.encoder, queue: WorkQueue("encoding", width: configuration.encodingWidth),
      backlog: backlog, recents: recents, onError: configuration.onStorageError)
    load = LoadStage(
      loader: configuration.dataLoader, limits: configuration.loadLimits,
      queue: WorkQueue("loading", width: configuration.loadingWidth), store: store)
    decode = DecodeStage(
      decoders: configuration.decoders, limits: configuration.decodingLimits,
      queue: WorkQueue(
        "decoding", width: configuration.decodingWidth, capacity: configuration.decodingByteBudget))
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
  /// - Parameter includesPreviews: Whether unfinished pictures are published on the way, if there are any. With
  ///   `first()` and the like, which take one value, they had better not.
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
    DataPublisher(request: request, pipeline: self)
  }

  /// The same for a URL. Without one, it fails.
  public func dataPublisher(with url: URL?) -> DataPublisher { dataPublisher(with: ImageRequest(url: url)) }

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

  public func data(for url: URL?) async throws(Error) -> DataResponse {
    try await data(for: ImageRequest(url: url))
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
  }

  /// Whether nothing is under way but storing.
  package var isIdle: Bool {
    let queues = [load.queue, decode.queue, process.queue]
    return images.count == 0 && originals.count == 0 && queues.allSatisfy { $0.counts == (0, 0) }
  }

  package var loadingCounts: (waiting: Int, running: Int) { load.queue.counts }
  package var decodingCounts: (waiting: Int, running: Int) { decode.queue.counts }

  /// Work for one subscriber.
  func begin(
    _ request: ImageRequest, includingPreviews includesPreviews: Bool,
    _ delivery: Delivery<ImageResponse, Error>
  ) -> AnyCancellable {
    if isInvalidated.isSet {
      delivery.fail(.pipelineInvalidated)
      return AnyCancellable {}
    }
    return delivered(request, Urgency(request.priority)).sink { completion in
      delivery.end(completion)
    } receiveValue: { decoded in
      var decoded = decoded
      decoded.fresh = nil
      let response = ImageResponse(request: request, decoded: decoded)
      if !decoded.isPreview { delivery.finish(response) } else if includesPreviews { delivery.show(response) }
    }
  }

  func begin(_ request: ImageRequest, _ delivery: Delivery<DataResponse, Error>) -> AnyCancellable {
    delivered(bytesOf: request, Urgency(request.priority)).sink { completion in
      delivery.end(completion)
    } receiveValue: { encoded in
      if !encoded.isPreview { delivery.finish(DataResponse(request: request, encoded: encoded)) }
    }
  }
}

extension Delivery where Failure == ImagePipeline.Error {
  /// Work that ends without a value has failed; after the value, nothing changes.
  fileprivate func end(_ completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .failure(let error): fail(error)
    case .finished: fail(.dataIsEmpty)
    }
  }
}
