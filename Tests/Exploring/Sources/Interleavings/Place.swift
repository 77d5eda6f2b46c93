/// A lock, an atomic, or another object that fibers share.
public struct Place {
  /// Which object of the schedule it is. Zero for what outlives schedules: accesses to it are not explored.
  public internal(set) var number = 0
  /// The fiber that created it, and at which of its steps; -1 if none did.
  var creator = -1
  var birth: UInt16 = 0

  /// Of an atomic, the newest of its stores in modification order.
  var newest: Int32 = -1
  /// The value of an atomic that outlives schedules.
  var value: UInt64 = 0

  /// Of a lock, the fiber that holds it, plus one; zero if it is free, -1 if none of the fibers holds it.
  var owner = 0
  /// What happens before the next acquisition in the schedule of this number. Without that, the clock of what outlives schedules
  /// would only grow, until it overflows.
  var clock = VectorClock()
  var schedule: UInt32 = 0
}

/// One store to an atomic.
struct Store {
  var value: UInt64 = 0
  /// What happens before a load of it that acquires.
  var clock = VectorClock()
  /// For each fiber, the first of its steps at which it had seen this store.
  var seen = VectorClock.never
  /// The store before it in modification order; -1 if there is none.
  var older: Int32 = -1
  /// The order that released it, if one did.
  var site: UInt16 = 0
  /// Whether it is a read-modify-write: then nothing can come between `older` and it.
  var isUpdate = false
  /// Whether a sequentially consistent access wrote or read it.
  var isSequential = false
}

/// Where a plain variable was last accessed.
struct Trace {
  /// The fiber of the last write, and at which of its steps; -1 if it was none.
  var writer = -1
  var written: UInt16 = 0
  /// For each fiber, the step of its last read since that write.
  var read = VectorClock()
}
