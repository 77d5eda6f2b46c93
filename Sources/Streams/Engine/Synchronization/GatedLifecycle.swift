public import Synchronization

/// A ``LifecycleState`` that a value needs not enter.
///
/// Upstream's subscription may name the gate that encloses its deliveries (`Subscription._gate`): that of a subject, of an
/// operator with several upstreams or of a source. It counts as one thread inside. A delivery by the thread inside that gate only
/// checks whether the stream is over. Any other thread enters: one of a publisher that is not the library's, for example. So
/// nothing is trusted. When the stream is over, the gate leaves as soon as no thread is inside it, and the last one to leave
/// releases upstream and downstream, as ever.
@usableFromInline
package struct GatedLifecycle: ~Copyable, Sendable {
  @usableFromInline let state = LifecycleState()
  /// Retained. Written once, before upstream counts as attached.
  @usableFromInline let gate = Atomic<Unmanaged<SerialGate>?>(nil)

  @inlinable
  package init() {}

  @inlinable
  deinit { gate.load(ordering: .relaxed)?.release() }

  // MARK: Values

  /// True if the calling thread is inside the gate. Exact, since only this thread writes its own number there.
  @inlinable @inline(__always)
  package var isCovered: Bool {
    guard let gate = gate.load(ordering: .relaxed) else { return false }
    return gate._withUnsafeGuaranteedRef { $0.isInside }
  }

  /// Enters for one value, unless the gate covers the calling thread. Then there is nothing to leave.
  ///
  /// - Returns: True if an upstream is attached and the stream is not over.
  @inlinable @inline(__always)
  package borrowing func enter(unless isCovered: Bool) -> Bool { isCovered ? state.isOpen : state.enter() }

  // MARK: All else

  /// Enters. Call ``leave()`` in either case.
  ///
  /// - Returns: True if an upstream is attached and the stream is not over.
  @inlinable @inline(__always)
  package borrowing func enter() -> Bool { state.enter() }

  /// Enters, even if no upstream is attached yet. Call ``leave()`` in either case.
  ///
  /// - Returns: True if the stream is not over.
  @inlinable @inline(__always)
  package borrowing func enterEarly() -> Bool { state.enterEarly() }

  /// Leaves.
  ///
  /// - Returns: True, once in a lifetime, if the caller must release upstream and downstream.
  @inlinable @inline(__always)
  package borrowing func leave() -> Bool { state.leave() }

  /// Enters, and claims the place of the one upstream. False if another has, or the stream is over. Call ``leave()`` in either
  /// case.
  @inlinable
  package borrowing func enterClaiming() -> Bool { state.enterClaiming() }

  /// The same for a caller that is inside.
  @inlinable
  package borrowing func claim() -> Bool { state.claim() }

  /// Notes that the upstream that was claimed is attached, and that deliveries are inside `gate`, if there is one. The caller is
  /// inside. False if the stream is over by now: then the caller cancels upstream.
  @usableFromInline
  package borrowing func attach(under gate: consuming AnyObject?) -> Bool {
    guard let gate, gate is SerialGate else { return state.attach(countingGate: false) }
    // As any object, so that the caller's reference is passed on: a cast one would be retained once more.
    let retained = Unmanaged<AnyObject>.passRetained(gate).toOpaque()
    self.gate.store(.fromOpaque(retained), ordering: .relaxed)
    if state.attach(countingGate: true) { return true }
    _ = state.leave()  // not the last one: the caller is inside
    return false
  }

  /// Ends the stream. True for the first caller only.
  @inlinable
  package borrowing func close(for owner: some LifecycleOwner) -> Bool {
    let old = state.end()
    leaveGate(for: owner, old)
    return old & LifecycleState.closed == 0
  }

  /// Enters, ends the stream, calls `cancelUpstream` if there is an upstream to cancel, and leaves.
  ///
  /// - Returns: True, once in a lifetime, if the caller must release upstream and downstream.
  @inlinable @inline(__always)
  package borrowing func cancel(for owner: some LifecycleOwner, _ cancelUpstream: () -> Void) -> Bool {
    let old = state.enterEnding()
    if old & (LifecycleState.one - 1) == 0 { cancelUpstream() }
    return leaveBoth(for: owner, old)
  }

  /// The caller leaves, and the gate if it is free, in one step.
  @usableFromInline
  borrowing func leaveBoth(for owner: any LifecycleOwner, _ old: UInt) -> Bool {
    guard old & (LifecycleState.closed | LifecycleState.unattached) == 0,
      let gate = gate.load(ordering: .relaxed)
    else { return state.leave() }
    return gate._withUnsafeGuaranteedRef { gate in
      if gate.isFree { return state.leave(2 * LifecycleState.one) }
      gate.releaseLater(owner)
      return state.leave()
    }
  }

  /// The gate counts as one thread inside from the attachment of upstream on. It leaves once it is free.
  @usableFromInline
  borrowing func leaveGate(for owner: any LifecycleOwner, _ old: UInt) {
    guard old & (LifecycleState.closed | LifecycleState.unattached) == 0,
      let gate = gate.load(ordering: .relaxed)
    else { return }
    gate._withUnsafeGuaranteedRef { $0.release(owner) }
  }

  /// Notes that upstream has ended, while downstream is still to receive something. True if the stream was not over.
  @inlinable
  package borrowing func detach() -> Bool { state.detach() }

  /// True once the stream is over.
  @inlinable
  package var isClosed: Bool { state.isClosed }

  /// True while an upstream is attached and the stream is not over.
  @inlinable @inline(__always)
  package var isOpen: Bool { state.isOpen }

  /// True once an upstream is attached.
  @inlinable
  package var isAttached: Bool { state.isAttached }

  /// True while only the caller is inside.
  package var isAlone: Bool {
    guard let gate = gate.load(ordering: .relaxed) else { return state.threads == 1 }
    return state.threads <= 2 && gate.takeUnretainedValue().isIdle
  }

  /// The state of the stream, for mirrors.
  package var status: String { state.status }

  /// The gate that encloses deliveries from here on: those of upstream, and so of this.
  @usableFromInline
  package var deliveringGate: AnyObject? { gate.load(ordering: .relaxed)?.takeUnretainedValue() }
}

/// The owner of a ``GatedLifecycle``.
@usableFromInline
package protocol LifecycleOwner: AnyObject {
  /// Leaves the lifecycle state. The last one to leave releases upstream and downstream.
  func leave()
}
