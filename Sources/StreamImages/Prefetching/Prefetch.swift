internal import Streams

/// How one request is prefetched.
struct Prefetch: Sendable {
  let pipeline: ImagePipeline
  let destination: ImagePrefetcher.Destination

  /// Requests that are prefetched in the same way have the same.
  func key(_ request: ImageRequest) -> ImageJobKey? { ImageJobKey(request) }

  /// Whether it is in memory, as far as can be told at once. An unfinished picture is not it.
  func isInMemory(_ request: ImageRequest) -> Bool {
    destination == .memoryCache && pipeline.memory(pipeline.prepared(request))?.isPreview == false
  }

  /// Loads it. What is returned stops that, and changes its priority.
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
    case .diskCache:
      let task = DataTask(pipeline.prepared(request))
      Task.detached { [pipeline] in
        // Only asked for: reading the bytes of what is there would be for nothing.
        if await pipeline.disk.hasOriginal(task.request) {
          task.cancel()
          return done(.skipped)
        }
        pipeline.run(task) { event in
          if case .finished(let result) = event { done(.init(result.map { _ in false })) }
        }
      }
      return task
    }
  }

  func publisher(
    for request: ImageRequest, _ priority: ImageRequest.Priority
  ) -> AnyPublisher<ImagePrefetcher.Report, Never> {
    var urgent = request
    urgent.priority = priority
    return DeliveryPublisher("Prefetch") { [urgent] delivery in
      if isInMemory(urgent) {
        delivery.finish(ImagePrefetcher.Report(request: request, outcome: .skipped))
        return AnyCancellable {}
      }
      let work = begin(urgent) { delivery.finish(ImagePrefetcher.Report(request: request, outcome: $0)) }
      return AnyCancellable { work.cancel() }
    }
    .eraseToAnyPublisher()
  }
}

extension ImagePrefetcher.Report.Outcome {
  /// - Parameter result: Whether it was there before.
  fileprivate init(_ result: Result<Bool, ImagePipeline.Error>) {
    switch result {
    case .success(let wasThere): self = wasThere ? .skipped : .loaded
    case .failure(let error): self = .failed(error)
    }
  }
}

/// Something that can be stopped and hurried.
protocol PrefetchWork: AnyObject, Sendable {
  var priority: ImageRequest.Priority { get set }
  func cancel()
}

extension LoadingTask: PrefetchWork {}
