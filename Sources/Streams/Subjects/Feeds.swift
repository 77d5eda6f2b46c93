public import Synchronization

/// The upstreams that were given to a subject.
@usableFromInline
package final class Feeds: Sendable {
  private struct Upstreams {
    var count = 0
    /// Each with its number in the order of arrival.
    var all: [ObjectIdentifier: (number: Int, upstream: SubscriptionObject)] = [:]

    var inOrder: [SubscriptionObject] { all.values.sorted { $0.number < $1.number }.map(\.upstream) }
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
      upstreams.all[ObjectIdentifier(held)] = (upstreams.count, held)
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
