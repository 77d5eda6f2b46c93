/// The upstreams that were given to a subject.
@usableFromInline
package final class Feeds: Sendable {
  private struct State {
    var subscriptions: [any Subscription] = []
    var isOpen = false
    var isOver = false
  }

  private let state = Guarded(State())

  @usableFromInline package init() {}

  /// Keeps `subscription`, and asks it for everything if the feeds are open.
  package func add(_ subscription: any Subscription) {
    let (isOpen, isOver) = state.withLock { state in
      if !state.isOver { state.subscriptions.append(subscription) }
      return (state.isOpen, state.isOver)
    }
    if isOver { return subscription.cancel() }
    if isOpen { subscription.request(.unlimited) }
  }

  /// Asks every upstream for everything, now and in future.
  @usableFromInline
  package func open() {
    let waiting = state.withLock { state in
      defer { state.isOpen = true }
      return state.isOpen ? [] : state.subscriptions
    }
    for subscription in waiting { subscription.request(.unlimited) }
  }

  @usableFromInline
  package func cancel() {
    let rest = state.withLock { state in
      state.isOver = true
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    for subscription in rest { subscription.cancel() }
  }
}
