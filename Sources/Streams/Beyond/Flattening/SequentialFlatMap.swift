extension Publisher {
  /// Sends each value through `transform`, runs the publishers so made at the same time, and passes on what they send
  /// in the order of the values.
  ///
  /// ```
  /// self    -1-2-|            1 answers late, 2 at once
  /// result  ------12|
  /// ```
  ///
  /// What a later child sends waits until all before it have finished. Each child is asked for `prefetch` values in
  /// advance, and for one more for each that is sent. The stream fails with the first failure, whoever has it. Traps if
  /// `maxConcurrent` or `prefetch` is less than one.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many children may be open. This publisher is asked for no more than that.
  ///   - prefetch: How many values of a child may wait.
  ///   - transform: Makes the child of a value; called in the order of the values.
  /// - Complexity: Keeps up to `maxConcurrent` × `prefetch` values.
  @_disfavoredOverload
  @inlinable
  public func flatMapSequential<Child: Publisher>(
    maxConcurrent: Int = 256, prefetch: Int = 32, _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.SequentialFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.SequentialFlatMap(
      upstream: self, maxConcurrent: maxConcurrent, prefetch: prefetch, transform: transform)
  }

  /// The same as ``flatMapSequential(maxConcurrent:prefetch:_:)``, under the name of other libraries.
  @_disfavoredOverload
  @inlinable
  public func concatMapEager<Child: Publisher>(
    maxConcurrent: Int = 256, prefetch: Int = 32, _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.SequentialFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.SequentialFlatMap(
      upstream: self, maxConcurrent: maxConcurrent, prefetch: prefetch, transform: transform)
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/flatMapSequential(maxConcurrent:prefetch:_:)``.
  public struct SequentialFlatMap<Child: Publisher, Upstream: Publisher>: Publisher
  where Child.Failure == Upstream.Failure {
    public typealias Output = Child.Output
    public typealias Failure = Child.Failure

    @usableFromInline let upstream: Upstream
    @usableFromInline let maxConcurrent: Int
    @usableFromInline let prefetch: Int
    @usableFromInline let transform: (Upstream.Output) -> Child

    @inlinable
    init(
      upstream: Upstream, maxConcurrent: Int, prefetch: Int,
      transform: @escaping (Upstream.Output) -> Child
    ) {
      if maxConcurrent < 1 { Violation.emptyGroup(maxConcurrent) }
      if prefetch < 1 { Violation.emptyGroup(prefetch) }
      self.upstream = upstream
      self.maxConcurrent = maxConcurrent
      self.prefetch = prefetch
      self.transform = transform
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("FlatMap", for: subscriber) { desk in
        let outer = DeskLink(asking: .max(maxConcurrent))
        let lanes = Lanes(desk, outer)
        let (transform, prefetch) = (transform, prefetch)  // not the upstream: it may hold what holds this
        desk.open(upstream, outer) { input in
          lanes.open(transform(input), prefetch)
        } ended: { completion in
          lanes.endOuter(completion)
        }
      }
    }
  }
}

/// What came of one child and waits for its turn.
@usableFromInline
final class Lane<Value> {
  @usableFromInline let link: DeskLink
  @exclusivity(unchecked)  // inside the desk's reception only
  @usableFromInline var waiting = Fifo<Value>()
  @exclusivity(unchecked)  // as above
  @usableFromInline var isOver = false

  @usableFromInline init(_ link: DeskLink) { self.link = link }
}

/// The children in their order: the first one's values are sent, those of the others wait.
@usableFromInline
final class Lanes<Downstream: Subscriber> {
  @usableFromInline let desk: Desk<Downstream>
  @usableFromInline let outer: DeskLink
  @exclusivity(unchecked)  // inside the desk's reception only, as all that follows
  @usableFromInline var behind = Fifo<Lane<Downstream.Input>>()
  @exclusivity(unchecked)
  @usableFromInline var first: Lane<Downstream.Input>?
  @exclusivity(unchecked)
  @usableFromInline var isOuterOver = false

  @inlinable
  init(_ desk: Desk<Downstream>, _ outer: DeskLink) {
    self.desk = desk
    self.outer = outer
  }

  @inlinable
  func open<Child: Publisher>(_ child: Child, _ prefetch: Int)
  where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
    let lane = Lane<Child.Output>(DeskLink(asking: .max(prefetch)))
    if first == nil { first = lane } else { behind.append(lane) }
    desk.open(child, lane.link) { value in
      if self.first === lane { self.desk.emit(value, from: lane.link) } else { lane.waiting.append(value) }
    } ended: { completion in
      self.end(lane, completion)
    }
  }

  @inlinable
  func end(_ lane: Lane<Downstream.Input>, _ completion: Subscribers.Completion<Downstream.Failure>) {
    lane.isOver = true
    if completion.isFailure { return desk.finish(completion) }
    outer.request(.max(1))
    while let first, first.isOver, !desk.isEnding { moveUp() }
    finishIfDone()
  }

  /// The next child's turn: what came of it goes first.
  @inlinable
  func moveUp() {
    let next = behind.popFirst()
    first = next
    while let next, let value = next.waiting.popFirst() { desk.emit(value, from: next.link) }
  }

  @inlinable
  func endOuter(_ completion: Subscribers.Completion<Downstream.Failure>) {
    isOuterOver = true
    if completion.isFailure { desk.finish(completion) } else { finishIfDone() }
  }

  @inlinable
  func finishIfDone() {
    if isOuterOver, first == nil { desk.finish(.finished) }
  }
}
