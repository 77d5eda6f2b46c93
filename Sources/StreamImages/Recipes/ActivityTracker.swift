public import Streams
internal import Synchronization

/// Counts what is under way, for an indicator.
///
/// ```swift
/// let activity = ActivityTracker()
/// let subscription = activity.isActive.sink { indicator.isVisible = $0 }
/// let picture = pipeline.imagePublisher(with: url).trackActivity(activity)
/// ```
public final class ActivityTracker: Sendable {
  /// Says that the number has changed. The number is read on delivery: what is delivered last is then right, whoever
  /// was overtaken by whom on the way.
  private let changes = CurrentValueSubject<Void, Never>(())
  private let number = Guarded(0)

  /// A tracker of nothing yet.
  public init() {}

  /// How many subscriptions are under way.
  public var count: Int { number.withLock { $0 } }

  /// The count, and each change of it.
  public var counts: AnyPublisher<Int, Never> {
    changes.map { self.count }.removeDuplicates().eraseToAnyPublisher()
  }

  /// Whether anything is under way, and each change of that.
  public var isActive: AnyPublisher<Bool, Never> {
    counts.map { $0 > 0 }.removeDuplicates().eraseToAnyPublisher()
  }

  fileprivate func change(by difference: Int) {
    number.withLock { $0 += difference }
    changes.send(())
  }
}

extension Publisher {
  /// Counts each subscription while it lasts, once: until it finishes, fails, is cancelled or let go of.
  @_disfavoredOverload
  public func trackActivity(_ tracker: ActivityTracker) -> AnyPublisher<Output, Failure> {
    Deferred { () -> Publishers.HandleEvents<Self> in
      let activity = Activity(tracker)
      return handleEvents(
        receiveSubscription: { _ in activity.begin() }, receiveCompletion: { _ in activity.end() },
        receiveCancel: { activity.end() })
    }
    .eraseToAnyPublisher()
  }
}

/// One subscription, counted.
private final class Activity: Sendable, Reflected {
  private let tracker: ActivityTracker
  private let isCounted = Atomic(false)

  init(_ tracker: ActivityTracker) { self.tracker = tracker }

  deinit { end() }

  func begin() {
    isCounted.store(true, ordering: .relaxed)
    tracker.change(by: 1)
  }

  func end() {
    if isCounted.exchange(false, ordering: .relaxed) { tracker.change(by: -1) }
  }
}
