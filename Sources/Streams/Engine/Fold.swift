/// Runs a folding: takes in all of upstream, and answers once downstream has asked.
///
/// Upstream is asked for everything as soon as downstream has its subscription. What downstream asks for does not
/// matter, only that it asks: the answer waits for that. An end without one does not (law C07).
@usableFromInline
package final class Fold<Rule: Folding, Failures: FailureRule, Downstream: Subscriber>: AnswerStation,
  Subscriber
where
  Rule.Output == Downstream.Input,
  Rule.Thrown == Failures.Thrown,
  Failures.Downstream == Downstream.Failure
{
  @usableFromInline package typealias Input = Rule.Input
  @usableFromInline package typealias Failure = Failures.Upstream

  @inlinable
  package init(_ rule: Rule, to downstream: Downstream) {
    super.init(UnsafeMutablePointer.lodging(Verdict(rule, downstream))) {
      $0.assumingMemoryBound(to: Verdict<Rule, Downstream>.self).close()
    }
  }

  @inlinable @inline(__always)
  var verdict: UnsafeMutablePointer<Verdict<Rule, Downstream>> {
    place.unsafelyUnwrapped.assumingMemoryBound(to: Verdict<Rule, Downstream>.self)
  }

  @usableFromInline override var name: String { Rule.name }

  override func children(at place: UnsafeMutableRawPointer) -> [Mirror.Child] {
    verdict.pointee.children(of: upstream, turnstile)
  }

  // MARK: Subscriber

  @inlinable
  package func receive(subscription: any Subscription) {
    if arrive(subscription) {
      verdict.pointee.attach(self)
      if turnstile.isOpen { subscription.request(.unlimited) }
    }
    leave()
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if turnstile.enter() { take(input) }
    leave()
    return .none
  }

  @inlinable @inline(__always)
  func take(_ input: Input) {
    var memory = verdict.pointee.memory  // a copy: the rule may call user code that sends again
    do throws(Rule.Thrown) {
      let isKnown = try verdict.pointee.take(input, &memory)
      verdict.pointee.memory = memory
      if isKnown, turnstile.detach() {
        cancelUpstream()
        answer()
      }
    } catch {
      guard turnstile.closeForCancelling() else { return }
      cancelUpstream()
      verdict.pointee.complete(.failure(Failures.lift(thrown: error)))
    }
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    _ = turnstile.enter()
    defer { leave() }
    guard turnstile.detach() else { return }
    switch completion {
    case .finished: answer()
    case .failure(let error):
      if turnstile.close() { verdict.pointee.complete(.failure(Failures.lift(error))) }
    }
  }

  // MARK: Subscription

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if case .traps = Rule.zeroDemand { demand.requireSome(of: Rule.name) }
    guard demand > .none else { return }
    _ = turnstile.enterEarly()
    defer { leave() }
    if set(asked) == known { tell() }
  }

  // MARK: The answer

  @inlinable
  func answer() {
    guard verdict.pointee.isAnswer() else {
      if turnstile.close() { verdict.pointee.complete(.finished) }
      return
    }
    if set(known) == asked { tell() }
  }

  /// Tells downstream, once.
  @inlinable
  func tell() {
    guard set(told) & told == 0, !turnstile.isClosed else { return }
    verdict.pointee.deliver()
    if turnstile.close() { verdict.pointee.complete(.finished) }  // law C13: the delivery may have cancelled
  }
}

/// A folding and the downstream that waits for its answer. Not copyable, so that it is used where it lies.
@frozen @usableFromInline
struct Verdict<Rule: Folding, Downstream: Subscriber>: ~Copyable where Rule.Output == Downstream.Input {
  @usableFromInline let rule: Rule
  @usableFromInline let downstream: Downstream
  /// What the rule remembers. Every access is one load or one store, made by upstream's serial signals.
  @usableFromInline var memory: Rule.Memory

  @inlinable
  init(_ rule: Rule, _ downstream: Downstream) {
    memory = rule.initial
    self.rule = rule
    self.downstream = downstream
  }

  @inlinable @inline(__always)
  borrowing func take(_ input: Rule.Input, _ memory: inout Rule.Memory) throws(Rule.Thrown) -> Bool {
    try rule.receive(input, &memory)
  }

  @inlinable
  borrowing func isAnswer() -> Bool { rule.result(memory) != nil }

  borrowing func children(of upstream: (any Subscription)?, _ turnstile: borrowing Turnstile) -> [Mirror
    .Child]
  {
    rule.children(
      ReflectedParts(
        downstream: downstream, upstream: upstream, memory: turnstile.isAlone ? memory : nil,
        status: turnstile.status))
  }

  @inlinable
  borrowing func deliver() {
    if let result = rule.result(memory) { _ = downstream.receive(result) }
  }

  @inlinable
  borrowing func attach(_ subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable
  borrowing func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}

extension Publisher {
  /// Takes everything into `rule`, whose answer goes to `subscriber`.
  @inlinable @_transparent
  package func fold<Rule: Folding, Downstream: Subscriber>(through rule: Rule, to subscriber: Downstream)
  where
    Rule.Input == Output, Rule.Output == Downstream.Input,
    Rule.Thrown == Never, Downstream.Failure == Failure
  {
    attach(Fold<Rule, Preserving<Failure>, Downstream>(rule, to: subscriber))
  }

  /// The same for a rule that may throw.
  @inlinable @_transparent
  package func fold<Rule: Folding, Downstream: Subscriber>(through rule: Rule, to subscriber: Downstream)
  where
    Rule.Input == Output, Rule.Output == Downstream.Input,
    Rule.Thrown == any Error, Downstream.Failure == any Error
  {
    attach(Fold<Rule, Widening<Failure>, Downstream>(rule, to: subscriber))
  }
}
