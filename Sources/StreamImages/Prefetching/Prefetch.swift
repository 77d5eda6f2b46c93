internal import Streams

/// Prefetches one request.
struct Prefetch: Sendable {
  let pipeline: ImagePipeline
  let destination: ImagePrefetcher.Destination

  /// Requests with the same key are prefetched together.
  func key(_ request: ImageRequest) -> EncodingJobKey? { EncodingJobKey(request) }

  /// Whether a finished image is in memory.
  func isInMemory(_ request: ImageRequest) -> Bool {
    destination == .memoryCache && pipeline.hit(pipeline.prepared(request))?.isPreview == false
  }

  /// Starts loading. The result can cancel it and change its priority.
  func begin(
    _ request: ImageRequest, _ done: @escaping @Sendable (ImagePrefetcher.Report.Outcome) -> Void
  ) -> any PrefetchWork {
    switch destination {
    case .memoryCache:
      let task = pipeline.makeTask(request)
      pipeline.run(task) { event in
        if case .finished(let result) = event { done(.init(result.map { $0.cacheSource == .memory })) }
      }
      return task
    case .diskCache: return beginForDisk(request, done)
    }
  }

  private func beginForDisk(
    _ request: ImageRequest, _ done: @escaping @Sendable (ImagePrefetcher.Report.Outcome) -> Void
  ) -> any PrefetchWork {
    switch pipeline.workForDisk(request) {
    case .image(let task): begin(task, done) { [pipeline] in pipeline.run(task, $0) }
    case .data(let task, let isEncoded):
      begin(task, done) { [pipeline] in pipeline.run(task, isEncoded: isEncoded, $0) }
    }
  }

  /// Runs a task unless the disk has what it would store.
  private func begin<Response>(
    _ task: LoadingTask<Response>, _ done: @escaping @Sendable (ImagePrefetcher.Report.Outcome) -> Void,
    _ run: @escaping @Sendable (@escaping @Sendable (LoadingTask<Response>.Event) -> Void) -> Void
  ) -> any PrefetchWork {
    Task.detached { [disk = pipeline.disk] in
      if await disk.hasAny(of: task.request) {
        task.cancel()
        return done(.skipped)
      }
      run { event in
        if case .finished(let result) = event { done(.init(result.map { _ in false })) }
      }
    }
    return task
  }

  func publisher(
    for request: ImageRequest, _ priority: ImageRequest.Priority
  ) -> AnyPublisher<ImagePrefetcher.Report, Never> {
    var urgent = request
    urgent.priority = priority
    return ResultPublisher("Prefetch") { [urgent] subscription in
      if isInMemory(urgent) {
        subscription.finish(ImagePrefetcher.Report(request: request, outcome: .skipped))
        return AnyCancellable {}
      }
      let work = begin(urgent) { subscription.finish(ImagePrefetcher.Report(request: request, outcome: $0)) }
      return AnyCancellable { work.cancel() }
    }
    .eraseToAnyPublisher()
  }
}

extension ImagePrefetcher.Report.Outcome {
  /// - Parameter result: Whether the image was cached already.
  fileprivate init(_ result: Result<Bool, ImagePipeline.Error>) {
    switch result {
    case .success(let wasThere): self = wasThere ? .skipped : .loaded
    case .failure(let error): self = .failed(error)
    }
  }
}

/// Work that can be cancelled, and whose priority can be changed.
protocol PrefetchWork: AnyObject, Sendable {
  var priority: ImageRequest.Priority { get set }
  func cancel()
}

extension LoadingTask: PrefetchWork {}
