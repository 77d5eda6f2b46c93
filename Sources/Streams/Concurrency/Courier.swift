/// Brings signals to an actor, in order.
///
/// A burst of them is one job of the actor, up to a bound: then it goes to the end of the actor's queue, so that others
/// have their turn however fast signals come.
@usableFromInline
package final class Courier<Signal>: Sendable {
  /// Takes a signal, and answers whether it was the last.
  package typealias Recipient = (Signal) -> Bool

  private struct State {
    var waiting = Fifo<Signal>()
    var isUnderWay = false
    /// Where to, and who is called there: let go of when the courier is closed. The actor may hold the courier.
    var actor: (any Actor)?
    var recipient: Recipient?
  }

  /// How many signals one job delivers: few enough for others not to notice, and so many that changing costs little.
  private static var burst: Int { 256 }

  private let isForMainActor: Bool
  private let policy: IsolationPolicy
  private let state: Guarded<State>

  package init(to actor: any Actor, policy: IsolationPolicy, _ recipient: @escaping Recipient) {
    isForMainActor = actor === MainActor.shared
    self.policy = policy
    state = Guarded(State(actor: actor, recipient: recipient))
  }

  /// Delivers `signal` here if this is the place and nothing waits, else has it delivered there.
  @usableFromInline
  package func accept(_ signal: Signal) {
    if policy == .trap { requirePlace() }
    let isHere = policy == .trap || (isForMainActor && MainQueue.isCurrent)
    let (recipient, destination) = state.withLock { state -> (Recipient?, (any Actor)?) in
      guard let recipient = state.recipient else { return (nil, nil) }
      if isHere, state.waiting.isEmpty, !state.isUnderWay { return (recipient, nil) }
      state.waiting.append(signal)
      defer { state.isUnderWay = true }
      return (nil, state.isUnderWay ? nil : state.actor)
    }
    if let recipient { hand(signal, to: recipient) }
    if let destination { setOut(for: destination) }
  }

  /// Drops what waits, and accepts nothing more.
  @usableFromInline
  package func close() {
    let dropped = state.withLock { state in
      defer { (state.waiting, state.actor, state.recipient) = (Fifo(), nil, nil) }
      return (state.waiting, state.actor, state.recipient)
    }
    withExtendedLifetime(dropped) {}
  }

  private func setOut(for actor: any Actor) {
    Errand.start { await self.run(on: actor) }
  }

  private func run(on actor: isolated any Actor) {
    for _ in 0..<Self.burst {
      guard let (signal, recipient) = next() else { return }
      hand(signal, to: recipient)
    }
    // Still under way: what comes meanwhile waits behind what is left. A task of its own, and not a yield, which would
    // not keep to the executor of errands.
    setOut(for: actor)
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
    if isForMainActor {
      if !MainQueue.isCurrent { Violation.wrongActor("the main actor") }
    } else {
      let actor = state.withLock { $0.actor }
      actor?.preconditionIsolated("Law T5 broken: a signal for an actor came from elsewhere.")
    }
  }
}
