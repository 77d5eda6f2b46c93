public import Synchronization

/// The upstreams that were given to a subject.
@usableFromInline
package final class Feeds: @unchecked Sendable {  // what varies has the lock
  private struct Upstream {
    let object: SubscriptionObject
    /// In the order of arrival.
    let number: Int
    /// How often it was given.
    var times = 0
  }

  private let lock = Lock()
  /// How many have arrived, ever.
  @exclusivity(unchecked)  // under the lock only
  private var count = 0
  @exclusivity(unchecked)  // under the lock only
  private var upstreams: [ObjectIdentifier: Upstream] = [:]
  private var inOrder: [SubscriptionObject] {
    upstreams.values.sorted { $0.number < $1.number }
      .flatMap { Array(repeating: $0.object, count: $0.times) }
  }
  /// Written under the lock; once set, it stays so.
  @usableFromInline let isOpen = Atomic(false)

  @usableFromInline package init() {}

  /// Stores `subscription`, and requests everything of it if the feeds are open.
  package func add(_ subscription: any Subscription) {
    let held = subscription._held
    let isOpen = lock.withLock {
      count += 1
      let new = Upstream(object: held, number: count)
      upstreams[ObjectIdentifier(held), default: new].times += 1
      return self.isOpen.load(ordering: .relaxed)
    }
    if isOpen { subscription.request(.unlimited) }
  }

  /// Releases `feed`, which is over.
  func remove(_ feed: SubscriptionObject) {
    let gone = lock.withLock { upstreams.removeValue(forKey: ObjectIdentifier(feed)) }
    withExtendedLifetime(gone) {}
  }

  /// Requests everything of every upstream, present and future.
  @inlinable
  package func open() {
    if !isOpen.load(ordering: .relaxed) { openFirst() }
  }

  @usableFromInline @inline(never)
  func openFirst() {
    let waiting = lock.withLock { isOpen.exchange(true, ordering: .relaxed) ? [] : inOrder }
    for subscription in waiting { subscription.request(.unlimited) }
  }

  /// Cancels and releases every upstream. Called when the subject is deallocated, so that no other can follow.
  @usableFromInline
  package func cancel() {
    let rest = lock.withLock {
      defer { upstreams = [:] }
      return inOrder
    }
    for subscription in rest { subscription.cancel() }
  }
}

extension Feeds: SubscriberListDelegate {
  @usableFromInline
  package func subscriberDidRequest() { open() }
  @usableFromInline
  package func subscriberDidLeave() {}
}

/// A subject that keeps what it is fed from.
package protocol Fed {
  var feeds: Feeds { get }
}

extension PassthroughSubject: Fed {}
extension CurrentValueSubject: Fed {}

extension Feeds: Reflected {}
