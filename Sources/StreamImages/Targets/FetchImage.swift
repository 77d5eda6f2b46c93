public import Foundation
public import Streams

/// A picture for a view to show: what is known of it, at every moment.
///
/// ```swift
/// let picture = FetchImage()
/// picture.load(url)
/// view.subscription = picture.objectWillChange.sink { view.setNeedsDisplay() }
/// ```
///
/// What comes late of an earlier load never takes the place of what comes of a later one.
@MainActor
public final class FetchImage: ObservableObject {
  /// What happens to a load when the view that shows it goes out of sight.
  public enum DisappearBehavior: Sendable, Hashable {
    /// It goes on as before.
    case nothing
    /// It is cancelled, and begins again when the view is back.
    case cancel
    /// It goes on with the lowest priority, until the view is back.
    case lowerPriority
  }

  /// How the last load ended; `nil` before that.
  @Published public private(set) var result: Result<ImageResponse, ImagePipeline.Error>?

  /// The picture, or a preview of it; `nil` if there is none.
  @Published public private(set) var response: ImageResponse?

  /// Whether a load is under way.
  @Published public private(set) var isLoading = false

  /// How far the load is.
  @Published public private(set) var progress = LoadProgress()

  /// The picture to draw: that of ``response``.
  public var image: Image? { response?.image }

  /// Why the last load ended without a picture; `nil` if it did not.
  public var error: ImagePipeline.Error? {
    if case .failure(let error)? = result { error } else { nil }
  }

  /// Who loads. A change counts from the next load on.
  public var pipeline: ImagePipeline

  /// For requests without processors.
  public var processors: [any ImageProcessing] = []

  /// That of the load; `nil` for what the request says.
  public var priority: ImageRequest.Priority? {
    didSet { if let priority { task?.priority = priority } }
  }

  /// What happens when the view goes out of sight. Loads are cancelled by default.
  public var disappearBehavior = DisappearBehavior.cancel

  /// Called when a load begins. An image that is in memory is not loaded.
  public var onStart: (@MainActor (ImageTask) -> Void)?

  /// Called when a load ends, unless it is cancelled.
  public var onCompletion: (@MainActor (Result<ImageResponse, ImagePipeline.Error>) -> Void)?

  private var request: ImageRequest?
  private var task: ImageTask?
  private var subscription: AnyCancellable?
  private var isOutOfSight = false

  /// One that shows nothing yet.
  public init(pipeline: ImagePipeline = .shared) { self.pipeline = pipeline }

  deinit { task?.cancel() }

  // MARK: Loading

  /// Loads a picture. A picture that is in memory is there when this returns.
  ///
  /// Another load is cancelled, and what it has shown goes. If the same is being loaded already, nothing happens.
  ///
  /// - Parameter request: Without one, it fails with ``ImagePipeline/Error/imageRequestMissing``.
  public func load(_ request: ImageRequest?) {
    let request = request.map(prepared)
    if let request, request == self.request, isLoading { return }
    reset()
    guard let request else { return end(.failure(.imageRequestMissing)) }
    self.request = request
    let prepared = pipeline.prepared(request)
    if let found = pipeline.memory(prepared) {
      response = ImageResponse(request: request, decoded: found)
      if !found.isPreview { return end(.success(ImageResponse(request: request, decoded: found))) }
    }
    isLoading = true
    let task = pipeline.makeTask(prepared: prepared)
    self.task = task
    subscription = task.eventPublisher.sink { @MainActor [weak self] event in
      if let self, self.task == task { self.receive(event) }
    }
    onStart?(task)
    pipeline.run(task) { _ in }
  }

  /// The same for a URL.
  public func load(_ url: URL?) { load(url.map { ImageRequest(url: $0) }) }

  /// Shows what a publisher sends: several steps, a fallback, a retry.
  ///
  /// Each value takes the place of the one before; the load ends with the publisher.
  public func load<Source: Publisher>(_ publisher: Source)
  where Source.Output == ImageResponse, Source.Failure == ImagePipeline.Error {
    reset()
    isLoading = true
    subscription = publisher.sink { @MainActor [weak self] completion in
      guard let self else { return }
      switch completion {
      case .failure(let error): self.end(.failure(error))
      case .finished: self.end(self.response.map { .success($0) } ?? .failure(.dataIsEmpty))
      }
    } receiveValue: { @MainActor [weak self] response in
      self?.response = response
    }
  }

  /// Ends the load. What is shown stays.
  public func cancel() {
    let gone = (task, subscription)
    (task, subscription) = (nil, nil)
    gone.1?.cancel()
    gone.0?.cancel()
    if isLoading { isLoading = false }
  }

  /// Ends the load and forgets everything.
  public func reset() {
    cancel()
    request = nil
    if response != nil { response = nil }
    if result != nil { result = nil }
    if progress != LoadProgress() { progress = LoadProgress() }
  }

  // MARK: Coming and going

  /// The view is out of sight; see ``disappearBehavior``.
  public func disappear() {
    isOutOfSight = true
    switch disappearBehavior {
    case .nothing: break
    case .cancel: cancel()
    case .lowerPriority: task?.priority = .veryLow
    }
  }

  /// The view is back: what was cancelled is loaded again, what was put off gets its priority back.
  public func appear() {
    guard isOutOfSight else { return }
    isOutOfSight = false
    if let task {
      task.priority = priority ?? task.request.priority
    } else if result == nil, let request {
      load(request)
    }
  }

  private func prepared(_ request: ImageRequest) -> ImageRequest {
    var request = request
    if request.processors.isEmpty { request.processors = processors }
    if let priority { request.priority = priority }
    return request
  }

  private func receive(_ event: ImageTask.Event) {
    switch event {
    case .progress(let value): if value != progress { progress = value }
    case .preview(let response): self.response = response
    case .finished(let result):
      if case .success(let response) = result { self.response = response }
      end(result, isCancelled: task?.isCancelled ?? false)
    }
  }

  private func end(_ result: Result<ImageResponse, ImagePipeline.Error>, isCancelled: Bool = false) {
    (task, subscription) = (nil, nil)
    if isLoading { isLoading = false }
    if isCancelled { return }
    self.result = result
    onCompletion?(result)
  }
}
