public import Synchronization

/// The upstreams that were given to a subject.
@usableFromInline
package final class Feeds: Sendable {
  private struct Upstream {
    let object: SubscriptionObject
    /// In the order of arrival.
    let number: Int
    /// How often it was given.
    var times = 0
  }

  private struct Upstreams {
    var count = 0
    var all: [ObjectIdentifier: Upstream] = [:]

    var inOrder: [SubscriptionObject] {
      all.values.sorted { $0.number < $1.number }.flatMap { Array(repeating: $0.object, count: $0.times) }
    }
  }

  private let upstreams = Guarded(Upstreams())
  /// Written under the lock; once set, it stays so.
  @usableFromInline let isOpen = Atomic(false)

  @usableFromInline package init() {}

  /// Stores `subscription`, and requests everything of it if the feeds are open.
  package func add(_ subscription: any Subscription) {
    let held = subscription._held
    let isOpen = upstreams.withLock { upstreams in
      upstreams.count += 1
      let new = Upstream(object: held, number: upstreams.count)
      upstreams.all[ObjectIdentifier(held), default: new].times += 1
      return self.isOpen.load(ordering: .relaxed)
    }
    if isOpen { subscription.request(.unlimited) }
  }

  /// Releases `feed`, which is over.
  func remove(_ feed: SubscriptionObject) {
    let gone = upstreams.withLock { $0.all.removeValue(forKey: ObjectIdentifier(feed)) }
    withExtendedLifetime(gone) {}
  }

  /// Requests everything of every upstream, present and future.
  @inlinable
  package func open() {
    if !isOpen.load(ordering: .relaxed) { openFirst() }
  }

  @usableFromInline @inline(never)
  func openFirst() {
    let waiting = upstreams.withLock { upstreams in
      isOpen.exchange(true, ordering: .relaxed) ? [] : upstreams.inOrder
    }
    for subscription in waiting { subscription.request(.unlimited) }
  }

  /// Cancels and releases every upstream. Called when the subject is deallocated, so that no other can follow.
  @usableFromInline
  package func cancel() {
    let rest = upstreams.withLock { upstreams in
      defer { upstreams.all = [:] }
      return upstreams.inOrder
    }
    for subscription in rest { subscription.cancel() }
  }
}

/// A subject that keeps what it is fed from.
package protocol Fed {
  var feeds: Feeds { get }
}

extension PassthroughSubject: Fed {}
extension CurrentValueSubject: Fed {}

extension Feeds: Reflected {}
