/// An operator that is written as if there were one thread: several upstreams, one downstream, state in plain
/// variables.
///
/// Everything happens inside one ``DrainLoop``: values and completions of upstreams, requests of downstream, timers.
/// The operator may subscribe to publishers, cancel them and emit values at any time. A value without demand waits,
/// in order. One upstream may be the primary one: downstream's demand is requested of it.
@usableFromInline
// Sendable: it has no state besides its superclass's.
package final class OperatorCore<Downstream: Subscriber>: AnyOperatorCore, @unchecked Sendable {
  @usableFromInline package typealias Output = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure
  @usableFromInline typealias Contents = CoreContents<Downstream>

  @inlinable
  package init(
    _ name: String, zeroDemand: ZeroDemand = .passes, cancelOrder: CancelOrder = .firstFirst,
    to downstream: Downstream
  ) {
    super.init(
      name, zeroDemand: zeroDemand, cancelOrder: cancelOrder,
      UnsafeMutableRawPointer(
        UnsafeMutablePointer.allocate(initializing: Contents(PlainDownstream(downstream)))),
      close: { $0.assumingMemoryBound(to: Contents.self).close() },
      downstream: { $0.assumingMemoryBound(to: Contents.self).pointee.box.downstream },
      drainWaiting: { unsafeDowncast($0, to: OperatorCore.self).drain() })
  }

  /// The downstream and the values that wait for it, until the stream is over.
  @inlinable @inline(__always)
  var contents: UnsafeMutablePointer<Contents> {
    place.unsafelyUnwrapped.assumingMemoryBound(to: Contents.self)
  }

  /// Sends `downstream` its subscription, and then runs `body`, which subscribes to upstreams: both on this thread, inside the
  /// drain loop. What other threads request meanwhile waits.
  ///
  /// - Parameter attachesLate: Whether the subscription waits for that of the first upstream, or for the end.
  @inlinable @inline(__always)
  package static func start(
    _ name: String, zeroDemand: ZeroDemand = .passes, cancelOrder: CancelOrder = .firstFirst,
    attachesLate: Bool = false, for downstream: Downstream,
    body: (OperatorCore) -> Void
  ) {
    let core = OperatorCore(name, zeroDemand: zeroDemand, cancelOrder: cancelOrder, to: downstream)
    _ = core.drainLoop.enter()
    if attachesLate {
      core.attachDownstream = { unsafeDowncast($0, to: OperatorCore.self).contents.pointee.box.attach($0) }
    } else {
      downstream.receive(subscription: core)
    }
    if !core.isOver { body(core) }
    core.drainAndLeave()
  }

  /// Calls `body` after downstream has requested more. It must not hold the core.
  @inlinable
  package func onRequest(_ body: @escaping (OperatorCore, Subscribers.Demand) -> Void) {
    requestHandler = { body(unsafeDowncast($0, to: OperatorCore.self), $1) }
  }
}

/// The downstream of an ``OperatorCore``, the values that wait for it, and the completion after them.
@frozen @usableFromInline
struct CoreContents<Downstream: Subscriber>: ~Copyable {
  @usableFromInline let box: PlainDownstream<Downstream>
  @usableFromInline var waiting = RingQueue<(Downstream.Input, UpstreamHandle?)>()
  @usableFromInline var ending: Subscribers.Completion<Downstream.Failure>?

  @inlinable
  init(_ box: consuming PlainDownstream<Downstream>) { self.box = box }
}

// MARK: Inside the drain loop

extension OperatorCore {
  /// Sends `value`, or stores it until it is requested.
  ///
  /// - Parameter handle: The upstream of which another value is requested once this one is sent.
  @inlinable @inline(__always)
  package func emit(_ value: Output, from handle: UpstreamHandle? = nil) {
    guard !isOver, !hasEnding else { return }
    guard demand > .none, waitingCount == 0, !isDraining else { return wait(value, handle) }
    send(value)
    if let handle { replace(handle) }
    if waitingCount > 0 { drain() }  // values that arrived meanwhile may have room now
  }

  @inlinable
  func wait(_ value: Output, _ handle: UpstreamHandle?) {
    contents.pointee.waiting.append((value, handle))
    waitingCount += 1
  }

  /// The same for callers that are not inside the drain loop.
  @inlinable
  package func emitFromOutside(_ value: Output) {
    switch drainLoop.enterInOrder() {
    case .entered:
      emit(value)
      drainAndLeave()
    case .nested: emit(value)
    case .busy: performValue { self.emit(value) }
    }
  }

