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
  @usableFromInline var upstream: (any Subscription)?
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var arrived = Fifo<Signal>()
  /// How many signals have arrived, ever, and how many of them have left.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var count: UInt64 = 0
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var leftCount: UInt64 = 0
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
    lock.withLock { upstream = subscription }
    exit!.pointee.attach(self)
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if turnstile.isOpen { accept(.value(input)) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if turnstile.isOpen { accept(.completion(completion)) }
  }

  @inlinable
  func accept(_ signal: Signal) {
    var released: (any Subscription)?
    let job = lock.withLock { () -> UInt64? in
      guard !isUpstreamOver else { return nil }
      if case .completion = signal {
        isUpstreamOver = true
        released = upstream.take()
      }
      arrived.append(signal)
      count += 1
      if isPending { return nil }
      isPending = isBatching
      return count
    }
    withExtendedLifetime(released) {}
    if let job { start { self.run(self, job) } }
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
    var hasMore = true
    while hasMore {
      let signal = lock.withLock { () -> Signal? in
        guard leftCount < last, let signal = arrived.popFirst() else {
          hasMore = false
          return nil
        }
        leftCount += 1
        hasMore = leftCount < last
        return signal
      }
      if let signal { deliver(signal) }
    }
  }

  @inlinable @inline(__always)
  func deliver(_ signal: Signal) {
    let isOpen = turnstile.enter()
    defer { leave() }
    guard isOpen else { return }
    switch signal {
    case .value(let value):
      let more = exit!.pointee.deliver(value)
      if more > .none { request(more) }
    case .completion(let completion):
      if turnstile.close() { exit!.pointee.complete(completion) }
    }
  }

  // MARK: Ending

  @inlinable @inline(__always)
  func leave() {
    if turnstile.leave() { putAway() }
  }

  @inlinable @inline(never)
  func putAway() {
    exit.take()?.close()
    let rest = lock.withLock { () -> (Fifo<Signal>, (any Subscription)?) in
      defer { arrived = Fifo() }
      return (arrived, upstream.take())
    }
    withExtendedLifetime(rest) {}
  }
}

extension Hop: CustomStringConvertible {
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
