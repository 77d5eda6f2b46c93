internal import CInterleavings

/// What the threads of a schedule have in common.
extension Explorer {
  private func newAddress() -> UInt {
    State.lastObject += 1
    return 7 << 60 | State.lastObject << 4
  }

  /// A number for an object that threads may share, or for a lock.
  ///
  /// That of one which outlives schedules is odd: an access to it is no step, but a lock orders what it protects.
  public func newObject() -> Int {
    if !State.isExempting { return Int(bitPattern: newAddress()) }
    State.lastLasting += 1
    return Int(bitPattern: 6 << 60 | State.lastLasting << 4 | 1)
  }

  /// The running thread is about to access `object`: another one may go on before it does.
  public func point(_ object: Int, isWrite: Bool = true) {
    if object & 1 == 0 { interleavings_reach(UInt(bitPattern: object), isWrite) }
  }

  /// The running thread has accessed `object`, at a moment when no other could go on.
  public func touch(_ object: Int) { interleavings_touch(UInt(bitPattern: object)) }

  /// Waits until `condition` holds, which is about `object`. It orders nothing: see ``publish()``.
  public func wait(for object: Int, until condition: @escaping () -> Bool) {
    let box = Condition(condition)
    interleavings_wait(
      UInt(bitPattern: object), { Unmanaged<Condition>.fromOpaque($0!).takeUnretainedValue().holds() },
      Unmanaged.passUnretained(box).toOpaque())
    withExtendedLifetime(box) {}
  }

  private final class Condition {
    let holds: () -> Bool

    init(_ holds: @escaping () -> Bool) { self.holds = holds }
  }

  // MARK: Order

  /// What the running thread has done so far, to be joined by another one.
  public func publish() -> VectorClock {
    var clock = VectorClock()
    clock.withMutableWords { interleavings_publish($0) }
    return clock
  }

  /// What `clock` was published after happens before what the running thread does from now on.
  public func join(_ clock: VectorClock) { clock.withWords { interleavings_join($0) } }

  /// Whether what `clock` was published after happens before what the running thread does.
  public func knows(_ clock: VectorClock) -> Bool { clock.withWords { interleavings_includes($0) } }

  /// Whether all but the servants have ended, and the servants have nothing left to do.
  public var isOver: Bool { interleavings_is_over() }

  /// How many accesses of this schedule have taken an older store than the newest.
  public var staleCount: Int { Int(interleavings_stale()) }

  /// Which thread runs; -1 if none.
  public var runner: Int { Int(interleavings_running()) }

  // MARK: Locks

  /// Takes a lock; waits until it is free.
  public func acquire(_ lock: Int) { interleavings_lock(UInt(bitPattern: lock), lock & 1 == 0) }
  public func release(_ lock: Int) { interleavings_unlock(UInt(bitPattern: lock)) }

  fileprivate func newVariable() -> UInt { State.isExempting ? 0 : newAddress() }
}

/// A variable without a value, for tests: its accesses are checked.
public struct Sample: Sendable {
  private let address = Explorer.shared.newVariable()

  public init(_: StaticString) {}

  public func read() { if address != 0 { interleavings_access(address, false) } }
  public func write() { if address != 0 { interleavings_access(address, true) } }
}
