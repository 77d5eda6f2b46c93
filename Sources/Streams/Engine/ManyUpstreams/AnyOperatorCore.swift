public import Synchronization

/// The part of an ``OperatorCore`` that needs no types: demand, upstreams, and the actions at the end of the stream.
///
/// Code that is called through `any Subscription` is not specialised, and would look up each type it mentions.
@usableFromInline
// Sendable: what varies is atomic, under the lock, or touched inside the drain loop only.
package class AnyOperatorCore: Subscription, DrainLoopOwner, @unchecked Sendable {
  @usableFromInline
  package enum Event {
    case action(() -> Void)
    case requested(Subscribers.Demand)
    /// With the handlers to call inside, where no other thread uses what they end.
    case cancelled([() -> Void])
  }

  @usableFromInline final let name: String
  @usableFromInline final let zeroDemand: ZeroDemand
  @usableFromInline final let cancelOrder: CancelOrder
  /// Creates the description, where that is not the name.
  @exclusivity(unchecked)  // written before another thread can read it, as the next one
  @usableFromInline package final var describe: (() -> String)?
  /// Returns the downstream, for mirrors.
  @usableFromInline final let downstream: (UnsafeMutableRawPointer) -> Any
  /// Returns the children that a mirror shows. Called inside the drain loop.
  @exclusivity(unchecked)
  @usableFromInline package final var reflect: ((AnyOperatorCore) -> [Mirror.Child])?

  @usableFromInline final let drainLoop = DrainLoop<Event>()
  @usableFromInline final let over = Atomic(false)
  /// Whether downstream has cancelled, perhaps because the end of the stream cancels an upstream: then no completion follows.
  @usableFromInline final let cancelled = Atomic(false)
  @usableFromInline final let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline final var handles = UpstreamHandles()
  /// Called when the stream ends in any way.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline final var endHandlers: [() -> Void] = []
  /// Called inside the drain loop when the stream is cancelled.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline final var cancelHandlers: [() -> Void] = []

  /// The memory that has the downstream and the values that wait for it; `nil` when the stream is over.
  @exclusivity(unchecked)  // inside the drain loop only, as all that follows
  @usableFromInline final var place: UnsafeMutableRawPointer?
  /// Frees that memory, and sends what waits there; formed where its type is known.
  @usableFromInline final let close: (UnsafeMutableRawPointer) -> Void
  @usableFromInline final let drainWaiting: (AnyOperatorCore) -> Void
  /// Sends downstream its subscription, where that waits for the first upstream's; `nil` once it is done.
  @exclusivity(unchecked)
  @usableFromInline final var attachDownstream: ((AnyOperatorCore) -> Void)?
  /// The state of the operator. It is released with the downstream.
  @exclusivity(unchecked)
  @usableFromInline package final var state: AnyObject?
  /// The values that downstream has requested and not received.
  @exclusivity(unchecked)
  @usableFromInline final var demand = Subscribers.Demand.none
  /// The same for other modules. They do not see how a stored property is accessed, and would check it.
  @inlinable @inline(__always)
  package final var outstandingDemand: Subscribers.Demand { demand }
  /// How many values wait for demand.
  @exclusivity(unchecked)
  @usableFromInline final var waitingCount = 0
  /// Whether it is decided how the stream ends, once all values that wait are sent.
  @exclusivity(unchecked)
  @usableFromInline final var hasEnding = false
  @exclusivity(unchecked)
  @usableFromInline final var isDraining = false
  @exclusivity(unchecked)
  @usableFromInline final var isBouncing = false
  @exclusivity(unchecked)
  @usableFromInline final var nextStep: (() -> Void)?
  /// The upstream of which downstream's demand is requested, and one more value for each that is left out.
  @exclusivity(unchecked)
  @usableFromInline package final var primary: UpstreamHandle?
  @exclusivity(unchecked)
  @usableFromInline final var requestHandler: ((AnyOperatorCore, Subscribers.Demand) -> Void)?

  @inlinable
  init(
    _ name: String, zeroDemand: ZeroDemand, cancelOrder: CancelOrder, _ place: UnsafeMutableRawPointer,
    close: @escaping (UnsafeMutableRawPointer) -> Void,
    downstream: @escaping (UnsafeMutableRawPointer) -> Any, drainWaiting: @escaping (AnyOperatorCore) -> Void
  ) {
    self.name = name
    self.zeroDemand = zeroDemand
    self.cancelOrder = cancelOrder
    self.place = place
    self.close = close
    self.downstream = downstream
    self.drainWaiting = drainWaiting
  }

  deinit {
    if let place { close(place) }
  }

  /// True once the stream is over: no value is sent any more.
  @inlinable @inline(__always)
  package final var isOver: Bool { over.load(ordering: .relaxed) }

  @usableFromInline final var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// True once it is decided how the stream ends, even if values still wait.
  @inlinable
  package final var isEnding: Bool { hasEnding || isOver }

  // MARK: Subscription

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    if zeroDemand == .traps { demand.requireSome(of: name) }
    if demand > .none, !isOver { handleNow(.requested(demand)) }
  }

  @usableFromInline
  package final func cancel() {
    cancelled.store(true, ordering: .relaxed)
    if let handlers = stop() { handleNow(.cancelled(handlers)) }
  }

  @usableFromInline
  package final var _gate: AnyObject? { drainLoop }

  // MARK: The drain loop

  /// Runs `action` inside the drain loop, at once or after what is under way there, unless the stream is over by then.
  @usableFromInline
  package final func perform(_ action: @escaping () -> Void) { handleNow(.action(action)) }

  /// The same for an action that brings a value from outside. Waits while the mailbox is full, but not for long.
  @usableFromInline
  package final func performValue(_ action: @escaping () -> Void) {
    switch drainLoop.enterInOrder() {
    case .entered:
      if !isOver { action() }
      drainAndLeave()
    case .nested: if !isOver { action() }
    case .busy: if drainLoop.enqueueValue(.action(action)) { drainAndLeave() }
    }
  }

  /// Runs `action` inside the drain loop, on this thread. If another thread is inside, that runs `substitute` instead.
  @usableFromInline
  package final func perform(_ action: () -> Void, ifBusy substitute: @escaping () -> Void) {
    switch drainLoop.enterInOrder() {
    case .entered:
      if !isOver { action() }
      drainAndLeave()
    case .nested: if !isOver { action() }
    case .busy: if drainLoop.enqueue(.action(substitute)) { drainAndLeave() }
    }
  }

  /// Runs `action` inside the drain loop, in another job of `scheduler`, or in a later one while another thread is inside. That
  /// is scheduled on a thread of its own, so that the calling one leaves the drain loop meanwhile.
  @usableFromInline
  package final func performInAnotherJob<Context: Scheduler>(
    of scheduler: Context, _ options: Context.SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    DrainThreads.runOrCall { [self] in
      scheduler.schedule(options: options) { [self] in
        perform(action) { [self] in performInAnotherJob(of: scheduler, options, action) }
      }
    }
  }

  @usableFromInline
  final func handleNow(_ event: Event) { drainLoop.perform(event, for: self) }

  /// For an inlet, which would retain the loop while it enters.
  @inlinable @inline(__always)
  final func enter() -> SerialGate.Entry {
    Unmanaged.passUnretained(drainLoop)._withUnsafeGuaranteedRef { $0.enterInOrder() }
  }

  @inlinable @inline(__always)
  final func drainAndLeave() { drainLoop.drainAndLeave(for: self) }

  @usableFromInline
  package final func resume() { drainLoop.resume(for: self) }

  @inlinable @inline(__always)
  package final func cleanUp() {
    if over.load(ordering: .relaxed) { releaseAll() }
  }

  @usableFromInline @inline(never)
  final func releaseAll() {
    let place = place
    self.place = nil
    if let place { close(place) }
    primary = nil
    nextStep = nil
    requestHandler = nil
    attachDownstream = nil
    withExtendedLifetime(state.take()) {}
  }

  @usableFromInline
  package final func handle(_ event: Event) {
    if case .cancelled(let handlers) = event {
      for handler in handlers { handler() }
    }
    if isOver { return }
    switch event {
    case .action(let action): action()
    case .requested(let more):
      demand += more
      if waitingCount > 0 { drainWaiting(self) }
      didRequest(more)
    case .cancelled: break
    }
  }

  /// Sends this to `subscriber`, whose requests may make other threads send. That waits until its subscription has arrived (law X19).
  @inlinable
  package final func open<Downstream: Subscriber>(to subscriber: Downstream) {
    _ = drainLoop.enter()
    subscriber.receive(subscription: self)
    drainAndLeave()
  }

  @usableFromInline
  final func attachIfDue() {
    guard let attach = attachDownstream else { return }
    attachDownstream = nil
    attach(self)
  }

  @usableFromInline
  final func didRequest(_ more: Subscribers.Demand) {
    requestFromPrimary()
    requestHandler?(self, more)
  }

  /// Requests of the primary upstream what downstream still wants.
  @inlinable @inline(__always)
  package final func requestFromPrimary() {
    guard let primary, primary.owed != .max else { return }
    primary.raiseDemand(to: waitingCount == 0 ? demand : spareDemand)
  }

  /// The demand that is left when all values that wait are sent.
  @usableFromInline
  final var spareDemand: Subscribers.Demand {
    demand.max.map { .max(Swift.max(0, $0 - waitingCount)) } ?? .unlimited
  }
}

