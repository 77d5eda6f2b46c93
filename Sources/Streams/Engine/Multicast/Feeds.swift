internal import Synchronization

/// The upstreams that were given to a subject. Under the lock of its list.
@usableFromInline
final class Feeds {
  private struct Upstream {
    let object: SubscriptionObject
    /// In the order of arrival.
    let number: Int
    /// How often it was given.
    var times = 0
  }

  /// How many have arrived, ever.
  private var count = 0
  private var upstreams: [ObjectIdentifier: Upstream] = [:]

  var inOrder: [SubscriptionObject] {
    upstreams.values.sorted { $0.number < $1.number }
      .flatMap { Array(repeating: $0.object, count: $0.times) }
  }

  func add(_ object: SubscriptionObject) {
    count += 1
    upstreams[ObjectIdentifier(object), default: Upstream(object: object, number: count)].times += 1
  }

  func remove(_ object: SubscriptionObject) -> AnyObject? {
    upstreams.removeValue(forKey: ObjectIdentifier(object))?.object
  }
}

extension AnySubscriberList {
  /// Stores `subscription`, and requests everything of it once that is requested.
  package final func addFeed(_ subscription: any Subscription) {
    let held = subscription._held
    let isRequested = lock.withLock {
      let feeds = feeds ?? Feeds()
      self.feeds = feeds
      feeds.add(held)
      return self.isRequested.load(ordering: .relaxed)
    }
    if isRequested { subscription.request(.unlimited) }
  }

  /// Releases `feed`, which is over.
  final func removeFeed(_ feed: SubscriptionObject) {
    let gone = lock.withLock { feeds?.remove(feed) }
    withExtendedLifetime(gone) {}
  }

  /// Requests everything of every upstream, present and future.
  final func requestFeeds() {
    let waiting = lock.withLock {
      isRequested.exchange(true, ordering: .relaxed) ? [] : feeds?.inOrder ?? []
    }
    for subscription in waiting { subscription.request(.unlimited) }
  }

  /// Cancels and releases every upstream. Called when the subject is deallocated, so that no other can follow.
  @usableFromInline
  package final func cancelFeeds() {
    let rest = lock.withLock { feeds.take() }?.inOrder ?? []
    for subscription in rest { subscription.cancel() }
  }
}

/// A subject that keeps what it is fed from.
package protocol Fed {
  associatedtype List: AnySubscriberList

  var subscribers: List { get }
}
