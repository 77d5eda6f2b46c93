internal import CThreads
public import Synchronization

/// One subscriber of a ``SubscriberList``.
@usableFromInline
// Sendable: as its superclass.
package final class SubjectSubscription<Output, Failure: Error>: AnySubjectSubscription, @unchecked Sendable {
  @exclusivity(unchecked)  // by whoever may call it only
  @usableFromInline var erased: ErasedDownstream<Output, Failure>?
  /// The values that were left for the holder of the turn, or wait for demand.
  @exclusivity(unchecked)  // under the list's lock only
  @usableFromInline var left = RingQueue<LeftValue<Output>>()

  @inlinable @inline(__always)
  package init<Downstream: Subscriber<Output, Failure>>(_ list: AnySubscriberList, to downstream: Downstream)
  {
    erased = ErasedDownstream(downstream)
    super.init(list)
  }

  @inlinable var source: SubscriberList<Output, Failure> { unsafeDowncast(list, to: SubscriberList.self) }

  // MARK: Inside the list's gate

  @inlinable @inline(__always)
  func offer(_ value: Output) {
    if turn.isOpen {
      _ = erased!.deliver(value)
    } else {
      offerInTurn(value, 0)
    }
  }

  /// Delivers `value`, leaves it for another thread, or drops it, as nobody has requested it.
  @inlinable @inline(never)
  func offerInTurn(_ value: Output, _ number: UInt) {
    if list.keeps != .nothing, seen.load(ordering: .relaxed) >= number { return }
    while true {
      switch admit() {
      case .closed: return
      case .unrequested(let isFirst): return drop(value, number, isFirst: isFirst)
      case .nested: return deliver(value, number)
      case .first:
        turn.claim()
        deliver(value, number)
        return giveTurn()
      case .later: if leave(value, number) { return }
      }
    }
  }

  /// Reports a value that is not requested, or, where the newest is kept, the one before it.
  @usableFromInline
  func drop(_ value: Output, _ number: UInt, isFirst: Bool) {
    guard cthreads_reports_drops() != 0 else { return }
    if list.keeps == .nothing { return Drops.note(value, by: self, because: .noDemand) }
    let before = source.noteUnsent(value, number)
    if !isFirst, let before { Drops.note(before, by: self, because: .superseded) }
  }

  /// False if the turn is free again, and nothing is before the value.
  @usableFromInline
  func leave(_ value: Output, _ number: UInt) -> Bool {
    let (isLeft, isFull) = list.lock.withLock { () -> (Bool, Bool) in
      let isLeft = turn.change {
        guard !$0.isClosed, self.isLater($0) else { return false }
        $0[DeliveryTurn.State.mail] = true
        return true
      }
      if isLeft == nil { return (false, false) }
      let isForAnother = isLeft!.after.isHeld && !turn.isMine
      left.append(LeftValue(value, number, isForAnother: isForAnother))
      return (true, isForAnother && left.count > MailboxBound.most)
    }
    if isFull { MailboxBound.pause() }
    return isLeft
  }

  // MARK: In turn

  /// Delivers a value for which demand was subtracted.
  @inlinable
  func deliver(_ value: Output, _ number: UInt) {
    if list.keeps == .latest {
      guard seen.load(ordering: .relaxed) < number else { return addBack(.max(1)) }
      seen.store(number, ordering: .relaxed)
    }
    let more = erased!.deliver(value)
    if more > .none { addBack(more) }
  }

  /// Delivers the newest value, if it was missed and is requested, or the first that was left. True if another thread had left it.
  @inlinable
  func deliverKept(newest: Bool) -> Bool {
    if !newest { return deliverLeft() }
    guard admitMissed() else { return false }
    list.lock.take()
    let (value, number) = (source.latest, source.number)
    list.lock.give()
    if let value { deliver(value, number) }
    return false
  }

  @inlinable
  func deliverLeft() -> Bool {
    list.lock.take()
    let first = left.removeFirst()
    if left.isEmpty { noteEmpty() }
    list.lock.give()
    if admitLeft() {
      deliver(first.value, first.number)
    } else if !turn.state.isClosed {
      drop(first.value, first.number, isFirst: list.keeps == .latest && miss())
    }
    return first.isForAnother
  }

  override func complete() {
    if close() { erased!.complete(source.ending!) }
  }

  override func release(hasMail: Bool) {
    erased = nil
    if hasMail { left = RingQueue() }
  }

  override var downstream: Any? {
    switch erased {
    case .some(let erased): erased.downstream
    case .none: nil
    }
  }
}

/// A value that a subscriber has not received.
@frozen @usableFromInline
struct LeftValue<Output> {
  @usableFromInline let value: Output
  @usableFromInline let number: UInt
  /// Whether another thread had the turn: then it is part of a burst.
  @usableFromInline let isForAnother: Bool

  @inlinable
  init(_ value: Output, _ number: UInt, isForAnother: Bool) {
    self.value = value
    self.number = number
    self.isForAnother = isForAnother
  }
}
