public import Synchronization

/// Counts the threads inside an operator with one upstream, so that the last one out releases what the operator holds.
///
/// Upstream's signals are serial, but `request` and `cancel` may be called from any thread at any time. A thread enters
/// before it uses the operator's upstream or downstream, and leaves afterwards. When the stream is over, the last one to
/// leave releases both: never while another uses them, and never later than needed (laws C16–C20).
///
/// A thread that enters sees what was stored before the upstream was attached, and the last one to leave sees what all
/// others did inside. All other accesses only decide whether to go on: they are relaxed.
@usableFromInline
package struct LifecycleState: ~Copyable, Sendable {
  /// Bit 0: closed. Bit 1: no upstream is attached yet. Bit 2: released. Bit 3: upstream is released. Bit 4: no upstream has
  /// arrived yet. Bit 5: upstream has ended. The rest counts the threads inside. None of these six bits is set while the
  /// stream is open, so that check is the shortest.
  @usableFromInline let word = Atomic<UInt>(LifecycleState.unattached | LifecycleState.unclaimed)

  @inlinable
  package init() {}

  @inlinable static var closed: UInt { 1 }
  @inlinable static var unattached: UInt { 2 }
  @inlinable static var released: UInt { 4 }
  @inlinable static var detached: UInt { 8 }
  @inlinable static var unclaimed: UInt { 16 }
  @inlinable static var ended: UInt { 32 }
  @inlinable static var one: UInt { 64 }

  /// Enters. Call ``leave()`` in either case.
  ///
  /// - Returns: True if an upstream is attached and the stream is not over.
  @inlinable @inline(__always)
  package borrowing func enter() -> Bool {
    let old = word.wrappingAdd(Self.one, ordering: .acquiring).oldValue
    return old & (Self.one - 1) == 0
  }

  /// Enters, even if no upstream is attached yet. Call ``leave()`` in either case.
  ///
  /// - Returns: True if the stream is not over.
  @inlinable @inline(__always)
  package borrowing func enterEarly() -> Bool {
    word.wrappingAdd(Self.one, ordering: .relaxed).oldValue & Self.closed == 0
  }

  /// Leaves.
  ///
  /// - Returns: True, once in a lifetime, if the caller must release upstream and downstream.
  @inlinable @inline(__always)
  package borrowing func leave() -> Bool { leave(Self.one) }

  /// The same for as many threads as `count` is times ``one``.
  @inlinable @inline(__always)
  borrowing func leave(_ count: UInt) -> Bool {
    let left = word.wrappingSubtract(count, ordering: .releasing).newValue
    return left & Self.closed == 0 ? false : isLast(left)
  }

  @usableFromInline @inline(never)
  borrowing func isLast(_ left: UInt) -> Bool {
    guard left & ~(Self.unattached | Self.unclaimed | Self.detached | Self.ended) == Self.closed else {
      return false
    }
    return word.compareExchange(
      expected: left, desired: left | Self.released, ordering: .acquiring
    ).exchanged
  }

  /// Notes that the one upstream is attached. False if there is one already, or the stream is over.
  ///
  /// Orders nothing: callers store upstream under a lock.
  @inlinable
  package borrowing func attach() -> Bool {
    word.bitwiseAnd(~(Self.unattached | Self.unclaimed), ordering: .relaxed).oldValue & (Self.one - 1)
      == Self.unattached | Self.unclaimed
  }

  /// Enters, and claims the place of the one upstream, in one step. False if another has, or the stream is over.
  @inlinable
  borrowing func enterClaiming() -> Bool {
    var seen = word.load(ordering: .relaxed)
    while seen & (Self.closed | Self.unclaimed) == Self.unclaimed {
      let step = word.weakCompareExchange(
        expected: seen, desired: seen &- Self.unclaimed &+ Self.one, ordering: .relaxed)
      if step.exchanged { return true }
      seen = step.original
    }
    _ = enterEarly()
    return false
  }

  /// The same for a caller that is inside.
  @inlinable
  borrowing func claim() -> Bool {
    word.bitwiseAnd(~Self.unclaimed, ordering: .relaxed).oldValue & (Self.closed | Self.unclaimed)
      == Self.unclaimed
  }

  /// Notes that the upstream that was claimed is attached, and counts one thread more for its gate. False if the stream is over.
  @inlinable
  borrowing func attach(countingGate: Bool) -> Bool {
    let step = (countingGate ? Self.one : 0) &- Self.unattached
    return word.wrappingAdd(step, ordering: .releasing).oldValue & Self.closed == 0
  }

  /// Ends the stream. True for the first caller only.
  @inlinable
  package borrowing func close() -> Bool {
    word.bitwiseOr(Self.closed, ordering: .relaxed).oldValue & Self.closed == 0
  }

  /// The same, and returns the state before.
  ///
  /// Acquires, since upstream may have been attached after the caller has entered.
  @inlinable
  borrowing func end() -> UInt { word.bitwiseOr(Self.closed, ordering: .acquiring).oldValue }

  /// The same, and enters, in one step.
  @inlinable
  borrowing func enterEnding() -> UInt {
    var seen = word.load(ordering: .relaxed)
    while true {
      let step = word.weakCompareExchange(
        expected: seen, desired: (seen | Self.closed) &+ Self.one, successOrdering: .acquiring,
        failureOrdering: .relaxed)
      if step.exchanged { return seen }
      seen = step.original
    }
  }

  /// Notes that upstream has ended, while downstream is still to receive something. True if the stream was not over.
  @inlinable
  package borrowing func detach() -> Bool {
    word.bitwiseOr(Self.detached, ordering: .relaxed).oldValue & (Self.one - 1) == 0
  }

  /// Notes that upstream has ended of itself after ``detach()``: there is nothing to cancel.
  package borrowing func noteEnd() {
    if word.load(ordering: .relaxed) & Self.detached != 0 { word.bitwiseOr(Self.ended, ordering: .relaxed) }
  }

  /// True once upstream has ended after ``detach()``.
  package var hasEnded: Bool { word.load(ordering: .relaxed) & Self.ended != 0 }

  /// True once the stream is over.
  @inlinable
  package var isClosed: Bool { word.load(ordering: .relaxed) & Self.closed != 0 }

  /// True once an upstream is attached.
  @inlinable
  var isAttached: Bool { word.load(ordering: .relaxed) & Self.unattached == 0 }

  /// How many threads are inside.
  var threads: UInt { word.load(ordering: .acquiring) / Self.one }

  /// The state of the stream, for mirrors.
  package var status: String {
    let word = word.load(ordering: .relaxed)
    if word & Self.closed != 0 { return "terminal" }
    return word & Self.unattached != 0 ? "awaitingSubscription" : "subscribed"
  }

  /// True while an upstream is attached and the stream is not over.
  @inlinable @inline(__always)
  package var isOpen: Bool { word.load(ordering: .relaxed) & (Self.one - 1) == 0 }
}
