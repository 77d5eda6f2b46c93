extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/flatMap(maxConcurrent:waiting:_:)`` and its variants.
  public struct QueuedFlatMap<Child: Publisher, Upstream: Publisher>: Publisher
  where Child.Failure == Upstream.Failure {
    public typealias Output = Child.Output
    public typealias Failure = Child.Failure

    @usableFromInline let upstream: Upstream
    @usableFromInline let policy: ChildQueuePolicy
    @usableFromInline let transform: (Upstream.Output) -> Child

    @inlinable
    init(upstream: Upstream, _ policy: ChildQueuePolicy, _ transform: @escaping (Upstream.Output) -> Child) {
      self.upstream = upstream
      self.policy = policy
      self.transform = transform
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("FlatMap", for: subscriber) { core in
        let children = ChildQueue(core, policy, transform)
        core.onRequest { core, _ in core.requestAllIfUnlimited() }
        core.subscribe(to: upstream, children.outer) { [weak children] in
          children?.take($0)
        } onCompletion: { [weak children] in
          children?.endOuter($0)
        }
      }
    }
  }
}

/// The largest number of children at a time, and the rule for values that arrive meanwhile.
@frozen @usableFromInline
struct ChildQueuePolicy {
  @usableFromInline let max: Int
  /// How many values may wait; `nil` if they are dropped.
  @usableFromInline let waiting: Subscribers.Demand?
  @usableFromInline let delaysErrors: Bool

  @usableFromInline
  init(_ max: Int, waiting: Subscribers.Demand?, delaysErrors: Bool = false) {
    if max < 1 { Violation.emptyGroup(max) }
    self.max = max
    self.waiting = waiting
    self.delaysErrors = delaysErrors
  }

  /// The initial demand for the outer upstream.
  @usableFromInline
  var demand: Subscribers.Demand {
    guard let waiting else { return .unlimited }
    return max == .max ? .unlimited : waiting + max
  }
}

/// Children that come and go, and the values that wait for their turn.
///
/// Only the core holds it, until the stream is over: what it holds may lead to a child, which may hold its subscriber.
@usableFromInline
final class ChildQueue<Input, Child: Publisher, Downstream: Subscriber>
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline unowned let core: OperatorCore<Downstream>
  @usableFromInline let policy: ChildQueuePolicy
  @usableFromInline let transform: (Input) -> Child
  @usableFromInline let outer: UpstreamHandle

  @exclusivity(unchecked)  // inside the core's drain loop only, as all that follows
  @usableFromInline var pending = RingQueue<Input>()
  @exclusivity(unchecked)
  @usableFromInline var openCount = 0
  @exclusivity(unchecked)
  @usableFromInline var isOuterOver = false
  @exclusivity(unchecked)
  @usableFromInline var isFilling = false
  @exclusivity(unchecked)
  @usableFromInline var failure: Child.Failure?

  @inlinable
  init(
    _ core: OperatorCore<Downstream>, _ policy: ChildQueuePolicy, _ transform: @escaping (Input) -> Child
  ) {
    self.core = core
    self.policy = policy
    self.transform = transform
    outer = UpstreamHandle(requesting: policy.demand)
    core.state = self
  }

  @inlinable
  func take(_ input: Input) {
    if policy.waiting == nil, openCount == policy.max {
      return Drops.note(input, by: core, because: .occupied)
    }
    pending.append(input)
    fill()
  }

  /// Opens children while there is room. One that ends at once does not deepen the stack (law R1).
  @inlinable
  func fill() {
    if isFilling { return }
    isFilling = true
    while openCount < policy.max, !core.isEnding, let input = pending.popFirst() {
      openCount += 1  // first: inside the closure, more values may arrive
      open(transform(input))
    }
    isFilling = false
    if isOuterOver, openCount == 0, pending.isEmpty { finish() }
  }

  @inlinable
  func open(_ child: Child) {
    if policy.max == 1 {
      return core.forward(child) { [weak self] in self?.endChild($0) }
    }
    let handle = UpstreamHandle(requesting: core.outstandingDemand.isUnlimited ? .unlimited : .max(1))
    handle.isChild = true
    core.subscribe(to: child, handle) { [core] in
      core.emit($0, from: handle)
    } onCompletion: { [weak self] in
      self?.endChild($0)
    }
  }

  @inlinable
  func endChild(_ completion: Subscribers.Completion<Child.Failure>) {
    openCount -= 1
    note(completion)
    if core.isEnding { return }
    if policy.waiting != nil { outer.requestMore(.max(1)) }
    fill()
  }

  @inlinable
  func endOuter(_ completion: Subscribers.Completion<Child.Failure>) {
    isOuterOver = true
    note(completion)
    if !core.isEnding { fill() }
  }

  @inlinable
  func note(_ completion: Subscribers.Completion<Child.Failure>) {
    guard case .failure(let error) = completion else { return }
    if !policy.delaysErrors { return core.finish(completion) }
    failure = failure ?? error
  }

  @inlinable
  func finish() { core.finish(failure.map { .failure($0) } ?? .finished, afterAll: true) }
}
