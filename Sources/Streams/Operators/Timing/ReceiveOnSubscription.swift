/// Delivers on a scheduler, in order, one signal at a time, even if the scheduler runs jobs concurrently.
///
/// A job delivers all signals that arrived before it was scheduled. If ``BatchingScheduler`` marks the scheduler, a
/// job delivers what arrived before it began, up to a bound, so a burst of values is one job for each ``batch`` of them. Any
/// other scheduler receives one job for each signal. Either way, a signal is delivered no later than by the job that its arrival would have
/// scheduled. So work that is submitted to a queue after a signal runs after its delivery. If a scheduler drops jobs,
/// signals are late, but stay in order.
@usableFromInline
package final class ReceiveOnSubscription<Downstream: Subscriber>: Subscriber, Subscription {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let name: String
  /// Schedules a job. The result takes it back; `nil` if that is not possible.
  @usableFromInline let start: (@escaping () -> Void) -> (any Cancellable)?
  /// Schedules a job for what is due already, where `start` would delay it.
  @usableFromInline let startNow: ((@escaping () -> Void) -> Void)?
  @usableFromInline let isBatching: Bool

  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var upstream: SubscriptionObject?
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var arrived = RingQueue<Input>()
  /// The completion, which follows the values.
  @exclusivity(unchecked)  // under the lock only
  private var ending: Subscribers.Completion<Failure>?
  /// How many signals have arrived, ever.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var count: UInt64 = 0
  /// The number of the last signal that the thread inside the gate must deliver, for jobs that found the gate busy.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var promised: UInt64 = 0
  /// The number of the last signal that the jobs deliver that are scheduled and have not begun. Only kept for batches. All of
  /// them, if an operator schedules the jobs.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var covered: UInt64 = 0
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var isUpstreamOver = false
  /// What takes back the jobs that have not begun, of a scheduler for which that is possible.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var tokens = RingQueue<any Cancellable>()
  /// How many jobs have begun before their tokens were stored.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var begunEarly = 0

  @usableFromInline let lifecycle = LifecycleState()
  @usableFromInline let gate = SerialGate()
  /// The values that the thread inside the gate has taken over, all at once.
  @exclusivity(unchecked)  // inside the gate and the lifecycle state only
  @usableFromInline var leaving = RingQueue<Input>()
  /// How many values have left, ever.
  @exclusivity(unchecked)  // inside the drain loop only
  @usableFromInline var leftCount: UInt64 = 0
  @exclusivity(unchecked)  // cleared when the last one leaves the lifecycle state
  @usableFromInline var box: UnsafeMutablePointer<PlainDownstream<Downstream>>?
  /// Created where the downstream's type is known, because closures that a scheduler calls are not specialised.
  @usableFromInline let run: (ReceiveOnSubscription, UInt64) -> Void

  /// How many signals one job delivers: few enough not to hold up other jobs, and enough to make its start cheap.
  @inlinable static var batch: UInt64 { 256 }

  @inlinable @inline(__always)
  package init<Context: Scheduler>(
    _ name: String, on scheduler: Context, options: Context.SchedulerOptions?, isBatching: Bool? = nil,
    to downstream: Downstream
  ) {
    self.name = name
    start = { job in
      scheduler.schedule(options: options, job)
      return nil
    }
    startNow = nil
    self.isBatching = isBatching ?? (scheduler as? any BatchingScheduler)?.isBatching ?? false
    box = .allocate(initializing: PlainDownstream(downstream))
    run = { hop, last in hop.deliver(upTo: last) }
  }

  /// Stores signals until ``deliverArrived()`` is called in a job.
  @inlinable @inline(__always)
  package convenience init<Context: Scheduler>(
    _ name: String, storingFor scheduler: Context, options: Context.SchedulerOptions?,
    to downstream: Downstream
  ) {
    self.init(name, on: scheduler, options: options, isBatching: true, to: downstream)
    covered = .max
  }

  /// Delivers each signal some time after its arrival.
  @inlinable @inline(__always)
  package init<Context: Scheduler>(
    _ name: String, after interval: Context.SchedulerTimeType.Stride,
    tolerance: Context.SchedulerTimeType.Stride,
    on scheduler: Context, options: Context.SchedulerOptions?, to downstream: Downstream
  ) {
    self.name = name
    let revocable = scheduler.revocable(options: options)
    let isRevocable = revocable != nil
    start = { job in
      let date = scheduler.now.advanced(by: interval)
      if let revocable { return revocable.scheduleOnce(after: date, tolerance: tolerance, job) }
      scheduler.schedule(after: date, tolerance: tolerance, options: options, job)
      return nil
    }
    startNow = { job in scheduler.schedule(options: options, job) }
    isBatching = false
    box = .allocate(initializing: PlainDownstream(downstream))
    run = { hop, last in
      if isRevocable { hop.dropToken() }
      hop.deliver(upTo: last)
    }
  }

  deinit { box?.close() }

  // MARK: Subscriber

  @inlinable
  package func receive(subscription: any Subscription) {
    _ = lifecycle.enter()
    defer { leave() }
    guard lifecycle.claim(), lifecycle.attach(under: nil) else { return subscription.cancel() }
    let held = subscription._held
    lock.withLock { upstream = held }
    enclose { box!.pointee.attach(self) }  // a job may begin on another thread meanwhile (law X19)
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    guard lifecycle.isOpen else { return .none }
    lock.take()
    let job = keep(input)
    lock.give()
    if let job { setOut(job) }
    return .none
  }

  @usableFromInline @inline(never)
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard lifecycle.isOpen else { return }
    let (job, released) = lock.withLock { () -> (UInt64?, SubscriptionObject?) in
      (end(completion) ? jobForLast() : nil, upstream.take())
    }
    withExtendedLifetime(released) {}
    if let job { setOut(job) }
  }

  /// Completes in the current job of the scheduler, after the signals that have arrived. Ignored once the stream is over.
  @usableFromInline
  package func complete(_ completion: Subscribers.Completion<Failure>) {
    let last = lock.withLock { end(completion) ? count : nil }
    if let last { run(self, last) }
  }

  /// Under the lock: stores the completion. False if upstream was over.
  private func end(_ completion: Subscribers.Completion<Failure>) -> Bool {
    guard !isUpstreamOver else { return false }
    (ending, isUpstreamOver) = (completion, true)
    count &+= 1
    return true
  }

  /// Under the lock: stores `value`. If a job must be scheduled, returns up to which signal it delivers.
  @inlinable @inline(__always)
  func keep(_ value: Input) -> UInt64? {
    guard !isUpstreamOver else { return nil }
    arrived.append(value)
    count &+= 1
    return jobForLast()
  }

  /// Under the lock: up to which signal a job must deliver the last one, if one must be scheduled.
  @inlinable @inline(__always)
  func jobForLast() -> UInt64? {
    guard isBatching else { return count }
    if count <= covered { return nil }
    covered = count &+ (Self.batch - 1)
    return covered
  }

  @inlinable @inline(__always)
  func setOut(_ job: UInt64) {
    if let token = start({ self.run(self, job) }) { keep(token) }
  }

  /// Stores `token` until its job begins, or the stream is over.
  @usableFromInline @inline(never)
  func keep(_ token: any Cancellable) {
    let isSpent = lock.withLock { () -> Bool in
      if begunEarly > 0 {
        begunEarly -= 1
        return true
      }
      if lifecycle.isClosed { return true }
      tokens.append(token)
      return false
    }
    if isSpent { token.cancel() }
  }

  /// The first job that was set out has begun.
  @usableFromInline @inline(never)
  func dropToken() {
    lock.withLock { () -> (any Cancellable)? in
      if tokens.isEmpty { begunEarly += 1 }
      return tokens.popFirst()
    }?.cancel()
  }

  // MARK: Subscription

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if demand > .none { lock.withLock { upstream }?.request(demand) }
  }

  @usableFromInline
  package func cancel() {
    _ = lifecycle.enter()
    defer { leave() }
    if lifecycle.close() { lock.withLock { upstream.take() }?.cancel() }
  }

  @usableFromInline
  package var _gate: AnyObject? { gate }

  // MARK: On the scheduler

  /// One job. Jobs that run concurrently take turns.
  @inlinable @inline(__always)
  func deliver(upTo last: UInt64) {
    let last = isBatching ? begin(last) : last
    let entry = gate.enter()
    if case .busy = entry {
      lock.withLock { promised = max(promised, last) }
      if gate.notify() { leaveGate(afterMail: true) }
      return
    }
    drain(upTo: last)
    if case .entered = entry { leaveGate() }
  }

  /// Delivers in the current job what has arrived. Nothing has before the subscription, for which a timer may be too early.
  @usableFromInline
  package func deliverArrived() {
    if lifecycle.isOpen || lifecycle.isClosed { run(self, .max - 1) }
  }

  /// Delivers in another job what has arrived, if anything has.
  @usableFromInline
  package func deliverLater() {
    if lock.withLock({ !arrived.isEmpty || ending != nil }) { _ = start { self.deliverArrived() } }
  }

  /// Signals that arrive from here on need another job, if this was to deliver them.
  @inlinable
  func begin(_ last: UInt64) -> UInt64 {
    lock.withLock {
      if covered == last, count < last { covered = count }
      return min(last, count)
    }
  }

  /// Delivers for the jobs that found the gate busy, up to a bound. The rest is for another job.
  @inlinable
  func leaveGate(afterMail: Bool = false) {
    if !afterMail, gate.leave() { return }
    let most = leftCount &+ Self.batch
    repeat {
      gate.releaseWaiting()
      let last = lock.withLock { promised }
      drain(upTo: min(last, most))
      if last > most, lifecycle.isOpen { return park() }
    } while !gate.leave()
  }

  @usableFromInline
  func park() {
    gate.park()
    let job = { self.goOn() }
    if let startNow { startNow(job) } else { _ = start(job) }
  }

  /// Runs `body` inside. What jobs would deliver meanwhile on other threads is for another job.
  @usableFromInline
  func enclose(_ body: () -> Void) {
    guard gate.enter() == .entered else { return body() }
    body()
    while !gate.leave() {
      gate.releaseWaiting()
      if lock.withLock({ promised }) > leftCount, lifecycle.isOpen { return park() }
    }
  }

  @usableFromInline
  func goOn() {
    if gate.adopt() { leaveGate(afterMail: true) }
  }

  /// One copy of all that is below: a call for each job is cheap.
  @inlinable @inline(never)
  func drain(upTo last: UInt64) {
    let isOpen = lifecycle.enter()
    defer { leave() }
    guard isOpen else { return discard() }
    while leftCount < last, lifecycle.isOpen {
      if leaving.isEmpty {
        lock.take()
        swap(&arrived, &leaving)
        lock.give()
        if leaving.isEmpty { return finish() }
      }
      leftCount &+= 1
      let more = box!.pointee.deliver(leaving.removeFirst())
      if more > .none { request(more) }
    }
  }

  @usableFromInline @inline(never)
  func finish() {
    guard let completion = lock.withLock({ ending.take() }), lifecycle.close() else { return }
    box!.pointee.complete(completion)
  }

  // MARK: Ending

  @inlinable @inline(__always)
  func leave() {
    if lifecycle.leave() { releaseAll() }
  }

  @usableFromInline @inline(never)
  func releaseAll() {
    box.take()?.close()
    leaving = RingQueue()
    discard()
  }

  /// Releases the signals that have arrived, and upstream.
  @usableFromInline @inline(never)
  func discard() {
    let (values, completion, feed, revoked) = lock.withLock {
      defer { (arrived, tokens) = (RingQueue(), RingQueue()) }
      return (arrived, ending.take(), upstream.take(), tokens)
    }
    revoked.forEach { $0.cancel() }
    withExtendedLifetime((values, completion, feed)) {}
  }
}

extension ReceiveOnSubscription: ReflectedByName {
  @usableFromInline package var description: String { name }
  @usableFromInline package var reflectedChildren: [Mirror.Child] { core?.reflectedChildren ?? [] }

  /// The core of an operator that schedules the jobs, and whose subscription this is.
  var core: AnyOperatorCore? { lock.withLock { covered == .max ? upstream : nil } as? AnyOperatorCore }

  var downstreamForMirror: Any? {
    let isOpen = lifecycle.enter()
    defer { leave() }
    return isOpen ? box?.pointee.downstream : nil
  }
}
