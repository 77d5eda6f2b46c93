/// Brings signals to an actor, in order.
@usableFromInline
package final class Courier<Signal>: @unchecked Sendable {  // `state` is guarded, `deliver` called on its actor only
  private struct State {
    var waiting = Fifo<Signal>()
    var isUnderWay = false
    var isClosed = false
  }

  private let actor: any Actor
  private let policy: IsolationPolicy
  private let deliver: (Signal) -> Void
  private let state = Guarded(State())

  package init(to actor: any Actor, policy: IsolationPolicy, deliver: @escaping (Signal) -> Void) {
    self.actor = actor
    self.policy = policy
    self.deliver = deliver
  }

  /// Delivers `signal` here if this is the place and nothing waits, else has it delivered there.
  @usableFromInline
  package func accept(_ signal: Signal) {
    if policy == .trap { requirePlace() }
    let isHere = policy == .trap || (actor === MainActor.shared && MainQueue.isCurrent)
    let (deliversHere, setsOut) = state.withLock { state in
      if state.isClosed { return (false, false) }
      if isHere, state.waiting.isEmpty, !state.isUnderWay { return (true, false) }
      state.waiting.append(signal)
      defer { state.isUnderWay = true }
      return (false, !state.isUnderWay)
    }
    if deliversHere { deliver(signal) }
    if setsOut { Task { await self.run(on: self.actor) } }
  }

  /// Drops what waits, and accepts nothing more.
  @usableFromInline
  package func close() {
    let dropped = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = Fifo() }
      return state.waiting
    }
    withExtendedLifetime(dropped) {}
  }

  private func run(on _: isolated any Actor) {
    while let signal = next() { deliver(signal) }
  }

  private func next() -> Signal? {
    state.withLock { state in
      let signal = state.waiting.popFirst()
      if signal == nil { state.isUnderWay = false }
      return signal
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

extension IsolationPolicy {
  /// The two closures of a sink as closures that may be called anywhere.
  ///
  /// - Returns: The closures, and what must be done when the sink is cancelled.
  @usableFromInline
  func route<Input, Failure: Error>(
    _ receiveCompletion: @escaping @isolated(any) (Subscribers.Completion<Failure>) -> Void,
    _ receiveValue: @escaping @isolated(any) (Input) -> Void
  ) -> (
    completion: (Subscribers.Completion<Failure>) -> Void, value: (Input) -> Void, cancel: (() -> Void)?
  ) {
    let completionActor = receiveCompletion.isolation
    let valueActor = receiveValue.isolation
    let complete = withoutIsolation(receiveCompletion)
    let take = withoutIsolation(receiveValue)
    guard self != .trust, let actor = valueActor ?? completionActor else { return (complete, take, nil) }

    // An end for another actor sets out when the values before it have been delivered.
    var onward: Courier<Subscribers.Completion<Failure>>?
    if let completionActor, completionActor !== actor {
      onward = Courier(to: completionActor, policy: self, deliver: complete)
    }
    let last = onward
    let courier = Courier<SinkSignal<Input, Failure>>(to: actor, policy: self) { signal in
      switch signal {
      case .value(let value): take(value)
      case .completion(let completion): last.map { $0.accept(completion) } ?? complete(completion)
      }
    }
    return (
      { courier.accept(.completion($0)) }, { courier.accept(.value($0)) },
      {
        courier.close()
        last?.close()
      }
    )
  }
}

extension IsolationPolicy {
  /// A closure without arguments, as one that may be called anywhere.
  @usableFromInline
  func route(_ closure: @escaping @isolated(any) () -> Void) -> () -> Void {
    let call = withoutIsolation(closure)
    guard self != .trust, let actor = closure.isolation else { return call }
    let courier = Courier<Void>(to: actor, policy: self) { call() }
    return { courier.accept(()) }
  }

  /// A closure that was written on `actor`, as one that may be called anywhere, and how to stop it.
  func route<Value>(
    to actor: (any Actor)?, _ closure: @escaping (Value) -> Void
  ) -> (take: (Value) -> Void, cancel: (() -> Void)?) {
    guard self != .trust, let actor else { return (closure, nil) }
    let courier = Courier<Value>(to: actor, policy: self, deliver: closure)
    return ({ courier.accept($0) }, { courier.close() })
  }
}

private enum SinkSignal<Input, Failure: Error> {
  case value(Input)
  case completion(Subscribers.Completion<Failure>)
}

/// The same closure, to be called from where its isolation has been seen to.
///
/// A function value that carries its isolation has the layout of one that does not; only the type differs.
@inlinable
func withoutIsolation<Argument>(_ closure: @escaping @isolated(any) (Argument) -> Void) -> (Argument) -> Void
{
  unsafeBitCast(closure, to: ((Argument) -> Void).self)
}

@inlinable
func withoutIsolation(_ closure: @escaping @isolated(any) () -> Void) -> () -> Void {
  unsafeBitCast(closure, to: (() -> Void).self)
}
