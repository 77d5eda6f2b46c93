/// Subscribes, requests and cancels on a scheduler; what comes down comes where upstream sends it.
@usableFromInline
package final class Departure<Context: Scheduler, Downstream: Subscriber>: Subscriber, Subscription {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let scheduler: Context
  @usableFromInline let options: Context.SchedulerOptions?
  @usableFromInline let turnstile = Turnstile()
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var upstream: (any Subscription)?
  @exclusivity(unchecked)  // cleared when the last one leaves the turnstile
  @usableFromInline var exit: UnsafeMutablePointer<Exit<Downstream>>?

  @inlinable
  package init(on scheduler: Context, options: Context.SchedulerOptions?, to downstream: Downstream) {
    self.scheduler = scheduler
    self.options = options
    exit = .lodging(Exit(downstream))
  }

  deinit { exit?.close() }

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
    let isOpen = turnstile.enter()
    defer { leave() }
    return isOpen ? exit!.pointee.deliver(input) : .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    let isOpen = turnstile.enter()
    defer { leave() }
    if isOpen, turnstile.close() { exit!.pointee.complete(completion) }
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    guard turnstile.isOpen, demand > .none else { return }
    scheduler.schedule(options: options) {
      if self.turnstile.isOpen { self.lock.withLock { self.upstream }?.request(demand) }
    }
  }

  @usableFromInline
  package func cancel() {
    _ = turnstile.enter()
    defer { leave() }
    guard turnstile.close(), let upstream = lock.withLock({ upstream.take() }) else { return }
    scheduler.schedule(options: options) { upstream.cancel() }
  }

  @inlinable @inline(__always)
  func leave() {
    if turnstile.leave() { putAway() }
  }

  @inlinable @inline(never)
  func putAway() {
    exit.take()?.close()
    withExtendedLifetime(lock.withLock { upstream.take() }) {}
  }
}

extension Departure: ReflectedByName {
  @usableFromInline package var description: String { "SubscribeOn" }
}
