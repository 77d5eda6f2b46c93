public import Synchronization

/// Counts the threads inside an operator with one upstream, so that the last one out releases what the operator holds.
///
/// Upstream's signals are serial, but `request` and `cancel` may be called from any thread at any time. A thread enters
/// before it uses the operator's upstream or downstream, and leaves afterwards. When the stream is over, the last one to
/// leave releases both: never while another uses them, and never later than needed (laws C16–C20).
///
/// A thread that enters sees what was stored before the upstream was attached, and the last one to leave sees what all
/// others did inside. All other accesses only decide whether to go on: they are relaxed.
///
/// A value need not enter. Upstream's subscription may name the gate that encloses its deliveries (`Subscription._gate`): that of a
/// subject, of an operator with several upstreams or of a source. It counts as one thread inside. A delivery by the thread inside
/// that gate only checks whether the stream is over. Any other thread enters: one of a publisher that is not the library's, for
/// example. So nothing is trusted. When the stream is over, the gate leaves as soon as no thread is inside it, and the last one to
/// leave releases upstream and downstream, as ever.
@usableFromInline
package struct LifecycleState: ~Copyable, Sendable {
  /// Bit 0: closed. Bit 1: no upstream is attached yet. Bit 2: released. Bit 3: upstream is released. Bit 4: no upstream has
  /// arrived yet. Bit 5: upstream has ended. The rest counts the threads inside. None of these six bits is set while the
  /// stream is open, so that check is the shortest.
  @usableFromInline let word = Atomic<UInt>(LifecycleState.unattached | LifecycleState.unclaimed)
  /// The address of the gate, retained. Written once, before upstream counts as attached.
  @usableFromInline let gateAddress = Atomic<UInt>(0)

  @inlinable
  package init() {}

  @inlinable
  deinit { gate?.release() }

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

  /// Enters, and claims the place of the one upstream, in one step. False if another has, or the stream is over. Call ``leave()``
  /// in either case.
  @inlinable
  package borrowing func enterClaiming() -> Bool {
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
  package borrowing func claim() -> Bool {
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
  package var isAttached: Bool { word.load(ordering: .relaxed) & Self.unattached == 0 }

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

// MARK: The gate

extension LifecycleState {
  @inlinable @inline(__always)
  var gate: Unmanaged<SerialGate>? { Unmanaged(at: gateAddress.load(ordering: .relaxed)) }

  /// True if the calling thread is inside the gate. Exact, since only this thread writes its own number there.
  @inlinable @inline(__always)
  package var isCovered: Bool {
    guard let gate else { return false }
    return gate._withUnsafeGuaranteedRef { $0.isInside }
  }

  /// Enters for one value, unless the gate covers the calling thread. Then there is nothing to leave.
  ///
  /// - Returns: True if an upstream is attached and the stream is not over.
  @inlinable @inline(__always)
  package borrowing func enter(unless isCovered: Bool) -> Bool { isCovered ? isOpen : enter() }

  /// Notes that the upstream that was claimed is attached, and that deliveries are inside `gate`, if there is one. The caller is
  /// inside. False if the stream is over by now: then the caller cancels upstream.
  @usableFromInline
  package borrowing func attach(under gate: consuming AnyObject?) -> Bool {
    guard let gate, gate is SerialGate else { return attach(countingGate: false) }
    // As any object, so that the caller's reference is passed on: a cast one would be retained once more.
    let retained = Unmanaged<AnyObject>.passRetained(gate).toOpaque()
    gateAddress.store(UInt(bitPattern: retained), ordering: .relaxed)
    if attach(countingGate: true) { return true }
    _ = leave()  // not the last one: the caller is inside
    return false
  }

  /// Ends the stream. True for the first caller only.
  @inlinable
  package borrowing func close(for owner: some LifecycleOwner) -> Bool {
    let old = end()
    leaveGate(for: owner, old)
    return old & LifecycleState.closed == 0
  }

  /// Enters, ends the stream, calls `cancelUpstream` if there is an upstream to cancel, and leaves.
  ///
  /// - Returns: True, once in a lifetime, if the caller must release upstream and downstream.
  @inlinable @inline(__always)
  package borrowing func cancel(for owner: some LifecycleOwner, _ cancelUpstream: () -> Void) -> Bool {
    let old = enterEnding()
    if old & (LifecycleState.one - 1) == 0 { cancelUpstream() }
    return leaveBoth(for: owner, old)
  }

  /// The caller leaves, and the gate if it is free, in one step.
  @usableFromInline
  borrowing func leaveBoth(for owner: any LifecycleOwner, _ old: UInt) -> Bool {
    guard old & (LifecycleState.closed | LifecycleState.unattached) == 0, let gate else { return leave() }
    return gate._withUnsafeGuaranteedRef { gate in
      if gate.isFree { return leave(2 * LifecycleState.one) }
      gate.releaseLater(owner)
      return leave()
    }
  }

  /// The gate counts as one thread inside from the attachment of upstream on. It leaves once it is free.
  @usableFromInline
  borrowing func leaveGate(for owner: any LifecycleOwner, _ old: UInt) {
    guard old & (LifecycleState.closed | LifecycleState.unattached) == 0, let gate else { return }
    gate._withUnsafeGuaranteedRef { $0.release(owner) }
  }

  /// True while only the caller is inside.
  package var isAlone: Bool {
    guard let gate else { return threads == 1 }
    return threads <= 2 && gate.takeUnretainedValue().isIdle
  }

  /// The gate that encloses deliveries from here on: those of upstream, and so of this.
  @usableFromInline
  package var deliveringGate: AnyObject? { gate?.takeUnretainedValue() }
}

/// The owner of a ``LifecycleState``.
@usableFromInline
package protocol LifecycleOwner: AnyObject {
  /// Leaves the lifecycle state. The last one to leave releases upstream and downstream.
  func leave()
}
