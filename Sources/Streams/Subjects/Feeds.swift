public import Synchronization

/// The upstreams that were given to a subject.
@usableFromInline
package final class Feeds: Sendable {
  private struct State {
    var upstreams: [SubscriptionObject] = []
    var isOver = false
  }

  private let state = Guarded(State())
  /// Written under the lock; once set, it stays so.
  @usableFromInline let isOpen = Atomic(false)

  @usableFromInline package init() {}

  /// Stores `subscription`, and requests everything of it if the feeds are open.
  package func add(_ subscription: any Subscription) {
    let held = subscription._held
    let (isOpen, isOver) = state.withLock { state in
      if !state.isOver { state.upstreams.append(held) }
      return (self.isOpen.load(ordering: .relaxed), state.isOver)
    }
    if isOver { return subscription.cancel() }
    if isOpen { subscription.request(.unlimited) }
  }

  /// Releases `feed`, which is over.
  func remove(_ feed: SubscriptionObject) {
    let gone = state.withLock { state in
      let index = state.upstreams.lastIndex { $0 === feed }
      return index.map { state.upstreams.remove(at: $0) }
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
    let waiting = state.withLock { state in
      isOpen.exchange(true, ordering: .relaxed) ? [] : state.upstreams
    }
    for subscription in waiting { subscription.request(.unlimited) }
  }

  @usableFromInline
  package func cancel() {
    let rest = state.withLock { state in
      state.isOver = true
      defer { state.upstreams = [] }
      return state.upstreams
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
