/// Delivers on a scheduler, in order, one signal at a time, whatever the scheduler does at once.
///
/// A job delivers all signals that arrived before it was scheduled, or, if ``BatchingScheduler`` marks the scheduler,
/// before it began: a burst of values is one job there. Any other scheduler gets one job for each signal. Either way
/// a signal is delivered no later than the job that its arrival would have scheduled: what is submitted to a queue
/// after it finds it delivered. And jobs that are dropped make signals late, but do not shift those that follow.
@usableFromInline
package final class Hop<Downstream: Subscriber>: Subscriber, Subscription {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline
  enum Signal {
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  @usableFromInline let name: String
  /// Has the scheduler do a job, now or later.
  @usableFromInline let start: (@escaping () -> Void) -> Void
  @usableFromInline let isBatching: Bool

  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var upstream: HeldSubscription?
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var arrived = Fifo<Signal>()
  /// How many signals have arrived, ever.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var count: UInt64 = 0
  /// What the one inside the gate is to deliver for jobs that found it busy.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var promised: UInt64 = 0
  /// A job was scheduled and has not begun. Only kept for batches.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var isPending = false
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var isUpstreamOver = false

  @usableFromInline let turnstile = Turnstile()
  @usableFromInline let gate = Gate()
  /// What the one inside the gate has taken over from those that arrived: all at once, and not one by one.
  @exclusivity(unchecked)  // inside the gate and the turnstile only
  @usableFromInline var leaving = Fifo<Signal>()
  /// How many signals have left, ever.
  @exclusivity(unchecked)  // inside the gate only
  @usableFromInline var leftCount: UInt64 = 0
  @exclusivity(unchecked)  // cleared when the last one leaves the turnstile
  @usableFromInline var exit: UnsafeMutablePointer<Exit<Downstream>>?
  /// Formed where the downstream's type is known: what a scheduler calls is not specialised.
  @usableFromInline let run: (Hop, UInt64) -> Void

  @inlinable @inline(__always)
  package init<Context: Scheduler>(
    _ name: String, on scheduler: Context, options: Context.SchedulerOptions?, to downstream: Downstream
  ) {
    self.name = name
    start = { scheduler.schedule(options: options, $0) }
    isBatching = (scheduler as? any BatchingScheduler)?.isBatching ?? false
    exit = .lodging(Exit(downstream))
    run = { hop, last in hop.deliver(upTo: last) }
  }

  /// Delivers each signal some time after it came.
  @inlinable @inline(__always)
  package init<Context: Scheduler>(
    _ name: String, after interval: Context.SchedulerTimeType.Stride,
    tolerance: Context.SchedulerTimeType.Stride,
    on scheduler: Context, options: Context.SchedulerOptions?, to downstream: Downstream
  ) {
    self.name = name
    start = { job in
      scheduler.schedule(
        after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, job)
    }
    isBatching = false
    exit = .lodging(Exit(downstream))
    run = { hop, last in hop.deliver(upTo: last) }
  }

  deinit { exit?.close() }

  // MARK: Subscriber

  @inlinable
  package func receive(subscription: any Subscription) {
    _ = turnstile.enter()
    defer { leave() }
    guard turnstile.attach() else { return subscription.cancel() }
    let held = subscription._held
    lock.withLock { upstream = held }
    exit!.pointee.attach(self)
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if turnstile.isOpen, let job = lock.withLock({ keep(.value(input)) }) { start { self.run(self, job) } }
    return .none
  }

  @usableFromInline @inline(never)
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard turnstile.isOpen else { return }
    let (job, released) = lock.withLock { () -> (UInt64?, HeldSubscription?) in
      let job = keep(.completion(completion))
      isUpstreamOver = true
      return (job, upstream.take())
    }
    withExtendedLifetime(released) {}
    if let job { start { self.run(self, job) } }
  }

  /// Completes in a job of the scheduler's that runs already, after what has arrived. If the stream is over, the job
  /// discards this, too.
  @usableFromInline
  package func complete(_ completion: Subscribers.Completion<Failure>) {
    let last = lock.withLock { () -> UInt64? in
      guard !isUpstreamOver else { return nil }
      arrived.append(.completion(completion))
      count &+= 1
      isUpstreamOver = true
      return count
    }
    if let last { run(self, last) }
  }

  /// Under the lock: keeps `signal`, and answers up to where the job must deliver that is to be scheduled, if one is.
  @inlinable @inline(__always)
  func keep(_ signal: Signal) -> UInt64? {
    guard !isUpstreamOver else { return nil }
    arrived.append(signal)
    count &+= 1
    if isPending { return nil }
    isPending = isBatching
    return count
  }

  // MARK: Subscription

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    guard turnstile.isOpen, demand > .none else { return }
    lock.withLock { upstream }?.request(demand)
  }

  @usableFromInline
  package func cancel() {
    _ = turnstile.enter()
    defer { leave() }
    if turnstile.close() { lock.withLock { upstream.take() }?.cancel() }
  }

  // MARK: On the scheduler

  /// One job. Those that run at the same time take turns.
  @inlinable @inline(__always)
  func deliver(upTo last: UInt64) {
    let last = isBatching ? begin() : last
    switch gate.enter() {
    case .nested: drain(upTo: last)
    case .entered:
      drain(upTo: last)
      leaveGate()
    case .busy:
      lock.withLock { promised = max(promised, last) }
      if gate.knock() { leaveGate(afterMail: true) }
    }
  }

  /// From here on, what arrives needs another job.
  @inlinable
  func begin() -> UInt64 {
    lock.withLock {
      isPending = false
      return count
    }
  }

  @inlinable
  func leaveGate(afterMail: Bool = false) {
    if !afterMail, gate.leave() { return }
    repeat { drain(upTo: lock.withLock { promised }) } while !gate.leave()
  }

  @inlinable @inline(__always)
  func drain(upTo last: UInt64) {
    let isOpen = turnstile.enter()
    defer { leave() }
    guard isOpen else { return discard() }
    while leftCount < last, turnstile.isOpen, let signal = next() {
      leftCount &+= 1
      deliver(signal)
    }
  }

  @inlinable @inline(__always)
  func next() -> Signal? {
    if leaving.isEmpty { lock.withLock { swap(&arrived, &leaving) } }
    return leaving.popFirst()
  }

  @inlinable @inline(__always)
  func deliver(_ signal: Signal) {
    switch signal {
    case .value(let value):
      let more = exit.unsafelyUnwrapped.pointee.deliver(value)
      if more > .none { request(more) }
    case .completion(let completion):
      if turnstile.close() { exit.unsafelyUnwrapped.pointee.complete(completion) }
    }
  }

  // MARK: Ending

  @inlinable @inline(__always)
  func leave() {
    if turnstile.leave() { putAway() }
  }

  @usableFromInline @inline(never)
  func putAway() {
    exit.take()?.close()
    leaving = Fifo()
    discard()
  }

  /// Lets go of what arrived, and of upstream.
  @usableFromInline @inline(never)
  func discard() {
    let rest = lock.withLock { () -> (Fifo<Signal>, HeldSubscription?) in
      defer { arrived = Fifo() }
      return (arrived, upstream.take())
    }
    withExtendedLifetime(rest) {}
  }
}

extension Hop: ReflectedByName {
  @usableFromInline package var description: String { name }
}

/// Marks schedulers on which nobody counts the jobs, so that one job may deliver a burst of values.
///
/// Queues and run loops are; schedulers whose jobs are stepped through, as those of tests are, are not.
@usableFromInline
package protocol BatchingScheduler {
  /// False if it only stands in for one that is not.
  var isBatching: Bool { get }
}

extension BatchingScheduler {
  @usableFromInline package var isBatching: Bool { true }
}
