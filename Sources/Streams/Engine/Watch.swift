/// What an operator that only looks on does at each signal.
///
/// Every call is made before the signal is passed on.
@usableFromInline
package protocol Watcher {
  associatedtype Input
  associatedtype Failure: Error

  static var name: String { get }

  func saw(subscription: any Subscription)
  func saw(value: Input)
  func saw(answer: Subscribers.Demand)
  func saw(completion: Subscribers.Completion<Failure>)
  func saw(request: Subscribers.Demand)
  func sawCancel()
}

/// Passes everything on, and lets a watcher see it.
@usableFromInline
package final class Watch<Eye: Watcher, Downstream: Subscriber>: Station, Subscriber
where Eye.Input == Downstream.Input, Eye.Failure == Downstream.Failure {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @inlinable
  package init(_ watcher: Eye, to downstream: Downstream) {
    super.init(UnsafeMutablePointer.lodging(Window(watcher, downstream))) {
      $0.assumingMemoryBound(to: Window<Eye, Downstream>.self).close()
    }
  }

  @inlinable @inline(__always)
  var window: UnsafeMutablePointer<Window<Eye, Downstream>> {
    place.unsafelyUnwrapped.assumingMemoryBound(to: Window<Eye, Downstream>.self)
  }

  @usableFromInline override var name: String { Eye.name }

  @usableFromInline @inline(never)
  package func receive(subscription: any Subscription) {
    let isFirst = turnstile.enterEarly()
    defer { leave() }
    if isFirst { window.pointee.saw(subscription: subscription) }
    guard turnstile.attach() else { return subscription.cancel() }
    upstream = subscription._held
    window.pointee.attach(self)
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    let more = turnstile.enter() ? pass(input) : .none
    leave()
    return more
  }

  @inlinable @inline(__always)
  func pass(_ input: Input) -> Subscribers.Demand {
    let window = window
    window.pointee.saw(value: input)
    guard turnstile.isOpen else { return .none }  // law C08: the watcher may have cancelled
    let more = window.pointee.deliver(input)
    window.pointee.saw(answer: more)
    return more
  }

  @usableFromInline @inline(never)
  package func receive(completion: Subscribers.Completion<Failure>) {
    let isOpen = turnstile.enter()
    defer { leave() }
    guard isOpen, turnstile.detach() else { return }  // law C10: from now on there is nothing to cancel
    window.pointee.saw(completion: completion)
    if turnstile.close() { window.pointee.complete(completion) }
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    let isOpen = turnstile.enter()
    defer { leave() }
    guard isOpen else { return }
    window.pointee.saw(request: demand)
    upstream?.request(demand)
  }

  @usableFromInline
  package override func cancel() {
    _ = turnstile.enter()
    defer { leave() }
    guard turnstile.closeForCancelling() else { return }
    window.pointee.sawCancel()
    upstream?.cancel()
  }
}

/// A watcher and the downstream behind it. Not copyable, so that both are used where they lie.
@frozen @usableFromInline
struct Window<Eye: Watcher, Downstream: Subscriber>: ~Copyable
where Eye.Input == Downstream.Input, Eye.Failure == Downstream.Failure {
  @usableFromInline let watcher: Eye
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ watcher: Eye, _ downstream: Downstream) {
    self.watcher = watcher
    self.downstream = downstream
  }

  borrowing func saw(subscription: any Subscription) { watcher.saw(subscription: subscription) }

  @inlinable @inline(__always)
  borrowing func saw(value: Eye.Input) { watcher.saw(value: value) }

  @inlinable @inline(__always)
  borrowing func saw(answer: Subscribers.Demand) { watcher.saw(answer: answer) }

  borrowing func saw(completion: Subscribers.Completion<Eye.Failure>) { watcher.saw(completion: completion) }

  borrowing func saw(request: Subscribers.Demand) { watcher.saw(request: request) }

  borrowing func sawCancel() { watcher.sawCancel() }

  borrowing func attach(_ subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable @inline(__always)
  borrowing func deliver(_ value: Downstream.Input) -> Subscribers.Demand { downstream.receive(value) }

  borrowing func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}
