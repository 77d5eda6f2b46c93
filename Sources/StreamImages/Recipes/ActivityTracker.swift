public import Streams

/// Counts subscriptions in progress, for an activity indicator.
///
/// ```swift
/// let activity = ActivityTracker()
/// let subscription = activity.isActive.sink { indicator.isVisible = $0 }
/// let images = pipeline.imagePublisher(with: url).trackActivity(activity)
/// ```
public final class ActivityTracker: Sendable {
  /// Signals that the number has changed. The number is read on delivery, so the last value delivered is correct, even
  /// if changes overtake each other.
  private let changes = CurrentValueSubject<Void, Never>(())
  private let number = Guarded(0)

  /// Creates a tracker with a count of zero.
  public init() {}

  /// The number of subscriptions in progress.
  public var count: Int { number.withLock { $0 } }

  /// A publisher of the present count and of later ones.
  public var counts: AnyPublisher<Int, Never> {
    changes.map { self.count }.removeDuplicates().eraseToAnyPublisher()
  }

  /// A publisher of whether anything is in progress.
  public var isActive: AnyPublisher<Bool, Never> {
    counts.map { $0 > 0 }.removeDuplicates().eraseToAnyPublisher()
  }

  fileprivate func change(by difference: Int) {
    number.withLock { $0 += difference }
    changes.send(())
  }
}

extension Publisher {
  /// Counts each subscription, until it finishes, fails, is cancelled or released.
  @_disfavoredOverload
  public func trackActivity(_ tracker: ActivityTracker) -> AnyPublisher<Output, Failure> {
    counting { tracker.change(by: $0) }
  }
}
