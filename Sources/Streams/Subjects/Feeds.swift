public import Synchronization

/// The upstreams that were given to a subject.
@usableFromInline
package final class Feeds: Sendable {
  private let upstreams = Guarded<[SubscriptionObject]>([])
  /// Written under the lock; once set, it stays so.
  @usableFromInline let isOpen = Atomic(false)

  @usableFromInline package init() {}

  /// Stores `subscription`, and requests everything of it if the feeds are open.
  package func add(_ subscription: any Subscription) {
    let held = subscription._held
    let isOpen = upstreams.withLock { upstreams in
      upstreams.append(held)
      return self.isOpen.load(ordering: .relaxed)
    }
    if isOpen { subscription.request(.unlimited) }
  }

  /// Releases `feed`, which is over.
  func remove(_ feed: SubscriptionObject) {
    let gone = upstreams.withLock { upstreams in
      let index = upstreams.lastIndex { $0 === feed }
      return index.map { upstreams.remove(at: $0) }
    }
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
      isOpen.exchange(true, ordering: .relaxed) ? [] : upstreams
    }
    for subscription in waiting { subscription.request(.unlimited) }
  }

  /// Cancels and releases every upstream. Called when the subject is deallocated, so that no other can follow.
  @usableFromInline
  package func cancel() {
    let rest = upstreams.withLock { upstreams in
      defer { upstreams = [] }
      return upstreams
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
