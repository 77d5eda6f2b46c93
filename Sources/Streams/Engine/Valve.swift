public import Synchronization

/// Another publisher opens or closes the way for an upstream's values.
@usableFromInline
package final class Valve<Downstream: Subscriber>: Subscriber, Subscription {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @frozen @usableFromInline
  package enum Policy {
    /// Values are dropped until the other publisher sends one. If that ends before, so does the stream.
    case opens
    /// Values pass until the other publisher sends one: then the stream finishes. How that ends does not matter.
    case closes
  }

  @usableFromInline
  enum Event {
    case value(Input)
    case triggered
    case ended(Subscribers.Completion<Failure>)
    case cancelled
  }

  @usableFromInline let policy: Policy
  @usableFromInline let reception = Reception<Event>()
  @usableFromInline let isOver = Atomic(false)
  @usableFromInline let upstream = UpstreamLink()
  @usableFromInline let trigger = UpstreamLink()
  @usableFromInline let lock = Lock()
  /// What was asked before upstream arrived.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var early: Subscribers.Demand? = Subscribers.Demand.none

  @exclusivity(unchecked)  // inside the reception only, as all that follows
  @usableFromInline var isOpen: Bool
  @exclusivity(unchecked)
  @usableFromInline var exit: UnsafeMutablePointer<Exit<Downstream>>?

  @inlinable
  package init(_ policy: Policy, to downstream: Downstream) {
    self.policy = policy
    isOpen = policy == .closes
    exit = .lodging(Exit(downstream))
  }

  deinit { exit?.close() }

  // MARK: Subscriber

  @inlinable
  package func receive(subscription: any Subscription) {
    guard !isOver.load(ordering: .acquiring), upstream.attach(subscription) else {
      return subscription.cancel()
    }
    let asked = lock.withLock { early.take() } ?? .none
    if asked > .none { subscription.request(asked) }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    guard upstream.isLive else { return .none }
    switch reception.enter() {
    case .entered:
      let more = pass(input)
      serve()
      return more
    case .nested: return pass(input)
    case .busy:
      if reception.leaveBehind(.value(input)) { serve() }
      return .none
    }
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if upstream.endOnce() { perform(.ended(completion)) }
  }

  // MARK: Subscription

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let isEarly = lock.withLock { () -> Bool in
      guard let asked = early else { return false }
      early = asked + demand
      return true
    }
    if !isEarly { upstream.request(demand) }
  }

  @usableFromInline
  package func cancel() {
    if stop() { perform(.cancelled) }
  }

  @inlinable
  func stop() -> Bool {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    upstream.cancel()
    trigger.cancel()
    return true
  }

  // MARK: The reception

  @inlinable
  func perform(_ event: Event) {
    reception.perform(event) {
      handle($0)
    } tidy: {
      tidyUp()
    }
  }

  @inlinable @inline(__always)
  func serve() {
    reception.serve {
      handle($0)
    } tidy: {
      tidyUp()
    }
  }

  @inlinable @inline(__always)
  func tidyUp() {
    if isOver.load(ordering: .relaxed) { exit.take()?.close() }
  }

  @inlinable @inline(__always)
  func pass(_ input: Input) -> Subscribers.Demand {
    guard isOpen, !isOver.load(ordering: .acquiring) else { return .none }
    return exit!.pointee.deliver(input)
  }

  @inlinable
  func handle(_ event: Event) {
    if isOver.load(ordering: .acquiring) { return }
    switch event {
    case .value(let value):
      let more = pass(value)
      if more > .none { upstream.request(more) }
    case .triggered where policy == .opens: isOpen = true
    case .triggered: end(.finished)
    case .ended(let completion): end(completion)
    case .cancelled: break
    }
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) {
    if stop() { exit!.pointee.complete(completion) }
  }
}

extension Valve: ReflectedByName {
  @usableFromInline package var description: String {
    policy == .opens ? "DropUntilOutput" : "PrefixUntilOutput"
  }
}

/// The way in for the publisher that opens or closes a ``Valve``.
@frozen @usableFromInline
package struct TriggerInlet<Input, Failure: Error, Downstream: Subscriber>: Subscriber {
  @usableFromInline let valve: Valve<Downstream>
  /// What an end before the trigger does; `nil` if nothing.
  @usableFromInline let ending:
    ((Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>)?

  @inlinable
  package init(
    _ valve: Valve<Downstream>, _: Input.Type, failure: Failure.Type,
    ending: ((Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>)?
  ) {
    self.valve = valve
    self.ending = ending
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard !valve.isOver.load(ordering: .acquiring), valve.trigger.attach(subscription) else {
      return subscription.cancel()
    }
    subscription.request(.max(1))
  }

  @inlinable
  package func receive(_: Input) -> Subscribers.Demand {
    if valve.trigger.cancelOnce() { valve.perform(.triggered) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard valve.trigger.endOnce(), let ending else { return }
    valve.perform(.ended(ending(completion)))
  }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { valve.combineIdentifier }
}

extension TriggerInlet: ReflectedByName {
  @usableFromInline package var description: String { valve.description }
}
