public import Foundation
public import Streams
public import StreamsFoundation

extension ImagePipeline {
  /// Loads a picture as a task, from now on.
  public func imageTask(with request: ImageRequest) -> ImageTask {
    let task = makeTask(request)
    run(task) { _ in }
    return task
  }

  /// The same for a URL. Without one, it fails.
  public func imageTask(with url: URL?) -> ImageTask { imageTask(with: ImageRequest(url: url)) }

  /// Loads bytes as a task, from now on.
  public func dataTask(with request: ImageRequest) -> DataTask {
    let task = DataTask(prepared(request))
    run(task) { _ in }
    return task
  }

  /// The same for a URL. Without one, it fails.
  public func dataTask(with url: URL?) -> DataTask { dataTask(with: ImageRequest(url: url)) }

  // MARK: With closures

  /// Loads a picture and calls back.
  ///
  /// `completion` is called once, and not at all if the task is cancelled. If that happens on `scheduler`, nothing is
  /// called afterwards.
  ///
  /// - Parameters:
  ///   - request: Without one, it fails with ``Error/imageRequestMissing``.
  ///   - scheduler: Where both closures are called. The main queue has to be serviced: by an asynchronous `main`, by
  ///     `dispatchMain()` or by a run loop.
  ///   - progress: Is told each unfinished picture, if there are any, and how far the load is.
  ///   - completion: Is told the picture, or why there is none.
  @discardableResult
  public func loadImage(
    with request: ImageRequest?, on scheduler: AnySchedulerOf<DispatchQueue> = .main,
    progress: ((_ preview: ImageResponse?, _ progress: LoadProgress) -> Void)? = nil,
    completion: @escaping (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    let task = request.map { makeTask($0) } ?? ImageTask(ImageRequest(url: nil))
    task.call(on: scheduler, progress: progress, completion: completion)
    if request == nil { task.receive(.finished(.failure(.imageRequestMissing))) }
    run(task) { _ in }
    return task
  }

  /// The same for a URL.
  @discardableResult
  public func loadImage(
    with url: URL?, on scheduler: AnySchedulerOf<DispatchQueue> = .main,
    progress: ((_ preview: ImageResponse?, _ progress: LoadProgress) -> Void)? = nil,
    completion: @escaping (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    loadImage(with: ImageRequest(url: url), on: scheduler, progress: progress, completion: completion)
  }

  /// Loads bytes and calls back, as `loadImage(with:on:progress:completion:)` does.
  @discardableResult
  public func loadData(
    with request: ImageRequest, on scheduler: AnySchedulerOf<DispatchQueue> = .main,
    progress: ((LoadProgress) -> Void)? = nil, completion: @escaping (Result<DataResponse, Error>) -> Void
  ) -> DataTask {
    let task = DataTask(prepared(request))
    var hear: ((DataResponse?, LoadProgress) -> Void)?
    if let progress { hear = { progress($1) } }
    task.call(on: scheduler, progress: hear, completion: completion)
    run(task) { _ in }
    return task
  }

  // MARK: Running

  func prepared(_ request: ImageRequest) -> ImageRequest {
    configuration.delegate?.prepare(request) ?? request
  }

  func makeTask(_ request: ImageRequest) -> ImageTask { makeTask(prepared: prepared(request)) }

  /// The same for a request that the delegate has seen.
  func makeTask(prepared request: ImageRequest) -> ImageTask {
    let task = ImageTask(request)
    configuration.delegate?.taskCreated(task)
    return task
  }

  /// - Parameter hear: Is told all events, in order.
  func run(_ task: ImageTask, _ hear: @escaping @Sendable (ImageTask.Event) -> Void) {
    let delegate = configuration.delegate
    let observer: @Sendable (ImageTask.Event) -> Void = { [weak task] event in
      if let task { delegate?.task(task, didReceive: event) }
      hear(event)
    }
    guard task.start(observer: observer) else { return }
    if isInvalidated.isSet {
      task.receive(.finished(.failure(.pipelineInvalidated)))
      return
    }
    delegate?.taskDidStart(task)
    let hit = memory(task.request)
    if let hit, isAll(hit, of: task.request) {
      task.receive(.finished(.success(ImageResponse(request: task.request, decoded: hit))))
      return
    }
    task.begin { urgency in
      delivered(task.request, hit, urgency).sink { completion in
        task.receive(.finished(.failure(completion.error)))
      } receiveValue: { decoded in
        var decoded = decoded
        decoded.fresh = nil
        let response = ImageResponse(request: task.request, decoded: decoded)
        task.receive(decoded.isPreview ? .preview(response) : .finished(.success(response)))
      }
    }
  }

  /// - Parameter isEncoded: Whether the bytes are those of the processed image, and not those that were loaded.
  func run(
    _ task: DataTask, isEncoded: Bool = false, _ hear: @escaping @Sendable (DataTask.Event) -> Void
  ) {
    guard task.start(observer: hear) else { return }
    task.begin { urgency in
      (isEncoded ? delivered(encodingOf: task.request, urgency) : delivered(bytesOf: task.request, urgency))
        .sink { completion in
          task.receive(.finished(.failure(completion.error)))
        } receiveValue: { encoded in
          guard !encoded.isPreview else { return }
          task.receive(.finished(.success(DataResponse(request: task.request, encoded: encoded))))
        }
    }
  }
}

extension Subscribers.Completion<ImagePipeline.Error> {
  /// Work that ends without a value has failed; after the value, nothing changes.
  fileprivate var error: ImagePipeline.Error {
    if case .failure(let error) = self { error } else { .dataIsEmpty }
  }
}

extension LoadingTask {
  /// Calls closures for what happens, as long as the task lasts.
  fileprivate func call(
    on scheduler: AnySchedulerOf<DispatchQueue>, progress: ((Response?, LoadProgress) -> Void)?,
    completion: @escaping (Result<Response, ImagePipeline.Error>) -> Void
  ) {
    // Held by what it listens to, until that has ended.
    let sink = Subscribers.Sink<Event, Never> { _ in
    } receiveValue: { [self] event in
      if isCancelled { return }
      switch event {
      case .progress(let value): progress?(nil, value)
      case .preview(let response): progress?(response, status.progress)
      case .finished(let result): completion(result)
      }
    }
    eventPublisher.receive(on: scheduler).subscribe(sink)
  }
}
