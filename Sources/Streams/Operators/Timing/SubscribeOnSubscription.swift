/// Subscribes, requests and cancels on a scheduler; delivers where upstream sends.
@usableFromInline
package final class SubscribeOnSubscription<Context: Scheduler, Downstream: Subscriber>:
  SingleUpstreamSubscription, Subscriber
{
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure
  @usableFromInline typealias Contents = PlainDownstream<Downstream>

  @usableFromInline let scheduler: Context
  @usableFromInline let options: Context.SchedulerOptions?
  /// What is requested while downstream is sent its subscription; `nil` afterwards. Upstream may answer on another thread, which
  /// it must not do earlier (law X19).
  @usableFromInline let early = Guarded<Subscribers.Demand?>(.some(.none))

  @inlinable
  package init(on scheduler: Context, options: Context.SchedulerOptions?, to downstream: Downstream) {
    self.scheduler = scheduler
    self.options = options
    super.init(UnsafeMutablePointer.allocate(initializing: Contents(downstream))) {
      $0.assumingMemoryBound(to: Contents.self).close()
    }
  }

  @inlinable @inline(__always)
  var box: UnsafeMutablePointer<Contents> { place.unsafelyUnwrapped.assumingMemoryBound(to: Contents.self) }

  @usableFromInline override var name: String { "SubscribeOn" }

  @inlinable
  package func receive(subscription: any Subscription) {
    if arrive(subscription) {
      box.pointee.attach(self)
      requestLater(early.withLock { $0.take() } ?? .none)
    }
    leave()
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    let isCovered = lifecycle.isCovered
    let more = lifecycle.enter(unless: isCovered) ? box.pointee.deliver(input) : .none
    if !isCovered { leave() }
    return more
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if lifecycle.enter(), lifecycle.close(for: self) { box.pointee.complete(completion) }
    leave()
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    let isEarly = early.withLock { early -> Bool in
      guard let before = early else { return false }
      early = before + demand
      return true
    }
    if !isEarly { requestLater(demand) }
  }

  @usableFromInline
  func requestLater(_ demand: Subscribers.Demand) {
    guard lifecycle.isOpen, demand > .none else { return }
    scheduler.schedule(options: options) { super.request(demand) }
  }

  @usableFromInline
  package override func cancel() {
    let isLast = lifecycle.cancel(for: self) {
      guard let upstream else { return }
      scheduler.schedule(options: options) { upstream.cancel() }
    }
    if isLast { releaseAll() }
  }
}
