public import Synchronization

/// Subscribes to a child for each value of the outer upstream, and merges the values of all children.
///
/// Values are delivered inside the drain loop, one at a time. Until demand is unlimited, one value of each child is
/// requested ahead of it. It waits in a queue, and the next one is requested when it has been delivered. So each child has
/// at most one value waiting.
///
/// It is not an ``OperatorCore``, which uses a closure and a counter for each upstream, and takes more instructions.
@usableFromInline
package final class Flatten<Input, Child: Publisher, Downstream: Subscriber>: Subscriber, Subscription,
  DrainLoopOwner, LifecycleOwner
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline
  package enum Event {
    case value(Child.Output, UpstreamHandle)
    case opened(UpstreamHandle)
    case closed
    case outerFinished
    case failed(Failure)
    case asked(Subscribers.Demand)
    case cancelled
  }

  @usableFromInline let name: String
  @usableFromInline let zeroDemand: ZeroDemand

  // The outer upstream, and the children.
  @usableFromInline let lifecycle = LifecycleState()
  @usableFromInline let maxPublishers: Subscribers.Demand
  /// How many values were requested of the outer upstream, and have not arrived.
  @usableFromInline let owed = DemandCounter()
  @exclusivity(unchecked)  // cleared when the last one leaves the lifecycle state
  @usableFromInline var transform: ((Input) -> Child)?
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var upstream: (any Subscription)?
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var children = UpstreamHandles()
  @usableFromInline let isOver = Atomic(false)
  /// Whether downstream has cancelled, perhaps because the end of the stream cancels an upstream: then no completion follows.
  @usableFromInline let isCancelled = Atomic(false)

  // Delivery.
  @usableFromInline let drainLoop = DrainLoop<Event>()
  @exclusivity(unchecked)  // inside the drain loop only, as all that follows
  @usableFromInline var box: UnsafeMutablePointer<PlainDownstream<Downstream>>?
  @exclusivity(unchecked)
  @usableFromInline var demand = Subscribers.Demand.none
  @exclusivity(unchecked)
  @usableFromInline var waiting = RingQueue<(Child.Output, UpstreamHandle)>()
  @exclusivity(unchecked)
  @usableFromInline var isDraining = false
  /// Whether everything was requested of every child.
  @exclusivity(unchecked)
  @usableFromInline var isOpenedUp = false
  @exclusivity(unchecked)
  @usableFromInline var isOuterFinished = false
  /// How many children that are one value are being delivered.
  @exclusivity(unchecked)
  @usableFromInline var constants = 0
  /// How many children have not finished, in the order of the drain loop: their values are handled first.
  @usableFromInline let open = Atomic(0)

  @inlinable
  package init(
    _ name: String, zeroDemand: ZeroDemand, maxPublishers: Subscribers.Demand, to downstream: Downstream,
    transform: ((Input) -> Child)?
  ) {
    self.name = name
    self.zeroDemand = zeroDemand
    self.maxPublishers = maxPublishers
    self.transform = transform
    box = .allocate(initializing: PlainDownstream(downstream))
  }

  deinit { box?.close() }

  // MARK: From the outer upstream

  @inlinable
  package func receive(subscription: any Subscription) {
    _ = lifecycle.enterEarly()
    defer { leave() }
    guard lifecycle.claim(), lifecycle.attach(under: subscription._gate), keep(subscription) else {
      return subscription.cancel()
    }
    guard maxPublishers > .none else { return }
    owed.add(maxPublishers)
    subscription.request(maxPublishers)
  }

  /// False if downstream has cancelled: it has its subscription already.
  @inlinable
  func keep(_ subscription: any Subscription) -> Bool {
    lock.withLock {
      guard !isOver.load(ordering: .relaxed) else { return false }
      upstream = subscription
      return true
    }
  }

  @inlinable @inline(never)
  package func receive(_ input: Input) -> Subscribers.Demand {
    let isCovered = lifecycle.isCovered
    let isOpen = lifecycle.enter(unless: isCovered)
    defer { if !isCovered { leave() } }
    guard isOpen, owed.spend(), let transform else {
      if isOpen { Drops.note(input, by: self, because: .unrequested) }
      return .none
    }
    let child = transform(input)
    if let constant = child.valueUnseen, pass(constant) { return .none }
    let handle = UpstreamHandle()
    guard register(handle) else { return .none }
    child.subscribe(ChildInlet(self, handle))
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    let isOpen = lifecycle.enterEarly()
    defer { leave() }
    guard isOpen, owed.close() else { return }  // laws H25, H26: from now on upstream is ignored
    withExtendedLifetime(lock.withLock { upstream.take() }) {}
    switch completion {
    case .finished: perform(.outerFinished)
    case .failure(let error): perform(.failed(error))
    }
  }

  // MARK: From downstream

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if zeroDemand == .traps { demand.requireSome(of: name) }
    guard demand > .none else { return }
    if !isOver.load(ordering: .relaxed) { perform(.asked(demand)) }
  }

  @usableFromInline
  package func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    if stop() { perform(.cancelled) }
  }

  // MARK: Children

  @inlinable
  func register(_ handle: UpstreamHandle, counting: Bool = true) -> Bool {
    lock.withLock {
      guard !isOver.load(ordering: .relaxed) else { return false }
      children.add(handle)
      if counting { open.wrappingAdd(1, ordering: .relaxed) }
      return true
    }
  }

  /// True for the first time only.
  @inlinable
  func unregister(_ handle: UpstreamHandle) -> Bool { lock.withLock { children.remove(handle) } }

  /// Cancels all upstreams: children first, then the outer one. True for the first caller.
  @inlinable
  func stop() -> Bool {
    guard !isOver.exchange(true, ordering: .relaxed) else { return false }
    let (rest, outer) = lock.withLock {
      () -> (ContiguousArray<UpstreamHandle>, (any Subscription)?) in
      defer { upstream = nil }
      return (children.takeAll(), upstream)
    }
    for child in rest { child.cancel() }
    outer?.cancel()
    _ = lifecycle.enterEarly()
    _ = lifecycle.close(for: self)
    leave()
    return true
  }

  @usableFromInline
  package var _gate: AnyObject? { drainLoop }

  @inlinable @inline(__always)
  package func leave() {
    if lifecycle.leave() { transform = nil }
  }

  // MARK: The drain loop

  /// Handles a child's value, and returns the demand for that child.
  @inlinable @inline(never)
  func take(_ value: Child.Output, from child: UpstreamHandle) -> Subscribers.Demand {
    let entry = drainLoop.enterInOrder()
    if entry == .busy {
      if drainLoop.enqueueValue(.value(value, child)) { drainAndLeave() }
      return .none
    }
    let answer = deliver(value, from: child)
    if entry == .entered { drainAndLeave() }
    return answer
  }

  /// Delivers a child that is one value, if nothing is before it. False if it must be subscribed to.
  @inlinable @inline(__always)
  func pass(_ constant: Child.Output) -> Bool {
    let entry = drainLoop.enterInOrder()
    if case .busy = entry { return false }
    let isFree = demand.isUnlimited && waiting.isEmpty && !isDraining && !isOver.load(ordering: .relaxed)
    if isFree {
      constants += 1
      _ = box!.pointee.deliver(constant)
      constants -= 1
      askForAnother()
      finishIfDone()
    }
    if case .entered = entry { drainAndLeave() }
    return isFree
  }

  @inlinable
  func perform(_ event: Event) { drainLoop.perform(event, for: self) }

  @inlinable @inline(__always)
  func drainAndLeave() { drainLoop.drainAndLeave(for: self) }

  @inlinable
  package func resume() { drainLoop.resume(for: self) }

  @inlinable @inline(__always)
  package func cleanUp() {
    if isOver.load(ordering: .relaxed) { releaseAll() }
  }

  @inlinable @inline(never)
  func releaseAll() {
    box.take()?.close()
    waiting = RingQueue()
  }
}