extension AnyOperatorCore: ReflectedByName {
  @usableFromInline package final var description: String { describe?() ?? name }

  @usableFromInline package final var reflectedChildren: [Mirror.Child] {
    guard let reflect else { return [] }
    switch drainLoop.enterInOrder() {
    case .entered:
      defer { drainAndLeave() }
      return reflect(self)
    case .nested: return reflect(self)
    case .busy: return []
    }
  }

  /// Inside the drain loop only; `nil` once the stream is over.
  package final var downstreamForMirror: Any? {
    guard let downstream = place.map(downstream) else { return nil }
    guard let outlet = downstream as? any OutletOfOperator else { return downstream }
    return outlet.downstreamForMirror
  }

  /// The subscription that drops what this drops. Inside the drain loop only.
  @usableFromInline
  final var dropper: AnyObject { (place.map(downstream) as? any OutletOfOperator)?.subscription ?? self }
}

extension AnyOperatorCore {
  // MARK: Upstreams

  /// False if nothing more is subscribed to.
  @usableFromInline
  final func register(_ handle: UpstreamHandle) -> Bool {
    lock.withLock {
      guard !over.load(ordering: .relaxed), !hasEnding else { return false }
      handles.add(handle)
      return true
    }
  }

  /// Removes all upstreams, in the order in which they are to be cancelled.
  @usableFromInline
  final func takeHandles() -> ContiguousArray<UpstreamHandle> {
    var taken = lock.withLock { handles.takeAll() }
    if cancelOrder == .latestFirst { taken.reverse() }
    return taken
  }

