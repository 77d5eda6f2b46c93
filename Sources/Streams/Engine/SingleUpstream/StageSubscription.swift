/// Runs a stage between one upstream and one downstream.
@usableFromInline
package final class StageSubscription<Rule: Stage, Failures: FailureRule, Downstream: Subscriber>:
  SingleUpstreamSubscription,
  Subscriber
where
  Rule.Output == Downstream.Input,
  Rule.Thrown == Failures.Thrown,
  Failures.Downstream == Downstream.Failure
{
  @usableFromInline package typealias Input = Rule.Input
  @usableFromInline package typealias Failure = Failures.Upstream

  @usableFromInline typealias Contents = DownstreamBox<Downstream, Rule, Rule.Memory>

  /// How many values of upstream make one for downstream.
  @usableFromInline let valuesPerOutput: Int

  @inlinable
  package init(_ rule: Rule, to downstream: Downstream) {
    valuesPerOutput = rule.valuesPerOutput
    super.init(UnsafeMutablePointer.allocate(initializing: Contents(downstream, rule, rule.initial))) {
      $0.assumingMemoryBound(to: Contents.self).close()
    }
  }

  @inlinable @inline(__always)
  var box: UnsafeMutablePointer<Contents> {
    place.unsafelyUnwrapped.assumingMemoryBound(to: Contents.self)
  }

  @usableFromInline override var name: String { Rule.name }

  override func children(at place: UnsafeMutableRawPointer) -> [Mirror.Child] {
    box.pointee.children(of: upstream, lifecycle)
  }

  // MARK: Subscriber

  @usableFromInline @inline(never)
  package func receive(subscription: any Subscription) {
    if arrive(subscription) { box.pointee.attach(self) }
    leave()
  }

  @inlinable @inline(never)
  package func receive(_ input: Input) -> Subscribers.Demand {
    let isCovered = lifecycle.isCovered
    let more = lifecycle.enter(unless: isCovered) ? pass(input) : .none
    if !isCovered { leave() }
    return more
  }

  @inlinable @inline(__always)
  func pass(_ input: Input) -> Subscribers.Demand {
    let box = box
    var memory = box.pointee.memory  // a copy: the rule may call user code that sends again
    do throws(Rule.Thrown) {
      let step = try box.pointee.apply(input, &memory)
      box.pointee.memory = memory
      switch step {
      case .emit(let output):
        return lifecycle.isOpen ? box.pointee.demand(for: box.pointee.deliver(output)) : .none  // law C08: the rule may cancel
      case .emitLast(let output): endWith(output)
      case .skip: return .max(1)
      case .hold: return .none
      case .finish: finish()
      }
    } catch {
      fail(error)
    }
    return .none
  }

  @usableFromInline @inline(never)
  package func receive(completion: Subscribers.Completion<Failure>) {
    if lifecycle.enter() { pass(completion) } else { lifecycle.noteEnd() }
    leave()
  }

  func pass(_ completion: Subscribers.Completion<Failure>) {
    if case .finished = completion, let rest = box.pointee.remainder() {
      guard lifecycle.detach() else { return }
      _ = box.pointee.deliver(rest)
    }
    if lifecycle.close(for: self) { box.pointee.complete(completion.mapError { Failures.lift($0) }) }
  }

  // MARK: Subscription

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if case .traps = Rule.zeroDemand { demand.requireSome(of: Rule.name) }
    super.request(demand * valuesPerOutput)
  }

  // MARK: Ending

  // Apart from the way of a value, which would look up the type of a completion in a debug build.

  @usableFromInline @inline(never)
  func finish() { end(.finished) }

  @usableFromInline @inline(never)
  func fail(_ error: Rule.Thrown) { end(.failure(Failures.lift(thrown: error))) }

  /// Ends before upstream does: upstream is cancelled first (law P2).
  func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard lifecycle.detach() else { return }
    cancelUpstream()  // which may cancel this (law C08)
    if lifecycle.close(for: self) { box.pointee.complete(completion) }
  }

  /// The same with a last value, which comes before the cancellation. Inside it, upstream may end, and downstream may cancel:
  /// then there is no completion (law C13).
  @usableFromInline @inline(never)
  func endWith(_ output: Rule.Output) {
    guard lifecycle.detach() else { return }
    _ = box.pointee.deliver(output)
    if !lifecycle.hasEnded { cancelUpstream() }
    if lifecycle.close(for: self) { box.pointee.complete(.finished) }
  }
}

extension DownstreamBox where Rule: Stage, Memory == Rule.Memory {
  @inlinable @inline(__always)
  borrowing func apply(_ input: Rule.Input, _ memory: inout Memory) throws(Rule.Thrown) -> Step<Rule.Output> {
    try rule.receive(input, &memory)
  }

  borrowing func remainder() -> Rule.Output? { rule.remainder(memory) }

  /// The demand for upstream that yields `outputs` for downstream.
  @inlinable @inline(__always)
  borrowing func demand(for outputs: Subscribers.Demand) -> Subscribers.Demand {
    rule.valuesPerOutput == 1 ? outputs : outputs * rule.valuesPerOutput
  }

  borrowing func children(of upstream: (any Subscription)?, _ lifecycle: borrowing LifecycleState) -> [Mirror
    .Child]
  {
    rule.children(
      ReflectedParts(
        downstream: downstream, upstream: upstream, memory: lifecycle.isAlone ? memory : nil,
        status: lifecycle.status))
  }
}

extension Publisher {
  /// Sends every value through `rule` on its way to `subscriber`.
  @inlinable @_transparent
  package func relay<Rule: Stage, Downstream: Subscriber>(through rule: Rule, to subscriber: Downstream)
  where
    Rule.Input == Output, Rule.Output == Downstream.Input,
    Rule.Thrown == Never, Downstream.Failure == Failure
  {
    attach(StageSubscription<Rule, Preserving<Failure>, Downstream>(rule, to: subscriber))
  }

  /// The same for a rule that may throw.
  @inlinable @_transparent
  package func relay<Rule: Stage, Downstream: Subscriber>(through rule: Rule, to subscriber: Downstream)
  where
    Rule.Input == Output, Rule.Output == Downstream.Input,
    Rule.Thrown == any Error, Downstream.Failure == any Error
  {
    attach(StageSubscription<Rule, Widening<Failure>, Downstream>(rule, to: subscriber))
  }
}