// MARK: Inside the drain loop

extension Flatten {
  @inlinable @inline(__always)
  func deliver(_ value: Child.Output, from child: UpstreamHandle) -> Subscribers.Demand {
    if isOver.load(ordering: .relaxed) { return .none }
    guard demand > .none, waiting.isEmpty, !isDraining else {
      waiting.append((value, child))
      return .none
    }
    if demand.isUnlimited {
      _ = box!.pointee.deliver(value)
      return .none  // the child was asked for everything
    }
    demand -= 1
    demand += box!.pointee.deliver(value)
    if waiting.isEmpty { openUp() } else { drain() }  // a value that arrived meanwhile may have room now
    return demand.isUnlimited ? .none : .max(1)
  }

  @inlinable @inline(never)
  package func handle(_ event: Event) {
    switch event {
    case .value(let value, let child):
      waiting.append((value, child))
      drain()
    case .opened(let child):
      if demand.isUnlimited, !isDraining { return child.requestAllOnce() }
      isOpenedUp = false
      child.request(.max(1))
    case .closed:
      open.wrappingSubtract(1, ordering: .relaxed)
      askForAnother()
      finishIfDone()
    case .outerFinished:
      isOuterFinished = true
      finishIfDone()
    case .failed(let error):
      end(.failure(error))
    case .asked(let more):
      demand += more
      drain()
    case .cancelled: break
    }
  }

