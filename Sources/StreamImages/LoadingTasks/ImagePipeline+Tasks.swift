public import Foundation
public import StreamsExtras
public import StreamsFoundation
public import StreamsFoundationExtras

extension ImagePipeline {
  /// Starts loading an image and returns the task.
  public func imageTask(with request: ImageRequest) -> ImageTask {
    let task = makeTask(request)
    run(task) { _ in }
    return task
  }

  /// Starts loading the image at a URL and returns the task. The task fails if the URL is `nil`.
  public func imageTask(with url: URL?) -> ImageTask { imageTask(with: ImageRequest(url: url)) }

  /// Starts loading bytes and returns the task.
  public func dataTask(with request: ImageRequest) -> DataTask {
    let task = DataTask(prepared(request))
    run(task) { _ in }
    return task
  }

  /// Starts loading the bytes at a URL and returns the task. The task fails if the URL is `nil`.
  public func dataTask(with url: URL?) -> DataTask { dataTask(with: ImageRequest(url: url)) }

  // MARK: Closures

  /// Starts loading an image, and calls closures with its progress and result.
  ///
  /// `completion` is called once, and not at all if the task is cancelled before that. If it is cancelled on `scheduler`,
  /// no closure is called afterwards, even if the task has ended.
  ///
  /// - Parameters:
  ///   - request: Fails with ``Error/imageRequestMissing`` if it is `nil`.
  ///   - scheduler: The scheduler that calls both closures. For `.main`, something must serve the main queue: an
  ///     asynchronous `main`, `dispatchMain()` or a run loop.
  ///   - progress: Called with previews, and with the progress of the load.
  ///   - completion: Called with the image or an error.
  @discardableResult
  public func loadImage(
    with request: ImageRequest?, on scheduler: AnySchedulerOf<DispatchQueue> = .main,
    progress: ((_ preview: ImageResponse?, _ progress: LoadProgress) -> Void)? = nil,
    completion: @escaping (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    let task = request.map { makeTask($0) } ?? ImageTask(ImageRequest(url: nil))
    task.call(on: scheduler, progress: progress, completion: completion)
    if request == nil { task.receive(.finished(.failure(.imageRequestMissing))) } else { run(task) { _ in } }
    return task
  }

  /// Starts loading the image at a URL, and calls closures with its progress and result.
  @discardableResult
  public func loadImage(
    with url: URL?, on scheduler: AnySchedulerOf<DispatchQueue> = .main,
    progress: ((_ preview: ImageResponse?, _ progress: LoadProgress) -> Void)? = nil,
    completion: @escaping (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    loadImage(with: ImageRequest(url: url), on: scheduler, progress: progress, completion: completion)
  }

  /// Starts loading bytes, and calls closures as `loadImage(with:on:progress:completion:)` does.
  @discardableResult
  public func loadData(
    with request: ImageRequest, on scheduler: AnySchedulerOf<DispatchQueue> = .main,
    progress: ((LoadProgress) -> Void)? = nil, completion: @escaping (Result<DataResponse, Error>) -> Void
  ) -> DataTask {
    let task = DataTask(prepared(request))
    var handle: ((DataResponse?, LoadProgress) -> Void)?
    if let progress { handle = { progress($1) } }
    task.call(on: scheduler, progress: handle, completion: completion)
    run(task) { _ in }
    return task
  }

  // MARK: Execution

  func prepared(_ request: ImageRequest) -> ImageRequest {
    configuration.delegate?.prepare(request) ?? request
  }

  /// The image or a preview in memory, unless the pipeline is invalidated.
  func hit(_ prepared: ImageRequest) -> DecodedImage? { isInvalidated.isSet ? nil : memory(prepared) }

  func makeTask(_ request: ImageRequest) -> ImageTask { makeTask(prepared: prepared(request)) }

  /// Creates a task for a request that the delegate has prepared.
  func makeTask(prepared request: ImageRequest) -> ImageTask {
    let task = ImageTask(request)
    configuration.delegate?.taskCreated(task)
    return task
  }

  /// - Parameter handle: Called with all events, in order.
  func run(_ task: ImageTask, _ handle: @escaping @Sendable (ImageTask.Event) -> Void) {
    let delegate = configuration.delegate
    var observer = handle
    if let delegate {
      observer = { [weak task] event in
        if let task { delegate.task(task, didReceive: event) }
        handle(event)
      }
    }
    guard task.start(observer: observer) else { return }
    if isInvalidated.isSet {
      task.receive(.finished(.failure(.pipelineInvalidated)))
      return
    }
    delegate?.taskDidStart(task)
    let hit = memory(task.request)
    if let hit, isComplete(hit, for: task.request) {
      task.receive(.finished(.success(ImageResponse(request: task.request, decoded: hit))))
      return
    }
    task.begin { dynamicPriority, run in
      delivered(task.request, hit, dynamicPriority).begin(run) { outcome in
        switch outcome {
        case .success(var decoded):
          decoded.fresh = nil
          let response = ImageResponse(request: task.request, decoded: decoded)
          task.receive(decoded.isPreview ? .preview(response) : .finished(.success(response)))
        case .failure(let error): task.receive(.finished(.failure(error)))
        }
      }
    }
  }

  /// - Parameter isEncoded: Whether the processed image is encoded. Otherwise the loaded bytes are delivered.
  func run(
    _ task: DataTask, isEncoded: Bool = false, _ handle: @escaping @Sendable (DataTask.Event) -> Void
  ) {
    var observer = handle
    if let delegate = configuration.delegate {
      observer = { [weak task] event in
        if let task { delegate.dataTask(task, didReceive: event) }
        handle(event)
      }
    }
    guard task.start(observer: observer) else { return }
    task.begin { dynamicPriority, run in
      (isEncoded
        ? delivered(encodingOf: task.request, dynamicPriority)
        : delivered(bytesOf: task.request, dynamicPriority))
        .begin(run) { outcome in
          task.receive(
            .finished(outcome.map { DataResponse(request: task.request, encoded: $0) }))
        }
    }
  }
}

extension LoadingTask {
  /// Calls closures with the events of the task.
  fileprivate func call(
    on scheduler: AnySchedulerOf<DispatchQueue>, progress: ((Response?, LoadProgress) -> Void)?,
    completion: @escaping (Result<Response, ImagePipeline.Error>) -> Void
  ) {
    // Retained by its upstream until that has ended.
    let sink = Subscribers.Sink<Event, Never> { _ in
    } receiveValue: { [self] event in
      if isAbandoned { return }
      switch event {
      // A new task has made none. An image in memory never does.
      case .progress(let value): if value != LoadProgress() { progress?(nil, value) }
      case .preview(let response): progress?(response, status.progress)
      case .finished(let result): completion(result)
      }
    }
    eventPublisher.receive(on: scheduler).subscribe(sink)
  }
}