  @usableFromInline
  final func unregister(_ handle: UpstreamHandle) {
    _ = lock.withLock { handles.remove(handle) }
    if primary === handle { primary = nil }
  }

  /// Requests everything of all children, if downstream has.
  @usableFromInline
  package final func requestAllIfUnlimited() {
    guard demand.isUnlimited else { return }
    for handle in lock.withLock({ handles.all }) where handle.isChild { handle.raiseDemand(to: .unlimited) }
  }

  /// Cancels an upstream, and ignores what it still sends.
  @usableFromInline
  package final func cancel(_ handle: UpstreamHandle) {
    unregister(handle)
    handle.discard()
  }

  /// Notes that an upstream has ended. True if the operator is to handle that.
  @usableFromInline
  final func hasEnded(_ handle: UpstreamHandle) -> Bool {
    if isOver { return false }
    unregister(handle)
    return !handle.isCancelled  // as all are once it is decided how the stream ends
  }

  /// Runs `action` inside the drain loop, once the delivery under way has returned.
  @usableFromInline
  package final func performAfterDelivery(_ action: @escaping () -> Void) {
    if drainLoop.enqueue(.action(action)) { drainAndLeave() }
  }

  /// Runs `step`, which subscribes to the next upstream. One that ends at once, and so leads to the next step, does not
  /// deepen the stack (law R1).
  @usableFromInline
  package final func bounce(_ step: @escaping () -> Void) {
    nextStep = step
    guard !isBouncing else { return }
    isBouncing = true
    while !isOver, let next = nextStep.take() { next() }
    isBouncing = false
  }

  // MARK: Ending

  /// Calls `handler` when the stream is over, however it ends; at once if it is.
  @usableFromInline
  package final func onEnd(_ handler: @escaping () -> Void) {
    let isKept = lock.withLock { () -> Bool in
      if over.load(ordering: .relaxed) { return false }
      endHandlers.append(handler)
      return true
    }
    if !isKept { handler() }
  }

  /// Calls `handler` inside the drain loop if the stream is cancelled, and not if it ends; at once if it is over.
  @usableFromInline
  package final func onCancel(_ handler: @escaping () -> Void) {
    let isKept = lock.withLock { () -> Bool in
      if over.load(ordering: .relaxed) { return false }
      cancelHandlers.append(handler)
      return true
    }
    if !isKept { handler() }
  }

  /// Ends all upstreams. For the first caller, returns the handlers of a cancellation.
  @usableFromInline
  final func stop() -> [() -> Void]? {
    var (atEnd, atCancellation) = ([() -> Void](), [() -> Void]())
    let isFirst = lock.withLock { () -> Bool in
      guard !over.exchange(true, ordering: .relaxed) else { return false }
      swap(&endHandlers, &atEnd)
      swap(&cancelHandlers, &atCancellation)
      return true
    }
    guard isFirst else { return nil }
    for handle in takeHandles() { handle.cancel() }
    for handler in atEnd { handler() }
    return atCancellation
  }
}

/// The order in which an operator cancels its upstreams.
@usableFromInline
package enum CancelOrder {
  case firstFirst
  /// For operators whose first upstream decides about the others.
  case latestFirst
}

/// The downstream of a core that only a part of its operator owns: the part which is the subscription of the whole.
@usableFromInline
protocol OutletOfOperator {
  var subscription: AnyObject? { get }
  /// The operator's downstream.
  var downstreamForMirror: Any? { get }
}
