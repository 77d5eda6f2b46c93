public import Foundation
public import Streams

/// Loads pictures before they are wanted, a few at a time and after everything else.
///
/// ```swift
/// let prefetcher = ImagePrefetcher(pipeline: pipeline)
/// prefetcher.start(with: urlsOfTheNextPage)
/// ```
///
/// It stops when it goes. All members may be used from any thread, and take effect in the order in which they are
/// called.
public final class ImagePrefetcher: Sendable {
  /// How far a picture is brought.
  public enum Destination: Sendable, Hashable, CaseIterable {
    /// Loaded, decoded, processed, and in memory.
    case memoryCache
    /// Its bytes are on disk. Nothing is decoded.
    case diskCache
  }

  /// What became of one request.
  public struct Report: Sendable {
    /// How it went.
    public enum Outcome: Sendable {
      /// It is where it was to be.
      case loaded
      /// It was there before.
      case skipped
      /// It could not be brought there.
      case failed(ImagePipeline.Error)
    }

    /// Which one.
    public let request: ImageRequest
    /// What became of it.
    public let outcome: Outcome
  }

  /// Who loads.
  public let pipeline: ImagePipeline
  /// How far pictures are brought.
  public let destination: Destination

  private let schedule: PrefetchSchedule

  /// A prefetcher that has nothing to do yet, and loads `maximumConcurrentRequests` at a time when it has.
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

  /// That of all its requests, whatever theirs is. Low by default. Those under way change theirs, too.
  public var priority: ImageRequest.Priority {
    get { schedule.priority }
    set { schedule.setPriority(newValue) }
  }

  /// While it is set, nothing new is begun. What is under way goes on.
  public var isPaused: Bool {
    get { schedule.isPaused }
    set { schedule.setPaused(newValue) }
  }

  /// What becomes of each request, as it does. Nothing is said of what was stopped. It finishes with the prefetcher.
  public var reports: AnyPublisher<Report, Never> {
    schedule.news.compactMap { if case .report(let report) = $0 { report } else { nil } }
      .eraseToAnyPublisher()
  }

  /// Says each time that nothing is left to do: all were loaded, had failed, or were there before.
  ///
  /// After the reports of them. Not after a stop.
  public var completions: AnyPublisher<Void, Never> {
    schedule.news.compactMap { if case .nothingLeft = $0 { () } else { nil } }.eraseToAnyPublisher()
  }

  /// How many requests are under way or wait.
  public var count: Int { schedule.count }

  // MARK: Starting and stopping

  /// Begins with what is not there yet, and not being prefetched yet.
  public func start(with requests: [ImageRequest]) { schedule.start(requests) }

  /// The same for URLs.
  public func start(with urls: [URL]) { start(with: urls.map { ImageRequest(url: $0) }) }

  /// Stops what was started with these requests, however often it was.
  public func stop(with requests: [ImageRequest]) { schedule.stop(requests) }

  /// The same for URLs.
  public func stop(with urls: [URL]) { stop(with: urls.map { ImageRequest(url: $0) }) }

  /// Stops everything.
  public func stopAll() { schedule.stopAll() }

  /// A publisher that prefetches, and tells of each request; in the order in which they are done.
  ///
  /// It begins with a subscriber's first demand, loads on as far as there is demand, and stops when cancelled. Its
  /// requests are not among those of the prefetcher itself.
  public func publisher(for requests: [ImageRequest]) -> AnyPublisher<Report, Never> {
    let (prefetch, priority, width) = (schedule.prefetch, priority, schedule.width)
    return requests.publisher
      .flatMap(maxPublishers: .max(width)) { request in prefetch.publisher(for: request, priority) }
      .eraseToAnyPublisher()
  }
}