  /// Sends `value` if it was requested; else it is lost.
  @inlinable @inline(__always)
  package func offer(_ value: Output) {
    guard !isOver, !hasEnding, demand > .none, waitingCount == 0, !isDraining else {
      return drop(value, because: .noDemand)
    }
    send(value)
    if waitingCount > 0 { drain() }
  }

  /// Reports that `value` will not be sent, unless the stream is over.
  @inlinable @inline(never)
  package func drop<Value>(_ value: Value, because reason: DropReason) {
    if !isEnding { Drops.note(value, by: dropper, because: reason) }
  }

  /// Ends the stream: once all values that wait are sent, or, if it fails and is not told to wait, at once.
  @inlinable
  package func finish(_ completion: Subscribers.Completion<Failure>, afterAll: Bool = false) {
    guard !isEnding else { return }
    if !afterAll, completion.isFailure { return end(completion) }
    guard waitingCount > 0 || isDraining else { return end(completion) }
    contents.pointee.ending = completion
    hasEnding = true
    primary = nil
    for handle in takeHandles() { handle.discard() }
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) {
    attachIfDue()
    guard let handlers = stop() else { return }
    if isCancelled {  // by an upstream's cancellation
      for handler in handlers { handler() }
    } else {
      contents.pointee.box.complete(completion)
    }
  }

  @inlinable @inline(__always)
  func send(_ value: Output) {
    if demand.isUnlimited {
      _ = contents.pointee.box.deliver(value)
      return
    }
    demand -= 1
    let more = contents.pointee.box.deliver(value)
    if more > .none {
      demand += more
      if !isOver { didRequest(more) }
    }
  }

  @inlinable
  func next() -> (Output, UpstreamHandle?)? {
    guard waitingCount > 0 else { return nil }
    waitingCount -= 1
    return contents.pointee.waiting.popFirst()
  }

  @inlinable
  func drain() {
    guard !isDraining else { return }
    isDraining = true
    while demand > .none, !isOver, let (value, handle) = next() {
      send(value)
      if let handle { replace(handle) }
    }
    isDraining = false
    if hasEnding, waitingCount == 0, !isOver, let ending = contents.pointee.ending { end(ending) }
  }

  @inlinable @inline(__always)
  func replace(_ handle: UpstreamHandle) {
    if demand.isUnlimited { handle.raiseDemand(to: .unlimited) } else { handle.requestMore(.max(1)) }
  }
}

// MARK: Upstreams

extension OperatorCore {
  /// Subscribes to `publisher`, unless the stream is over.
  ///
  /// - Parameters:
  ///   - handle: Its handle. Demand that is added before its subscription arrives waits for the subscription.
  ///   - onValue: Called with each value that was requested.
  ///   - onCompletion: Called with its completion, unless it was cancelled.
  @inlinable
  package func subscribe<Upstream: Publisher>(
    to publisher: Upstream, _ handle: UpstreamHandle, onValue: @escaping (Upstream.Output) -> Void,
    onCompletion: @escaping (Subscribers.Completion<Upstream.Failure>) -> Void
  ) {
    guard register(handle) else { return }
    publisher.subscribe(CoreInlet(self, handle, CallingHandler(onValue), onCompletion: onCompletion))
  }

  /// Subscribes to `publisher` as the primary upstream.
  @inlinable
  package func subscribePrimary<Upstream: Publisher>(
    to publisher: Upstream, _ handle: UpstreamHandle = UpstreamHandle(),
    onValue: @escaping (Upstream.Output) -> Void,
    onCompletion: @escaping (Subscribers.Completion<Upstream.Failure>) -> Void
  ) {
    primary = handle
    requestFromPrimary()
    subscribe(to: publisher, handle, onValue: onValue, onCompletion: onCompletion)
  }

  /// Subscribes to `publisher` as the primary upstream, and emits its values.
  @inlinable
  package func forward<Upstream: Publisher<Output, UpstreamFailure>, UpstreamFailure: Error>(
    _ publisher: Upstream, _ handle: UpstreamHandle = UpstreamHandle(),
    onCompletion: @escaping (Subscribers.Completion<UpstreamFailure>) -> Void
  ) {
    primary = handle
    requestFromPrimary()
    guard register(handle) else { return }
    publisher.subscribe(CoreInlet(self, handle, EmittingHandler(self), onCompletion: onCompletion))
  }
}
