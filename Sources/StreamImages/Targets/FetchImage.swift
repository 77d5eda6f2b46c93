public import Foundation
public import Streams

/// Loads an image for a view, and publishes the state of the load.
///
/// ```swift
/// let image = FetchImage()
/// image.load(url)
/// view.subscription = image.objectWillChange.sink { view.setNeedsDisplay() }
/// ```
///
/// Late results of an earlier load never replace those of a later one.
@MainActor
public final class FetchImage: ObservableObject {
  /// The effect on a load when its view disappears.
  public enum DisappearBehavior: Sendable, Hashable {
    /// The load continues.
    case nothing
    /// The load is cancelled. That of a request starts again when the view appears.
    case cancel
    /// The load of a request continues with the lowest priority until the view appears.
    case lowerPriority
  }

  /// The result of the last load; `nil` before its end.
  @Published public private(set) var result: Result<ImageResponse, ImagePipeline.Error>?

  /// The image or a preview of it; `nil` if there is none.
  @Published public private(set) var response: ImageResponse?

  /// Whether a load is in progress.
  @Published public private(set) var isLoading = false

  /// The progress of the load.
  @Published public private(set) var progress = LoadProgress()

  /// The image of ``response``.
  public var image: Image? { response?.image }

  /// The error of the last load; `nil` if it did not fail.
  public var error: ImagePipeline.Error? {
    if case .failure(let error)? = result { error } else { nil }
  }

  /// The pipeline. A change affects the next load.
  public var pipeline: ImagePipeline

  /// Processors for requests that have none.
  public var processors: [any ImageProcessing] = []

  /// The priority of the load; `nil` uses that of the request.
  public var priority: ImageRequest.Priority? { didSet { updatePriority() } }

  /// The effect on a load when its view disappears. Loads are cancelled by default.
  public var disappearBehavior = DisappearBehavior.cancel

  /// Called when the load of a request starts. An image in memory is not loaded.
  public var onStart: (@MainActor (ImageTask) -> Void)?

  /// Called when a load ends, unless it is cancelled.
  public var onCompletion: (@MainActor (Result<ImageResponse, ImagePipeline.Error>) -> Void)?

  private var request: ImageRequest?
  private var task: ImageTask?
  private var subscription: AnyCancellable?
  /// The priority of the load without ``priority``.
  private var usualPriority = ImageRequest.Priority.normal
  private var isOutOfSight = false
  private var isLowered = false
  /// Increases with each load and each cancellation.
  private var number = 0

  /// Creates an object without an image.
  public init(pipeline: ImagePipeline = .shared) { self.pipeline = pipeline }

  deinit { task?.cancel() }

  // MARK: Loading

  /// Loads an image. If it is in memory, it is set when this function returns.
  ///
  /// An earlier load is cancelled, and its image removed. If the same request is being loaded already, nothing
  /// happens.
  ///
  /// - Parameter request: Fails with ``ImagePipeline/Error/imageRequestMissing`` if it is `nil`.
  public func load(_ request: ImageRequest?) {
    let request = request.map(processed)
    if let request, request == self.request, isLoading { return }
    reset()
    guard let request else { return end(.failure(.imageRequestMissing)) }
    self.request = request
    let prepared = pipeline.prepared(prioritized(request))
    usualPriority = priority == nil ? prepared.priority : request.priority
    if let found = pipeline.hit(prepared) {
      let found = ImageResponse(request: prepared, decoded: found)
      response = found
      if !found.isPreview { return end(.success(found)) }
    }
    isLoading = true
    let task = pipeline.makeTask(prepared: prepared)
    self.task = task
    subscription = task.eventPublisher.sink { @MainActor [weak self] event in
      if let self, self.task == task { self.receive(event, isAbandoned: task.isAbandoned) }
    }
    onStart?(task)
    pipeline.run(task) { _ in }
  }

  /// Loads the image at a URL.
  public func load(_ url: URL?) { load(url.map { ImageRequest(url: $0) }) }

  /// Shows the images that a publisher sends, for example with several steps, a fallback or retries.
  ///
  /// Each image replaces the one before. The load ends with the publisher, and without an image it fails with
  /// ``ImagePipeline/Error/dataIsEmpty``.
  public func load<Source: Publisher>(_ publisher: Source)
  where Source.Output == ImageResponse, Source.Failure == ImagePipeline.Error {
    reset()
    let number = number
    isLoading = true
    // It may publish at once, and those who are notified may begin another load.
    let subscription = publisher.sink { @MainActor [weak self] completion in
      guard let self, self.number == number else { return }
      switch completion {
      case .failure(let error): self.end(.failure(error))
      case .finished: self.end(self.response.map { .success($0) } ?? .failure(.dataIsEmpty))
      }
    } receiveValue: { @MainActor [weak self] response in
      if let self, self.number == number { self.response = response }
    }
    if self.number == number, isLoading { self.subscription = subscription }
  }

  /// Cancels the load and keeps what is shown.
  public func cancel() {
    number += 1
    isLowered = false
    let gone = (task, subscription)
    (task, subscription) = (nil, nil)
    gone.1?.cancel()
    gone.0?.cancel()
    if isLoading { isLoading = false }
  }

  /// Cancels the load and clears everything.
  public func reset() {
    cancel()
    request = nil
    if response != nil { response = nil }
    if result != nil { result = nil }
    if progress != LoadProgress() { progress = LoadProgress() }
  }

  // MARK: Visibility

  /// Call this when the view disappears; see ``disappearBehavior``.
  public func disappear() {
    isOutOfSight = true
    switch disappearBehavior {
    case .nothing: break
    case .cancel: cancel()
    case .lowerPriority:
      isLowered = true
      updatePriority()
    }
  }

  /// Call this when the view appears. The cancelled load of a request starts again, and a lowered priority is restored.
  public func appear() {
    guard isOutOfSight else { return }
    (isOutOfSight, isLowered) = (false, false)
    if task != nil {
      updatePriority()
    } else if result == nil, let request {
      load(request)
    }
  }

  private func updatePriority() { task?.priority = isLowered ? .veryLow : priority ?? usualPriority }

  private func processed(_ request: ImageRequest) -> ImageRequest {
    var request = request
    if request.processors.isEmpty { request.processors = processors }
    return request
  }

  private func prioritized(_ request: ImageRequest) -> ImageRequest {
    var request = request
    if let priority { request.priority = priority }
    return request
  }

  private func receive(_ event: ImageTask.Event, isAbandoned: Bool) {
    switch event {
    case _ where isAbandoned: if case .finished(let result) = event { end(result, isCancelled: true) }
    case .progress(let value): if value != progress { progress = value }
    case .preview(let response): self.response = response
    case .finished(let result):
      if case .success(let response) = result { self.response = response }
      end(result)
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
