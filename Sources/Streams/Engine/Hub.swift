public import Synchronization

/// Connects when the first subscriber comes, disconnects when the last one cancels.
@usableFromInline
package final class Hub: Sendable {
  private struct State {
    var subscribers = 0
    var isAsked = false
    var isOver = false
    var connection: Connection?
  }

  private let state = Guarded(State())

  @usableFromInline package init() {}

  @usableFromInline
  package func join() { state.withLock { $0.subscribers += 1 } }

  /// The new connection, if there must be one: for one caller only, however many subscribe at once.
  @usableFromInline
  package func connect() -> Connection? {
    state.withLock { state in
      guard state.connection == nil, state.subscribers > 0, !state.isOver else { return nil }
      let connection = Connection(self, isAsked: state.isAsked)
      state.connection = connection
      return connection
    }
  }

  /// A subscriber has asked for values: from now on upstream is asked for all it has.
  @usableFromInline
  package func wasAsked() {
    state.withLock { state in
      state.isAsked = true
      return state.connection
    }?.ask()
  }

  @usableFromInline
  package func leave() {
    let connection = state.withLock { state -> Connection? in
      state.subscribers -= 1
      guard state.subscribers == 0 else { return nil }
      state.isAsked = false
      defer { state.connection = nil }
      return state.connection
    }
    connection?.cancel()
  }

  /// The stream has ended: nobody connects any more. A connection that was just made is cut; the one that ended
  /// is closed already.
  @usableFromInline
  package func end() {
    state.withLock { state in
      state.isOver = true
      return state.connection.take()
    }?.cancel()
  }
}

/// One connection of a ``Hub`` to its upstream.
@usableFromInline
package final class Connection: Sendable {
  @usableFromInline
  package enum Phase { case waiting, attached, closed }

  private struct State {
    var phase = Phase.waiting
    var isAsked: Bool
    var upstream: (any Subscription)?
  }

  private let state: Guarded<State>
  @usableFromInline let open = Atomic(false)
  @usableFromInline package let hub: Hub

  init(_ hub: Hub, isAsked: Bool) {
    self.hub = hub
    state = Guarded(State(isAsked: isAsked))
  }

  /// True while upstream is connected: what it sends before or after is ignored.
  @inlinable
  package var isOpen: Bool { open.load(ordering: .acquiring) }

  @usableFromInline
  package func attach(_ subscription: any Subscription) {
    let isAsked = state.withLock { state -> Bool? in
      guard state.phase == .waiting else { return nil }
      state.phase = .attached
      state.upstream = subscription
      open.store(true, ordering: .releasing)
      return state.isAsked
    }
    guard let isAsked else { return subscription.cancel() }
    if isAsked { subscription.request(.unlimited) }
  }

  /// Asks upstream for everything, once.
  func ask() {
    state.withLock { state -> (any Subscription)? in
      defer { state.isAsked = true }
      return state.isAsked ? nil : state.upstream
    }?.request(.unlimited)
  }

  func cancel() {
    state.withLock { state -> (any Subscription)? in
      open.store(false, ordering: .releasing)
      state.phase = .closed
      defer { state.upstream = nil }
      return state.upstream
    }?.cancel()
  }

  /// Closes without cancelling, and answers what the phase was.
  @usableFromInline
  package func close() -> Phase {
    let (phase, upstream) = state.withLock { state in
      open.store(false, ordering: .releasing)
      defer {
        state.phase = .closed
        state.upstream = nil
      }
      return (state.phase, state.upstream)
    }
    withExtendedLifetime(upstream) {}
    return phase
  }
}

extension Connection: Reflected {}
