public import Synchronization

/// Listens to one upstream after another. Demand that the first has not met is requested of the next.
///
/// Not an ``OperatorCore``: there, a value costs more.
@usableFromInline
package final class Concatenation<Scheme: ConcatenationPlan, Downstream: Subscriber>: AnyConcatenation
where Scheme.Next.Output == Downstream.Input, Scheme.Next.Failure == Downstream.Failure {
  @usableFromInline typealias Box = DownstreamBox<Downstream, Void, Scheme?>

  @inlinable
  package init(_ plan: Scheme, to downstream: Downstream) {
    let box = UnsafeMutablePointer.allocate(initializing: Box(downstream, (), plan))
    super.init(Scheme.name, zeroDemand: Scheme.zeroDemand, UnsafeMutableRawPointer(box)) {
      place, subscription in
      let box = place.assumingMemoryBound(to: Box.self)
      if let subscription { box.pointee.attach(subscription) } else { box.close() }
    }
  }

  @inlinable @inline(__always)
  var box: UnsafeMutablePointer<Box> { place.unsafelyUnwrapped.assumingMemoryBound(to: Box.self) }

  @inlinable @inline(never)
  func receive(_ input: Downstream.Input, turn mine: Turn) -> Subscribers.Demand {
    let isCovered = lifecycle.isCovered
    let more = lifecycle.enter(unless: isCovered) ? pass(input, turn: mine) : .none
    if !isCovered { leave() }
    return more
  }

  @inlinable @inline(__always)
  func pass(_ input: Downstream.Input, turn mine: Turn) -> Subscribers.Demand {
    guard turn.load(ordering: .relaxed) == mine.rawValue, demandCounter.isUnlimited || demandCounter.spend()
    else {
      return drop(input, turn: mine)
    }
    isEmpty = false
    let isNested = isDelivering
    isDelivering = true
    let more = box.pointee.deliver(input)
    isDelivering = isNested
    if due != nil { moveOn(isNested) }
    return more > .none ? answer(more, turn: mine) : .none
  }

  @usableFromInline
  func drop(_ input: Downstream.Input, turn mine: Turn) -> Subscribers.Demand {
    if turn.load(ordering: .relaxed) == mine.rawValue { Drops.note(input, by: self, because: .unrequested) }
    return .none
  }

  @inlinable
  func endFirst(_ completion: Subscribers.Completion<Scheme.First>) {
    let isOpen = lifecycle.enterEarly()
    defer { leave() }
    guard isOpen, passOn(from: .first, to: .second), let plan = box.pointee.memory.take() else { return }
    switch plan.next(after: completion, wasEmpty: isEmpty) {
    case .publisher(let next):
      if lifecycle.isClosed { return }  // the plan's closure may have cancelled
      if isDelivering || isArriving {  // else it needs no closure
        afterDelivery { self.go(on: next) }
      } else {
        go(on: next)
      }
    case .end(let completion): finish(completion)
    }
  }

  /// One copy of all that subscribing to `next` specialises.
  @inlinable @inline(never)
  func go(on next: Scheme.Next) {
    if let constant = next.valueUnseen, conclude(with: constant) { return }
    next.subscribe(SecondInlet(self))
  }

  /// Delivers a next upstream that is one value. False if it must be subscribed to.
  @inlinable
  func conclude(with constant: Downstream.Input) -> Bool {
    if !isAttached, !attachDownstream(under: nil) { return true }
    guard lifecycle.isOpen else { return true }
    guard demandCounter.outstanding > .none else { return false }
    _ = pass(constant, turn: .second)
    if passOn(from: .second, to: .over) { finish(.finished) }
    return true
  }

  @inlinable
  func endSecond(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let isOpen = lifecycle.enterEarly()
    defer { leave() }
    if isOpen, passOn(from: .second, to: .over) { finish(completion) }
  }

  @inlinable
  func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard lifecycle.close(for: self) else { return }
    if !isAttached { box.pointee.attach(Subscriptions.empty) }
    box.pointee.complete(completion)
  }

  @usableFromInline package override var reflectedChildren: [Mirror.Child] {
    guard Scheme.showsDownstream else { return [] }
    let isOpen = lifecycle.enterEarly()
    defer { leave() }
    guard isOpen, place != nil else { return [] }
    return [("downstream", box.pointee.downstream), ("demand", demandCounter.outstanding)]
  }
}

extension Concatenation {
  @usableFromInline
  func trampolineOfFirst() -> AnyTrampoline? {
    lock.withLock {
      guard !lifecycle.isClosed else { return nil }
      if firstTrampoline == nil { firstTrampoline = Trampoline<Downstream.Input, Scheme.First>() }
      return firstTrampoline
    }
  }

  @usableFromInline
  func trampolineOfSecond() -> AnyTrampoline? {
    lock.withLock {
      guard !lifecycle.isClosed else { return nil }
      if secondTrampoline == nil { secondTrampoline = Trampoline<Downstream.Input, Downstream.Failure>() }
      return secondTrampoline
    }
  }
}
