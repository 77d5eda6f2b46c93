internal import Streams

/// Prefetches one request.
struct Prefetch: Sendable {
  let pipeline: ImagePipeline
  let destination: ImagePrefetcher.Destination

  /// Requests with the same key are prefetched together.
  func key(_ request: ImageRequest) -> ImageJobKey? { ImageJobKey(request) }

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

  /// Loads the bytes if they are stored. Otherwise makes the image that is.
  private func beginForDisk(
    _ request: ImageRequest, _ done: @escaping @Sendable (ImagePrefetcher.Report.Outcome) -> Void
  ) -> any PrefetchWork {
    var request = pipeline.prepared(request)
    request.options.insert(.disableMemoryCacheWrites)
    let plan = DiskPlan(request, pipeline.configuration.dataCachePolicy, isFresh: true, hit: nil)
    let needsImage = plan.storesVariant && !plan.storesOriginal
    if needsImage, !request.isEncodedAnew {
      // An image in memory would not be stored.
      request.options.insert(.disableMemoryCacheReads)
      let task = pipeline.makeTask(prepared: request)
      return begin(task, done) { [pipeline] in pipeline.run(task, $0) }
    }
    let task = DataTask(request)
    return begin(task, done) { [pipeline] in pipeline.run(task, isEncoded: needsImage, $0) }
  }

  /// Runs a task unless the disk has what it would store.
  private func begin<Response>(
    _ task: LoadingTask<Response>, _ done: @escaping @Sendable (ImagePrefetcher.Report.Outcome) -> Void,
    _ run: @escaping @Sendable (@escaping @Sendable (LoadingTask<Response>.Event) -> Void) -> Void
  ) -> any PrefetchWork {
    Task.detached { [disk = pipeline.disk] in
      // Only the existence is checked; reading the bytes would be a waste.
      var isStored = await disk.hasOriginal(task.request)
      if !isStored { isStored = await disk.hasVariant(task.request) }
      if isStored {
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
