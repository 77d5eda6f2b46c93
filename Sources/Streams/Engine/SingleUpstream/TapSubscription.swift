/// The rule of an operator that only observes. Each call is made before the signal is passed on.
@usableFromInline
package protocol Tap {
  associatedtype Input
  associatedtype Failure: Error

  static var name: String { get }

  func saw(subscription: any Subscription)
  func saw(value: Input)
  func saw(answer: Subscribers.Demand)
  func saw(completion: Subscribers.Completion<Failure>)
  func saw(request: Subscribers.Demand)
  func sawCancel()

  /// Called with each request after the end, and with `nil` for a cancellation then.
  var lateHandler: ((Subscribers.Demand?) -> Void)? { get }
}

extension Tap {
  @inlinable package var lateHandler: ((Subscribers.Demand?) -> Void)? { nil }
}

/// Passes every signal on, after calling a tap with it.
@usableFromInline
package final class TapSubscription<Rule: Tap, Downstream: Subscriber>: SingleUpstreamSubscription, Subscriber
where Rule.Input == Downstream.Input, Rule.Failure == Downstream.Failure {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure
  @usableFromInline typealias Contents = DownstreamBox<Downstream, Rule, Void>

  @inlinable
  package init(_ tap: Rule, isHidden: Bool = false, to downstream: Downstream) {
    self.isHidden = isHidden
    lateHandler = tap.lateHandler
    super.init(UnsafeMutablePointer.allocate(initializing: Contents(downstream, tap, ()))) {
      $0.assumingMemoryBound(to: Contents.self).close()
    }
  }

  @inlinable @inline(__always)
  var box: UnsafeMutablePointer<Contents> {
    place.unsafelyUnwrapped.assumingMemoryBound(to: Contents.self)
  }

  /// Whether this has the description of upstream's subscription. That may be released before this.
  @usableFromInline let isHidden: Bool
  @exclusivity(unchecked)  // written on arrival, before another thread can read it
  @usableFromInline var upstreamName: String?

  @usableFromInline let lateHandler: ((Subscribers.Demand?) -> Void)?

  @usableFromInline override var name: String { upstreamName ?? Rule.name }

  @usableFromInline @inline(never)
  package func receive(subscription: any Subscription) {
    let isFirst = lifecycle.enterEarly()
    defer { leave() }
    if isFirst { box.pointee.saw(subscription: subscription) }
    guard attach(subscription, hasClaimed: lifecycle.claim()) else { return }
    if isHidden { upstreamName = String(describing: subscription) }
    box.pointee.attach(self)
  }

  @inlinable @inline(never)
  package func receive(_ input: Input) -> Subscribers.Demand {
    let isCovered = lifecycle.isCovered
    let more = lifecycle.enter(unless: isCovered) ? pass(input) : .none
    if !isCovered { leave() }
    return more
  }

  @inlinable @inline(__always)
  func pass(_ input: Input) -> Subscribers.Demand {
    let box = box
    box.pointee.saw(value: input)
    guard lifecycle.isOpen else { return .none }  // law C08: the tap may have cancelled
    let more = box.pointee.deliver(input)
    box.pointee.saw(answer: more)
    return more
  }

  @usableFromInline @inline(never)
  package func receive(completion: Subscribers.Completion<Failure>) {
    let isOpen = lifecycle.enter()
    defer { leave() }
    guard isOpen, lifecycle.detach() else { return }  // law C10: from now on there is nothing to cancel
    box.pointee.saw(completion: completion)
    if lifecycle.close(for: self) { box.pointee.complete(completion) }
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    let isOpen = lifecycle.enter()
    defer { leave() }
    guard isOpen else { return lateHandler?(demand) ?? () }
    box.pointee.saw(request: demand)
    upstream?.request(demand)
  }

  @usableFromInline
  package override func cancel() {
    var isLate = true
    let isLast = lifecycle.cancel(for: self) {
      isLate = false
      box.pointee.sawCancel()
      upstream?.cancel()
    }
    if isLate { lateHandler?(nil) }
    if isLast { releaseAll() }
  }
}

extension DownstreamBox where Rule: Tap, Rule.Input == Downstream.Input, Rule.Failure == Downstream.Failure {
  borrowing func saw(subscription: any Subscription) { rule.saw(subscription: subscription) }

  @inlinable @inline(__always)
  borrowing func saw(value: Rule.Input) { rule.saw(value: value) }

  @inlinable @inline(__always)
  borrowing func saw(answer: Subscribers.Demand) { rule.saw(answer: answer) }

  borrowing func saw(completion: Subscribers.Completion<Rule.Failure>) { rule.saw(completion: completion) }

  borrowing func saw(request: Subscribers.Demand) { rule.saw(request: request) }

  borrowing func sawCancel() { rule.sawCancel() }
}
