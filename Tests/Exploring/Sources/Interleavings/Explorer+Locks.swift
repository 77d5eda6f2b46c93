/// Locks that the explorer keeps itself, and words that fibers sleep on.
extension Explorer {
  /// Takes a lock; waits until it is free.
  @inline(never)
  public func acquire(_ place: UnsafeMutablePointer<Place>) {
    guard current >= 0 else {
      comeBetween()
      precondition(place.pointee.owner == 0, "A lock is still held after its schedule.")
      heldOutside += 1
      return place.pointee.owner = -1
    }
    let me = current
    if place.pointee.owner == me + 1 { giveUp("X07: a lock is taken twice by the same fiber") }
    // It must go on for others to do so.
    if place.pointee.owner > 0 { fibers[place.pointee.owner - 1].isDisturbed = true }
    fibers[me].lock = place
    reach(place.pointee.number, isWrite: true)
    fibers[me].lock = nil
    fibers[me].held += 1
    checkBirth(place)
    note { "locks \(place.pointee.number)" }
    place.pointee.owner = me + 1
    if place.pointee.schedule == memory.schedule { memory.clocks[me].join(place.pointee.clock) }
    touch(place.pointee.number)
  }

  @inline(never)
  public func release(_ place: UnsafeMutablePointer<Place>) {
    place.pointee.owner = 0
    guard current >= 0 else { return heldOutside -= 1 }
    fibers[current].held -= 1
    place.pointee.clock = memory.clocks[current]
    place.pointee.schedule = memory.schedule
    memory.advance(current)
    touch(place.pointee.number)
  }

  /// What the system does for a lock: sleeps while the newest value of an atomic is `value`.
  ///
  /// The system looks at the value and puts the thread to sleep in one step, which is ordered with ``wake(_:)``. It may
  /// wake it for no reason, which counts as a stale read.
  @inline(never)
  public func sleep(on place: UnsafeMutablePointer<Place>, while value: UInt64) {
    guard current >= 0 else { return }
    let me = current
    reach(place.pointee.number, isWrite: true)
    touch(place.pointee.number)
    let store = memory.stores[Int(place.pointee.newest)]
    if store.value != value { return }
    options.begin(Option())
    if mayBeStale { options.add(Option(isSpurious: true)) }
    if chooseOption().isSpurious { return }
    note { "sleeps on \(place.pointee.number)" }
    fibers[me].sleep = place
    fibers[me].object = place.pointee.number
    goOn()
    touch(place.pointee.number)
  }

  /// Wakes one fiber that sleeps on an atomic, whichever.
  @inline(never)
  public func wake(_ place: UnsafeMutablePointer<Place>) {
    guard current >= 0 else { return }
    reach(place.pointee.number, isWrite: true)
    touch(place.pointee.number)
    let sleepers = (0..<count).filter { fibers[$0].sleep == place }
    guard sleepers.count > 0 else { return }
    let sleeper = sleepers[sleepers.count == 1 ? 0 : pickAny(among: sleepers.count)]
    note { "wakes \(sleeper)" }
    fibers[sleeper].sleep = nil
    touch(place.pointee.number)
  }
}
