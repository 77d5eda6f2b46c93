public import Synchronization

/// Listens to the latest of the publishers that its upstream sends. Demand that one has not met is asked of the next.
@usableFromInline
package final class Switch<Child: Publisher, Downstream: Subscriber>: Subscriber, Subscription
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline package typealias Input = Child
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline
  enum Event {
    case value(Child.Output, ChildLink)
    case opened(ChildLink)
    case closed(ChildLink)
    case outerFinished
    case failed(Failure, ChildLink?)
    case asked(Subscribers.Demand)
    case cancelled
  }

  @usableFromInline let upstream = UpstreamLink()
  @usableFromInline let reception = Reception<Event>()
  @usableFromInline let isOver = Atomic(false)
  @usableFromInline let lock = Lock()
  /// The child that is listened to.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var current: ChildLink?

  @exclusivity(unchecked)  // inside the reception only, as all that follows
  @usableFromInline var exit: UnsafeMutablePointer<Exit<Downstream>>?
  @exclusivity(unchecked)
  @usableFromInline var demand = Subscribers.Demand.none
  @exclusivity(unchecked)
  @usableFromInline var isOuterFinished = false
  /// Children that are one value, and with downstream just now.
  @exclusivity(unchecked)
  @usableFromInline var constants = 0

  @inlinable
  package init(to downstream: Downstream) { exit = .lodging(Exit(downstream)) }

  deinit { exit?.close() }

  // MARK: From the outer upstream

  @inlinable
  package func receive(subscription: any Subscription) {
    guard !isOver.load(ordering: .acquiring), upstream.attach(subscription) else {
      return subscription.cancel()
    }
    subscription.request(.unlimited)
  }

  @inlinable
  package func receive(_ child: Child) -> Subscribers.Demand {
    guard upstream.isLive else { return .none }
    if let constant = child.valueUnseen, pass(constant) { return .none }
    let link = ChildLink()
    let (old, isOver) = lock.withLock { () -> (ChildLink?, Bool) in
      if self.isOver.load(ordering: .relaxed) { return (nil, true) }
      defer { current = link }
      return (current, false)
    }
    old?.cancel()
    if !isOver { child.subscribe(SwitchInlet(self, link)) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard upstream.endOnce() else { return }
    switch completion {
    case .finished: perform(.outerFinished)
    case .failure(let error): perform(.failed(error, nil))
    }
  }

  // MARK: From downstream

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    demand.requireSome(of: "SwitchToLatest")
    if !isOver.load(ordering: .acquiring) { perform(.asked(demand)) }
  }

  @usableFromInline
  package func cancel() {
    if stop() { perform(.cancelled) }
  }

  @inlinable
  func stop() -> Bool {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    lock.withLock { current.take() }?.cancel()
    upstream.cancel()
    return true
  }

  // MARK: The reception

  @inlinable @inline(__always)
  func take(_ value: Child.Output, from child: ChildLink) -> Subscribers.Demand {
    switch reception.enter() {
    case .entered:
      let answer = child.isLive ? deliver(value, from: child) : .none
      serve()
      return answer
    case .nested: return child.isLive ? deliver(value, from: child) : .none
    case .busy:
      if reception.leaveBehind(.value(value, child)) { serve() }
      return .none
    }
  }

  /// The whole of a child that is one value, if nothing is in its way. False if it must be subscribed to.
  @inlinable @inline(__always)
  func pass(_ constant: Child.Output) -> Bool {
    let entry = reception.enter()
    if case .busy = entry { return false }
    let isFree = demand > .none && !isOver.load(ordering: .acquiring)
    if isFree { deliver(constant) }
    if case .entered = entry { serve() }
    return isFree
  }

  @inlinable
  func perform(_ event: Event) {
    reception.perform(event) {
      handle($0)
    } tidy: {
      tidyUp()
    }
  }

  @inlinable @inline(__always)
  func serve() {
    reception.serve {
      handle($0)
    } tidy: {
      tidyUp()
    }
  }

  @inlinable @inline(__always)
  func tidyUp() {
    if isOver.load(ordering: .relaxed) { exit.take()?.close() }
  }
}

// MARK: Inside the reception

extension Switch {
  @inlinable @inline(__always)
  func deliver(_ value: Child.Output, from child: ChildLink) -> Subscribers.Demand {
    guard !isOver.load(ordering: .acquiring), demand > .none else { return .none }
    demand -= 1
    let more = exit!.pointee.deliver(value)
    guard more > .none else { return .none }
    demand += more
    if child.isLive { return more }
    askCurrent(for: more)  // the delivery has brought another child
    return .none
  }

  /// In place of the child that is listened to.
  @inlinable @inline(__always)
  func deliver(_ constant: Child.Output) {
    if let old = lock.withLock({ current.take() }) { old.cancel() }
    guard !isOver.load(ordering: .acquiring) else { return }
    constants += 1
    demand -= 1
    let more = exit!.pointee.deliver(constant)
    constants -= 1
    if more > .none {
      demand += more
      askCurrent(for: more)  // the delivery may have brought another child
    }
    finishIfDone()
  }

  @inlinable
  func askCurrent(for more: Subscribers.Demand) {
    guard let child = lock.withLock({ current }), child.isOpen else { return }
    child.request(more)
  }

  @inlinable
  func handle(_ event: Event) {
    if isOver.load(ordering: .acquiring) { return }
    switch event {
    case .value(let value, let child):
      guard lock.withLock({ current === child }) else { return }  // it may have ended since, but not been replaced
      let more = deliver(value, from: child)
      if more > .none { child.request(more) }
    case .opened(let child):
      child.isOpen = true
      if demand > .none { child.request(demand) }
    case .closed(let child):
      lock.withLock { if current === child { current = nil } }
      finishIfDone()
    case .outerFinished:
      isOuterFinished = true
      finishIfDone()
    case .failed(let error, let child):
      // A child that was replaced meanwhile is not listened to.
      if child == nil || lock.withLock({ current === child }) { end(.failure(error)) }
    case .asked(let more):
      demand += more
      askCurrent(for: more)
    case .cancelled: break
    }
  }

  @inlinable
  func finishIfDone() {
    if isOuterFinished, constants == 0, lock.withLock({ current == nil }) { end(.finished) }
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) {
    if stop() { exit!.pointee.complete(completion) }
  }
}

extension Switch: ReflectedByName {
  @usableFromInline package var description: String { "SwitchToLatest" }
}

/// One child's way into a ``Switch``.
@frozen @usableFromInline
struct SwitchInlet<Child: Publisher, Downstream: Subscriber>: Subscriber
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let `switch`: Switch<Child, Downstream>
  @usableFromInline let link: ChildLink

  @inlinable
  init(_ switch: Switch<Child, Downstream>, _ link: ChildLink) {
    self.switch = `switch`
    self.link = link
  }

  @inlinable
  func receive(subscription: any Subscription) {
    guard link.attach(subscription) else { return subscription.cancel() }
    `switch`.perform(.opened(link))
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    link.isLive ? `switch`.take(input, from: link) : .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard link.endOnce() else { return }
    switch completion {
    case .finished: `switch`.perform(.closed(link))
    case .failure(let error): `switch`.perform(.failed(error, link))
    }
  }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { CombineIdentifier(link) }
}

extension SwitchInlet: ReflectedByName {
  @usableFromInline var description: String { `switch`.description }
  @usableFromInline var reflectedChildren: [Mirror.Child] {
    [("parentSubscription", `switch`.combineIdentifier)]
  }
}
