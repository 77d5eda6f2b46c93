public import Synchronization

/// Upstreams that come and go, for one downstream: each value of the outer upstream opens a child.
///
/// Deliveries are made inside the reception, one at a time. A child is asked for one value ahead of demand, which waits
/// in a queue; it is asked for the next when that one has been delivered. So each child has at most one waiting.
@usableFromInline
package final class Flatten<Input, Child: Publisher, Downstream: Subscriber>: Subscriber, Subscription
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline
  enum Event {
    case value(Child.Output, ChildLink)
    case opened(ChildLink)
    case closed
    case outerFinished
    case failed(Failure)
    case asked(Subscribers.Demand)
    case cancelled
  }

  @usableFromInline let name: String
  @usableFromInline let zeroDemand: ZeroDemand

  // The outer upstream, and who is still to be heard.
  @usableFromInline let turnstile = Turnstile()
  @usableFromInline let maxPublishers: Subscribers.Demand
  /// How many values the outer upstream owes.
  @usableFromInline let owed = Tally()
  @exclusivity(unchecked)  // cleared when the last one leaves the turnstile
  @usableFromInline var transform: ((Input) -> Child)?
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var upstream: (any Subscription)?
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var children: ContiguousArray<ChildLink> = []
  @usableFromInline let isOver = Atomic(false)

  // Delivery.
  @usableFromInline let reception = Reception<Event>()
  @exclusivity(unchecked)  // inside the reception only, as all that follows
  @usableFromInline var exit: UnsafeMutablePointer<Exit<Downstream>>?
  @exclusivity(unchecked)
  @usableFromInline var demand = Subscribers.Demand.none
  @exclusivity(unchecked)
  @usableFromInline var waiting = Fifo<(Child.Output, ChildLink)>()
  @exclusivity(unchecked)
  @usableFromInline var isDraining = false
  @exclusivity(unchecked)
  @usableFromInline var isOuterFinished = false
  /// Children that are one value, and with downstream just now.
  @exclusivity(unchecked)
  @usableFromInline var constants = 0
  /// Children that have not finished, as the gate sees it: what they sent before has been seen first.
  @usableFromInline let open = Atomic(0)

  @inlinable
  package init(
    _ name: String, zeroDemand: ZeroDemand, maxPublishers: Subscribers.Demand, to downstream: Downstream,
    transform: ((Input) -> Child)?
  ) {
    self.name = name
    self.zeroDemand = zeroDemand
    self.maxPublishers = maxPublishers
    self.transform = transform
    exit = .lodging(Exit(downstream))
  }

  deinit { exit?.close() }

  // MARK: From the outer upstream

  @inlinable
  package func receive(subscription: any Subscription) {
    _ = turnstile.enterEarly()
    defer { leave() }
    guard turnstile.attach(), keep(subscription) else { return subscription.cancel() }
    guard maxPublishers > .none else { return }
    owed.add(maxPublishers)
    subscription.request(maxPublishers)
  }

  /// False if downstream has cancelled meanwhile: it had its subscription before.
  @inlinable
  func keep(_ subscription: any Subscription) -> Bool {
    lock.withLock {
      guard !isOver.load(ordering: .relaxed) else { return false }
      upstream = subscription
      return true
    }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    let isOpen = turnstile.enter()
    defer { leave() }
    guard isOpen, owed.spend(), let transform else { return .none }
    let child = transform(input)
    if let constant = child.valueUnseen, pass(constant) { return .none }
    let link = ChildLink()
    guard enrol(link) else { return .none }
    child.subscribe(ChildInlet(self, link))
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    let isOpen = turnstile.enterEarly()
    defer { leave() }
    guard isOpen, owed.close() else { return }  // laws H25, H26: from now on upstream is not heard
    withExtendedLifetime(lock.withLock { upstream.take() }) {}
    switch completion {
    case .finished: perform(.outerFinished)
    case .failure(let error): perform(.failed(error))
    }
  }

  // MARK: From downstream

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if zeroDemand == .traps { demand.requireSome(of: name) }
    guard demand > .none else { return }
    if !isOver.load(ordering: .acquiring) { perform(.asked(demand)) }
  }

  @usableFromInline
  package func cancel() {
    guard stop() else { return }
    perform(.cancelled)
  }

  // MARK: Children

  @inlinable
  func enrol(_ link: ChildLink, counting: Bool = true) -> Bool {
    lock.withLock {
      guard !isOver.load(ordering: .relaxed) else { return false }
      link.place = children.count
      children.append(link)
      if counting { open.wrappingAdd(1, ordering: .relaxed) }
      return true
    }
  }

  /// True for the first time only.
  @inlinable
  func strikeOff(_ link: ChildLink) -> Bool {
    lock.withLock {
      guard let place = link.place else { return false }
      link.place = nil
      let last = children.removeLast()
      if last !== link {
        children[place] = last
        last.place = place
      }
      return true
    }
  }

  /// Ends everything that goes on upstream: children first, then the outer upstream. True for the first caller.
  @inlinable
  func stop() -> Bool {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    let (rest, outer) = lock.withLock {
      () -> (ContiguousArray<ChildLink>, (any Subscription)?) in
      defer {
        children = []
        upstream = nil
      }
      for child in children { child.place = nil }
      return (children, upstream)
    }
    for child in rest { child.cancel() }
    outer?.cancel()
    _ = turnstile.enterEarly()
    _ = turnstile.close()
    leave()
    return true
  }

  @inlinable @inline(__always)
  func leave() {
    if turnstile.leave() { transform = nil }
  }

  // MARK: The reception

  /// A child's value. The answer is what the child is asked for besides.
  @inlinable @inline(__always)
  func take(_ value: Child.Output, from child: ChildLink) -> Subscribers.Demand {
    switch reception.enter() {
    case .entered:
      let answer = deliver(value, from: child)
      serve()
      return answer
    case .nested: return deliver(value, from: child)
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
    let isFree = demand.isUnlimited && waiting.isEmpty && !isDraining && !isOver.load(ordering: .acquiring)
    if isFree {
      constants += 1
      _ = exit!.pointee.deliver(constant)
      constants -= 1
      askForAnother()
      finishIfDone()
    }
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
    if isOver.load(ordering: .relaxed) { putAway() }
  }

  @inlinable @inline(never)
  func putAway() {
    exit.take()?.close()
    waiting = Fifo()
  }
}

