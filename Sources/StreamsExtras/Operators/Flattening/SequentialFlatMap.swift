extension Publisher {
  /// Subscribes to created publishers concurrently, and sends their values in the order of the source values.
  ///
  /// ![Marble diagram of flat-map-sequential](flat-map-sequential.svg)
  ///
  /// The values of a later publisher wait until all earlier publishers have finished. `prefetch` values are requested
  /// from each created publisher in advance, and more as its values are sent. The stream fails with the first failure.
  /// Traps if `maxConcurrent` or `prefetch` is less than one.
  ///
  /// - Parameters:
  ///   - maxConcurrent: The maximum number of created publishers. A created publisher counts until it has finished and all
  ///     its values and those before it are sent. No more values are requested from this publisher.
  ///   - prefetch: The number of values of a created publisher that can wait.
  ///   - transform: Creates the publisher for a value. Called in the order of the values.
  /// - Complexity: Keeps up to `maxConcurrent` × `prefetch` values.
  @_disfavoredOverload
  @inlinable
  public func flatMapSequential<Child: Publisher>(
    maxConcurrent: Int = 256, prefetch: Int = 32, _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.SequentialFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.SequentialFlatMap(
      upstream: self, maxConcurrent: maxConcurrent, prefetch: prefetch, transform: transform)
  }

  /// Subscribes concurrently, and keeps the order. The same as ``flatMapSequential(maxConcurrent:prefetch:_:)``.
  ///
  /// ![Marble diagram of flat-map-sequential](flat-map-sequential.svg)
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
  /// The publisher returned by ``Streams/Publisher/flatMapSequential(maxConcurrent:prefetch:_:)``.
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
      OperatorCore.start("FlatMap", for: subscriber) { core in
        let outer = UpstreamHandle(requesting: .max(maxConcurrent))
        let lanes = Lanes(core, outer)
        let (transform, prefetch) = (transform, prefetch)  // not the upstream: it may hold what holds this
        core.onRequest { [unowned lanes] _, _ in lanes.advance() }
        core.subscribe(to: upstream, outer) { input in
          let lane = lanes.add(prefetch)  // first: inside the closure, more values may arrive, and the end
          lanes.open(transform(input), in: lane)
        } onCompletion: { completion in
          lanes.endOuter(completion)
        }
      }
    }
  }
}

/// The values of one child that wait for its turn.
@usableFromInline
final class Lane<Value> {
  @usableFromInline let handle: UpstreamHandle
  @exclusivity(unchecked)  // inside the core's drain loop only
  @usableFromInline var waiting = RingQueue<Value>()
  @exclusivity(unchecked)  // as above
  @usableFromInline var isOver = false

  @usableFromInline init(_ handle: UpstreamHandle) { self.handle = handle }
}

/// The children in their order: the first one's values are sent, those of the others wait.
///
/// The core holds it until the stream is over: values may wait for demand when all upstreams have ended.
@usableFromInline
final class Lanes<Downstream: Subscriber> {
  @usableFromInline unowned let core: OperatorCore<Downstream>
  @usableFromInline let outer: UpstreamHandle
  @exclusivity(unchecked)  // inside the core's drain loop only, as all that follows
  @usableFromInline var behind = RingQueue<Lane<Downstream.Input>>()
  @exclusivity(unchecked)
  @usableFromInline var first: Lane<Downstream.Input>?
  @exclusivity(unchecked)
  @usableFromInline var isOuterOver = false
  @exclusivity(unchecked)
  @usableFromInline var isAdvancing = false

  @inlinable
  init(_ core: OperatorCore<Downstream>, _ outer: UpstreamHandle) {
    self.core = core
    self.outer = outer
    core.state = self
  }

  /// Adds the place of the next child.
  @inlinable
  func add(_ prefetch: Int) -> Lane<Downstream.Input> {
    let lane = Lane<Downstream.Input>(UpstreamHandle(requesting: .max(prefetch)))
    if first == nil { first = lane } else { behind.append(lane) }
    return lane
  }

  @inlinable
  func open<Child: Publisher>(_ child: Child, in lane: Lane<Downstream.Input>)
  where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
    core.subscribe(to: child, lane.handle) { [core] value in
      if self.first === lane, lane.waiting.isEmpty, core.outstandingDemand > .none {
        self.send(value, of: lane, to: core)
      } else {
        lane.waiting.append(value)
      }
    } onCompletion: { completion in
      lane.isOver = true
      if completion.isFailure { self.core.finish(completion) } else { self.advance() }
    }
  }

  /// Sends a requested value of the first child, and requests another one from it.
  @inlinable @inline(__always)
  func send(_ value: Downstream.Input, of lane: Lane<Downstream.Input>, to core: OperatorCore<Downstream>) {
    core.emit(value)
    if lane.waiting.isEmpty, core.outstandingDemand.isUnlimited {
      lane.handle.raiseDemand(to: .unlimited)
    } else {
      lane.handle.requestMore(.max(1))  // and not everything: what it sends now has to wait
    }
  }

  /// Sends what waits, as far as it is requested, and begins the turn of the next child when the first one's has ended.
  ///
  /// A request or an end that this leads to does not deepen the stack (law R1).
  @inlinable
  func advance() {
    if isAdvancing { return }
    isAdvancing = true
    while let first, !core.isEnding {
      if core.outstandingDemand > .none, let value = first.waiting.popFirst() {
        send(value, of: first, to: core)
      } else if first.isOver, first.waiting.isEmpty {
        self.first = behind.popFirst()
        outer.requestMore(.max(1))
      } else {
        break
      }
    }
    isAdvancing = false
    finishIfDone()
  }

  @inlinable
  func endOuter(_ completion: Subscribers.Completion<Downstream.Failure>) {
    isOuterOver = true
    if completion.isFailure { core.finish(completion) } else { finishIfDone() }
  }

  @inlinable
  func finishIfDone() {
    if isOuterOver, first == nil { core.finish(.finished) }
  }
}
