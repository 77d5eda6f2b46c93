public import Synchronization

/// Runs a folding: consumes all values of upstream, and sends the result once downstream has requested it.
///
/// Everything is requested of upstream as soon as downstream has its subscription. How much downstream requests does not matter.
/// A completion without a result does not wait for a request (law C07).
@usableFromInline
package final class FoldSubscription<Rule: Folding, Failures: FailureRule, Downstream: Subscriber>:
  SingleResultSubscription,
  Subscriber
where
  Rule.Output == Downstream.Input,
  Rule.Thrown == Failures.Thrown,
  Failures.Downstream == Downstream.Failure
{
  @usableFromInline package typealias Input = Rule.Input
  @usableFromInline package typealias Failure = Failures.Upstream
  @usableFromInline typealias Contents = DownstreamBox<Downstream, Rule, Rule.Memory>

  @inlinable
  package init(_ rule: Rule, to downstream: Downstream) {
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

  @inlinable
  package func receive(subscription: any Subscription) {
    if arrive(subscription) {
      box.pointee.attach(self)
      if lifecycle.isOpen { subscription.request(.unlimited) }
    }
    leave()
  }

  @inlinable @inline(never)
  package func receive(_ input: Input) -> Subscribers.Demand {
    let isCovered = lifecycle.isCovered
    if lifecycle.enter(unless: isCovered) { take(input) }
    if !isCovered { leave() }
    return .none
  }

  @inlinable @inline(__always)
  func take(_ input: Input) {
    var memory = box.pointee.memory  // a copy: the rule may call user code that sends again
    do throws(Rule.Thrown) {
      let effect = try box.pointee.take(input, &memory)
      // The box may have changed meanwhile, and once the result is known another thread may read it.
      if effect != .unchanged, lifecycle.isOpen { box.pointee.memory = memory }
      if effect == .known, lifecycle.detach() {
        cancelUpstream()
        finish()
      }
    } catch {
      guard lifecycle.detach() else { return }
      cancelUpstream()
      if lifecycle.close(for: self) { box.pointee.complete(.failure(Failures.lift(thrown: error))) }
    }
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    _ = lifecycle.enter()
    defer { leave() }
    guard lifecycle.detach() else { return }
    switch completion {
    case .finished: finish()
    case .failure(let error):
      if lifecycle.close(for: self) { box.pointee.complete(.failure(Failures.lift(error))) }
    }
  }

  // MARK: Subscription

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if case .traps = Rule.zeroDemand { demand.requireSome(of: Rule.name) }
    _ = lifecycle.enterEarly()
    defer { leave() }
    if set(requested) == hasResult { sendResult() }
  }

  // MARK: The result

  @inlinable
  func finish() {
    guard box.pointee.hasResult() else {
      if lifecycle.close(for: self) { box.pointee.complete(.finished) }
      return
    }
    if set(hasResult) == requested { sendResult() }
  }

  /// Sends the result. Called once, by whoever comes second: the request or the result.
  @inlinable
  func sendResult() {
    if lifecycle.isClosed { return }
    box.pointee.deliverResult()
    if lifecycle.close(for: self) { box.pointee.complete(.finished) }  // law C13: the delivery may have cancelled
  }
}

extension DownstreamBox where Rule: Folding, Memory == Rule.Memory, Downstream.Input == Rule.Output {
  @inlinable @inline(__always)
  borrowing func take(_ input: Rule.Input, _ memory: inout Memory) throws(Rule.Thrown) -> FoldEffect {
    try rule.receive(input, &memory)
  }

  @inlinable
  borrowing func hasResult() -> Bool { rule.result(memory) != nil }

  @inlinable
  borrowing func deliverResult() {
    if let result = rule.result(memory) { _ = deliver(result) }
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
  /// Subscribes `rule` to this publisher, and delivers the result to `subscriber`.
  @inlinable @_transparent
  package func fold<Rule: Folding, Downstream: Subscriber>(through rule: Rule, to subscriber: Downstream)
  where
    Rule.Input == Output, Rule.Output == Downstream.Input,
    Rule.Thrown == Never, Downstream.Failure == Failure
  {
    attach(FoldSubscription<Rule, Preserving<Failure>, Downstream>(rule, to: subscriber))
  }

  /// The same for a rule that may throw.
  @inlinable @_transparent
  package func fold<Rule: Folding, Downstream: Subscriber>(through rule: Rule, to subscriber: Downstream)
  where
    Rule.Input == Output, Rule.Output == Downstream.Input,
    Rule.Thrown == any Error, Downstream.Failure == any Error
  {
    attach(FoldSubscription<Rule, Widening<Failure>, Downstream>(rule, to: subscriber))
  }
}

/// The rule of an operator that sends one result, when upstream ends or before.
@usableFromInline
package protocol Folding<Input, Output> {
  associatedtype Input
  associatedtype Output
  associatedtype Thrown: Error
  associatedtype Memory

  /// The operator's name, as `print()` and the debugger show it.
  static var name: String { get }

  /// The effect of `request(.none)` on this operator, as in Combine. It passes only where there is never a result.
  static var zeroDemand: ZeroDemand { get }

  /// The memory before the first value.
  var initial: Memory { get }

  /// Handles a value. If the result is known, upstream is cancelled.
  func receive(_ input: Input, _ memory: inout Memory) throws(Thrown) -> FoldEffect

  /// The result, if there is one.
  func result(_ memory: Memory) -> Output?

  /// Returns the children that a mirror shows, as in Combine.
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child]
}

/// The effect of one value on the result.
@frozen @usableFromInline
package enum FoldEffect {
  /// None: what the rule's closure has sent meanwhile stays.
  case unchanged
  case changed
  /// The result is known before the end of upstream.
  case known
}

extension Folding {
  @inlinable package static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline package func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] {
    [
      ("downstream", parts.downstream), ("result", parts.memory.flatMap(result) as Any),
      ("initial", result(initial) as Any), ("status", parts.status),
    ]
  }
}

/// The part of a ``FoldSubscription`` that needs no types: the result is sent once it is known and requested.
@usableFromInline
package class SingleResultSubscription: SingleUpstreamSubscription {
  @usableFromInline final let phase = Atomic<UInt8>(0)

  @inlinable final var requested: UInt8 { 1 }
  @inlinable final var hasResult: UInt8 { 2 }

  /// Sets bits, and returns what was set before.
  @inlinable
  final func set(_ bits: UInt8) -> UInt8 {
    phase.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
  }
}