  /// Requests everything of every child if demand is unlimited, and no child was left out since.
  @inlinable @inline(__always)
  func openUp() {
    if demand.isUnlimited, !isOpenedUp { openUpChildren() }
  }

  @inlinable
  func openUpChildren() {
    isOpenedUp = true
    for child in lock.withLock({ children.all }) { child.requestAllOnce() }
  }

  /// Delivers the values that wait. A request made meanwhile only adds to the demand.
  @inlinable
  func drain() {
    guard !isDraining else { return }
    isDraining = true
    while demand > .none, !isOver.load(ordering: .relaxed), let (value, child) = waiting.popFirst() {
      demand -= 1
      demand += box!.pointee.deliver(value)
      if !demand.isUnlimited { child.request(.max(1)) }
    }
    isDraining = false
    openUp()
    finishIfDone()
  }

  /// Requests another child in place of one that has finished.
  @inlinable
  func askForAnother() {
    guard !maxPublishers.isUnlimited, let upstream = lock.withLock({ upstream }) else { return }
    owed.add(.max(1))
    upstream.request(.max(1))
  }

  @inlinable
  func finishIfDone() {
    guard isOuterFinished, constants == 0, open.load(ordering: .relaxed) == 0, waiting.isEmpty, !isDraining
    else { return }
    end(.finished)
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) {
    if stop(), !isCancelled.load(ordering: .relaxed) { box!.pointee.complete(completion) }
  }
}

extension Flatten: ReflectedByName {
  @usableFromInline package var description: String { name }
}

/// A ``Flatten`` without an outer upstream: its children are known from the start.
@usableFromInline
package typealias Merging<Downstream: Subscriber> =
  Flatten<Never, AnyPublisher<Downstream.Input, Downstream.Failure>, Downstream>

extension Flatten where Input == Never, Child == AnyPublisher<Downstream.Input, Downstream.Failure> {
  /// - Parameter count: How many publishers will join.
  @inlinable @inline(__always)
  package convenience init(of count: Int, to downstream: Downstream) {
    self.init("Merge", zeroDemand: .passes, maxPublishers: .unlimited, to: downstream, transform: nil)
    expect(count)
  }

  @inlinable @inline(__always)
  package func join<Upstream: Publisher<Downstream.Input, Downstream.Failure>>(_ upstream: Upstream) {
    let handle = UpstreamHandle()
    if register(handle, counting: false) { upstream.subscribe(ChildInlet(self, handle)) }
  }

  @usableFromInline
  func expect(_ count: Int) {
    isOuterFinished = true
    open.store(count, ordering: .relaxed)
  }

  @usableFromInline
  package func finishIfEmpty() { perform(.outerFinished) }
}
