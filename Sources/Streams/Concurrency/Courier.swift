/// Brings signals to an actor, in order.
@usableFromInline
package final class Courier<Signal>: Sendable {
  /// Takes a signal, and answers whether it was the last.
  package typealias Recipient = (Signal) -> Bool

  private struct State {
    var waiting = Fifo<Signal>()
    var isUnderWay = false
    /// Called on the actor only, and let go of when the courier is closed.
    var recipient: Recipient?
  }

  private let actor: any Actor
  private let policy: IsolationPolicy
  private let state: Guarded<State>

  package init(to actor: any Actor, policy: IsolationPolicy, _ recipient: @escaping Recipient) {
    self.actor = actor
    self.policy = policy
    state = Guarded(State(recipient: recipient))
  }

  /// Delivers `signal` here if this is the place and nothing waits, else has it delivered there.
  @usableFromInline
  package func accept(_ signal: Signal) {
    if policy == .trap { requirePlace() }
    let isHere = policy == .trap || (actor === MainActor.shared && MainQueue.isCurrent)
    let (recipient, setsOut) = state.withLock { state -> (Recipient?, Bool) in
      guard let recipient = state.recipient else { return (nil, false) }
      if isHere, state.waiting.isEmpty, !state.isUnderWay { return (recipient, false) }
      state.waiting.append(signal)
      defer { state.isUnderWay = true }
      return (nil, !state.isUnderWay)
    }
    if let recipient { hand(signal, to: recipient) }
    if setsOut { Errand.start { await self.run(on: self.actor) } }
  }

  /// Drops what waits, and accepts nothing more.
  @usableFromInline
  package func close() {
    let dropped = state.withLock { state in
      defer { (state.waiting, state.recipient) = (Fifo(), nil) }
      return (state.waiting, state.recipient)
    }
    withExtendedLifetime(dropped) {}
  }

  private func run(on _: isolated any Actor) {
    while let (signal, recipient) = next() { hand(signal, to: recipient) }
  }

  private func hand(_ signal: Signal, to recipient: Recipient) {
    if recipient(signal) { close() }
  }

  private func next() -> (Signal, Recipient)? {
    state.withLock { state in
      if let recipient = state.recipient, let signal = state.waiting.popFirst() { return (signal, recipient) }
      state.isUnderWay = false
      return nil
    }
  }

  private func requirePlace() {
    if actor === MainActor.shared {
      if !MainQueue.isCurrent { Violation.wrongActor("the main actor") }
    } else {
      actor.preconditionIsolated("Law T5 broken: a signal for an actor came from elsewhere.")
    }
  }
}
