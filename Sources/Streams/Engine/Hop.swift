/// Delivers on a scheduler, in order, one signal at a time, whatever the scheduler does at once.
///
/// A scheduler that ``BatchingScheduler`` marks gets one job for a burst of values: those that arrive while the job
/// is pending go with it. Any other gets one job for each signal.
@usableFromInline
package final class Hop<Downstream: Subscriber>: Subscriber, Subscription {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline
  enum Signal {
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  /// After so many values in one job, others on the scheduler have their turn.
  @inlinable static var batch: Int { 128 }

  @usableFromInline let name: String
  /// Has the scheduler do a job, now or later.
  @usableFromInline let start: (@escaping () -> Void) -> Void
  @usableFromInline let isBatching: Bool

  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var upstream: (any Subscription)?
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var arrived = Fifo<Signal>()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var isPending = false
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var isUpstreamOver = false

  @usableFromInline let turnstile = Turnstile()
  @usableFromInline let gate = Gate()
  @exclusivity(unchecked)  // cleared when the last one leaves the turnstile
  @usableFromInline var exit: Exit<Downstream>?
  /// Formed where the downstream's type is known: what a scheduler calls is not specialised.
  @usableFromInline let run: (Hop) -> Void

  @inlinable @inline(__always)
  package init<Context: Scheduler>(
    _ name: String, on scheduler: Context, options: Context.SchedulerOptions?, to downstream: Downstream
  ) {
    self.name = name
    start = { scheduler.schedule(options: options, $0) }
    isBatching = scheduler is any BatchingScheduler
    exit = Exit(downstream)
    run = { hop in hop.isBatching ? hop.deliverBatch() : hop.deliverOne() }
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
    exit = Exit(downstream)
    run = { hop in hop.isBatching ? hop.deliverBatch() : hop.deliverOne() }
  }

  // MARK: Subscriber

  @inlinable
  package func receive(subscription: any Subscription) {
    _ = turnstile.enter()
    defer { leave() }
    guard turnstile.attach() else { return subscription.cancel() }
    lock.withLock { upstream = subscription }
    exit!.attach(self)
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
    let needsJob = lock.withLock { () -> Bool in
      guard !isUpstreamOver else { return false }
      if case .completion = signal {
        isUpstreamOver = true
        released = upstream.take()
      }
      arrived.append(signal)
      defer { isPending = true }
      return !isBatching || !isPending
    }
    withExtendedLifetime(released) {}
    if needsJob { start { self.run(self) } }
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

  /// One job, one signal. Jobs that run at the same time take turns.
  @inlinable @inline(__always)
  func deliverOne() {
    switch gate.enter() {
    case .nested: deliverNext()
    case .entered:
      deliverNext()
      leaveGate()
    case .busy:
      lock.withLock { jobsLeft += 1 }
      if gate.knock() { leaveGate(afterMail: true) }
    }
  }

  /// Jobs that found the gate busy: whoever is inside does them.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var jobsLeft = 0

  @inlinable
  func leaveGate(afterMail: Bool = false) {
    if !afterMail, gate.leave() { return }
    repeat {
      while lock.withLock({ () -> Bool in
        guard jobsLeft > 0 else { return false }
        jobsLeft -= 1
        return true
      }) { deliverNext() }
    } while !gate.leave()
  }

  @inlinable @inline(__always)
  func deliverNext() {
    if let signal = lock.withLock({ arrived.popFirst() }) { deliver(signal) }
  }

  /// One job for all that has arrived, up to a bound. There is never more than one job at a time.
  @inlinable @inline(__always)
  func deliverBatch() {
    var left = Self.batch
    while left > 0 {
      let signal = lock.withLock { () -> Signal? in
        let signal = arrived.popFirst()
        if signal == nil { isPending = false }
        return signal
      }
      guard let signal else { return }
      deliver(signal)
      left -= 1
    }
    start { self.run(self) }
  }

  @inlinable @inline(__always)
  func deliver(_ signal: Signal) {
    let isOpen = turnstile.enter()
    defer { leave() }
    guard isOpen else { return }
    switch signal {
    case .value(let value):
      let more = exit!.deliver(value)
      if more > .none { request(more) }
    case .completion(let completion):
      if turnstile.close() { exit!.complete(completion) }
    }
  }

  // MARK: Ending

  @inlinable @inline(__always)
  func leave() {
    if turnstile.leave() { putAway() }
  }

  @usableFromInline
  func putAway() {
    exit = nil
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
package protocol BatchingScheduler {}
