public import Foundation
public import Streams

/// Loads images before they are needed, a few at a time and with low priority.
///
/// ```swift
/// let prefetcher = ImagePrefetcher(pipeline: pipeline)
/// prefetcher.start(with: urlsOfTheNextPage)
/// ```
///
/// It stops when it is deallocated. Call all members from any thread; they take effect in the order of the calls.
public final class ImagePrefetcher: Sendable {
  /// The cache that images are prefetched into.
  public enum Destination: Sendable, Hashable, CaseIterable {
    /// The memory cache: images are loaded, decoded and processed.
    case memoryCache
    /// The disk cache: what the ``ImagePipeline/DataCachePolicy`` stores for these requests. Loaded bytes are stored without
    /// decoding them. If the policy stores only the processed image, as `automatic` does for requests with processors,
    /// images are also decoded, processed and encoded.
    case diskCache
  }

  /// The result of one request.
  public struct Report: Sendable {
    /// The result of prefetching.
    public enum Outcome: Sendable {
      /// It was loaded.
      case loaded
      /// It was cached already.
      case skipped
      /// It could not be loaded.
      case failed(ImagePipeline.Error)
    }

    /// The request.
    public let request: ImageRequest
    /// The result.
    public let outcome: Outcome
  }

  /// The pipeline that loads.
  public let pipeline: ImagePipeline
  /// The cache that images are prefetched into.
  public let destination: Destination

  private let schedule: PrefetchSchedule

  /// Creates a prefetcher that loads up to `maximumConcurrentRequests` images at a time.
  public init(
    pipeline: ImagePipeline = .shared, destination: Destination = .memoryCache,
    maximumConcurrentRequests: Int = 2
  ) {
    self.pipeline = pipeline
    self.destination = destination
    schedule = PrefetchSchedule(
      Prefetch(pipeline: pipeline, destination: destination), width: maximumConcurrentRequests)
  }

  deinit { schedule.stopAll() }

  /// The priority of all its requests, in place of their own. Low by default. Changing it affects requests in flight.
  public var priority: ImageRequest.Priority {
    get { schedule.priority }
    set { schedule.setPriority(newValue) }
  }

  /// Whether no new requests are started. Requests in flight continue.
  public var isPaused: Bool {
    get { schedule.isPaused }
    set { schedule.setPaused(newValue) }
  }

  /// A publisher of the result of each request. Stopped requests are not reported. It finishes when the prefetcher is
  /// deallocated.
  public var reports: AnyPublisher<Report, Never> {
    schedule.events.compactMap { if case .report(let report) = $0 { report } else { nil } }
      .eraseToAnyPublisher()
  }

  /// Sends a value each time that all requests are done, after their reports. Stopping the last ones sends none.
  public var completions: AnyPublisher<Void, Never> {
    schedule.events.compactMap { if case .completed = $0 { () } else { nil } }.eraseToAnyPublisher()
  }

  /// The number of requests in flight or waiting.
  public var count: Int { schedule.count }

  /// The number of requests that have not started.
  package var waitingCount: Int { schedule.waitingCount }

  // MARK: Starting and stopping

  /// Prefetches the images of these requests, except those that are being prefetched, or already in the ``destination``.
  public func start(with requests: [ImageRequest]) { schedule.start(requests) }

  /// Prefetches the images at these URLs.
  public func start(with urls: [URL]) { start(with: urls.map { ImageRequest(url: $0) }) }

  /// Stops prefetching these requests, no matter how many times they were started.
  public func stop(with requests: [ImageRequest]) { schedule.stop(requests) }

  /// Stops prefetching these URLs.
  public func stop(with urls: [URL]) { stop(with: urls.map { ImageRequest(url: $0) }) }

  /// Stops all requests.
  public func stopAll() { schedule.stopAll() }

  /// Returns a publisher that prefetches these requests and reports each as it is done.
  ///
  /// It starts when it is subscribed to, and stops when it is cancelled. Reports wait for demand, loads do not. Its
  /// requests are separate from those of the prefetcher.
  public func publisher(for requests: [ImageRequest]) -> AnyPublisher<Report, Never> {
    let (prefetch, priority, width) = (schedule.prefetch, priority, schedule.width)
    return requests.publisher
      .flatMap(maxPublishers: .max(width)) { request in prefetch.publisher(for: request, priority) }
      .eraseToAnyPublisher()
  }
}
