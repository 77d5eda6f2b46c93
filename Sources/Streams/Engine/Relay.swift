/// Runs a stage between one upstream and one downstream.
@usableFromInline
package final class StageRelay<Rule: Stage, Failures: FailureRule, Downstream: Subscriber>: Station,
  Subscriber
where
  Rule.Output == Downstream.Input,
  Rule.Thrown == Failures.Thrown,
  Failures.Downstream == Downstream.Failure
{
  @usableFromInline package typealias Input = Rule.Input
  @usableFromInline package typealias Failure = Failures.Upstream

  /// How many values of upstream make one for downstream.
  @usableFromInline let valuesPerOutput: Int

  @inlinable
  package init(_ rule: Rule, to downstream: Downstream) {
    valuesPerOutput = rule.valuesPerOutput
    super.init(UnsafeMutablePointer.lodging(Post(rule, downstream))) {
      $0.assumingMemoryBound(to: Post<Rule, Downstream>.self).close()
    }
  }

  @inlinable @inline(__always)
  var post: UnsafeMutablePointer<Post<Rule, Downstream>> {
    place.unsafelyUnwrapped.assumingMemoryBound(to: Post<Rule, Downstream>.self)
  }

  @usableFromInline override var name: String { Rule.name }

  override func children(at place: UnsafeMutableRawPointer) -> [Mirror.Child] {
    post.pointee.children(of: upstream, turnstile)
  }

  // MARK: Subscriber

  @usableFromInline @inline(never)
  package func receive(subscription: any Subscription) {
    if arrive(subscription) { post.pointee.attach(self) }
    leave()
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    let more = turnstile.enter() ? pass(input) : .none
    leave()
    return more
  }

  @inlinable @inline(__always)
  func pass(_ input: Input) -> Subscribers.Demand {
    let post = post
    var memory = post.pointee.memory  // a copy: the rule may call user code that sends again
    do throws(Rule.Thrown) {
      let step = try post.pointee.apply(input, &memory)
      post.pointee.memory = memory
      switch step {
      case .emit(let output): return turnstile.isOpen ? post.pointee.deliver(output) : .none  // law C08: the rule may cancel
      case .emitLast(let output): endWith(output)
      case .skip: return .max(1)
      case .hold: return .none
      case .finish: end(.finished)
      }
    } catch {
      end(.failure(Failures.lift(thrown: error)))
    }
    return .none
  }

  @usableFromInline @inline(never)
  package func receive(completion: Subscribers.Completion<Failure>) {
    if turnstile.enter() { pass(completion) }
    leave()
  }

  func pass(_ completion: Subscribers.Completion<Failure>) {
    if case .finished = completion, let rest = post.pointee.remainder() {
      guard turnstile.detach() else { return }
      _ = post.pointee.deliver(rest)
    }
    if turnstile.close() { post.pointee.complete(completion.mapError { Failures.lift($0) }) }
  }

  // MARK: Subscription

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if case .traps = Rule.zeroDemand { demand.requireSome(of: Rule.name) }
    super.request(demand * valuesPerOutput)
  }

  // MARK: Ending

  /// Ends before upstream does: upstream is cancelled first (law P2).
  @usableFromInline @inline(never)
  func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard turnstile.close() else { return }
    cancelUpstream()
    post.pointee.complete(completion)
  }

  /// The same with a last value: it may make downstream cancel, and then there is no completion (law C13).
  @usableFromInline @inline(never)
  func endWith(_ output: Rule.Output) {
    guard turnstile.detach() else { return }
    cancelUpstream()
    _ = post.pointee.deliver(output)
    if turnstile.close() { post.pointee.complete(.finished) }
  }
}

/// A rule and the downstream it works for: held together, and let go of together.
///
/// Not copyable, and used through borrowing methods only: so it is called where it lies, without a retain a value.
@frozen @usableFromInline
struct Post<Rule: Stage, Downstream: Subscriber>: ~Copyable where Rule.Output == Downstream.Input {
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
  borrowing func apply(_ input: Rule.Input, _ memory: inout Rule.Memory) throws(Rule.Thrown) -> Step<
    Rule.Output
  > {
    try rule.receive(input, &memory)
  }

  borrowing func remainder() -> Rule.Output? { rule.remainder(memory) }

  /// What upstream must be asked for, so that downstream gets so much.
  @inlinable @inline(__always)
  borrowing func demand(for outputs: Subscribers.Demand) -> Subscribers.Demand {
    rule.valuesPerOutput == 1 ? outputs : outputs * rule.valuesPerOutput
  }

  borrowing func attach(_ subscription: any Subscription) { downstream.receive(subscription: subscription) }

  borrowing func children(of upstream: (any Subscription)?, _ turnstile: borrowing Turnstile) -> [Mirror
    .Child]
  {
    rule.children(
      ReflectedParts(
        downstream: downstream, upstream: upstream, memory: turnstile.isAlone ? memory : nil,
        status: turnstile.status))
  }

  @inlinable @inline(__always)
  borrowing func deliver(_ output: Rule.Output) -> Subscribers.Demand {
    demand(for: downstream.receive(output))
  }

  borrowing func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
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
    attach(StageRelay<Rule, Preserving<Failure>, Downstream>(rule, to: subscriber))
  }

  /// The same for a rule that may throw.
  @inlinable @_transparent
  package func relay<Rule: Stage, Downstream: Subscriber>(through rule: Rule, to subscriber: Downstream)
  where
    Rule.Input == Output, Rule.Output == Downstream.Input,
    Rule.Thrown == any Error, Downstream.Failure == any Error
  {
    attach(StageRelay<Rule, Widening<Failure>, Downstream>(rule, to: subscriber))
  }
}