// MARK: Inside the reception

extension Flatten {
  @inlinable @inline(__always)
  func deliver(_ value: Child.Output, from child: ChildLink) -> Subscribers.Demand {
    if isOver.load(ordering: .acquiring) { return .none }
    guard demand > .none, waiting.isEmpty, !isDraining else {
      waiting.append((value, child))
      return .none
    }
    if demand.isUnlimited {
      _ = exit!.pointee.deliver(value)
      return .none  // the child was asked for everything
    }
    demand -= 1
    demand += exit!.pointee.deliver(value)
    if waiting.isEmpty { openUp() } else { drain() }  // a value that came meanwhile may have room now
    return demand.isUnlimited ? .none : .max(1)
  }

  @inlinable
  func handle(_ event: Event) {
    if isOver.load(ordering: .acquiring) { return }
    switch event {
    case .value(let value, let child):
      let more = deliver(value, from: child)
      if more > .none { child.request(more) }
    case .opened(let child):
      if demand.isUnlimited, !isDraining { child.openUp() } else { child.request(.max(1)) }
    case .closed:
      open.wrappingSubtract(1, ordering: .relaxed)
      askForAnother()
      finishIfDone()
    case .outerFinished:
      isOuterFinished = true
      finishIfDone()
    case .failed(let error):
      end(.failure(error))
    case .asked(let more):
      demand += more
      drain()
    case .cancelled: break
    }
  }

  /// With unlimited demand, every child is asked for everything, once.
  @inlinable @inline(__always)
  func openUp() {
    if demand.isUnlimited { openUpChildren() }
  }

  @inlinable
  func openUpChildren() {
    for child in lock.withLock({ children }) { child.openUp() }
  }

  /// Delivers what waits. A request made meanwhile only adds to the demand.
  @inlinable
  func drain() {
    guard !isDraining else { return }
    isDraining = true
    while demand > .none, !isOver.load(ordering: .acquiring), let (value, child) = waiting.popFirst() {
      demand -= 1
      demand += exit!.pointee.deliver(value)
      if !demand.isUnlimited { child.request(.max(1)) }
    }
    isDraining = false
    openUp()
    finishIfDone()
  }

  /// A child has made room for another.
  @inlinable
  func askForAnother() {
    guard !maxPublishers.isUnlimited, let upstream = lock.withLock({ upstream }) else { return }
    owed.add(.max(1))
    upstream.request(.max(1))
  }

  @inlinable
  func finishIfDone() {
    guard isOuterFinished, constants == 0, open.load(ordering: .relaxed) == 0, waiting.isEmpty, !isDraining
    else { return }
    end(.finished)
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) {
    guard stop() else { return }
    exit!.pointee.complete(completion)
  }
}

extension Flatten: ReflectedByName {
  @usableFromInline package var description: String { name }
}

/// The way to the downstream. Not copyable, so that it is used where it lies.
@frozen @usableFromInline
struct Exit<Downstream: Subscriber>: ~Copyable {
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ downstream: Downstream) { self.downstream = downstream }

  @inlinable
  borrowing func attach(_ subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable @inline(__always)
  borrowing func deliver(_ value: Downstream.Input) -> Subscribers.Demand { downstream.receive(value) }

  @inlinable
  borrowing func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}
