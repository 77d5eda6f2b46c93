/// Which fiber goes on, and which store is read.
extension Explorer {
  func choose() -> Int? {
    let me = current
    let mayGoOn = me >= 0 && fibers[me].canGoOn
    switch strategy {
    case .exhaustive:
      if mayGoOn, isRedundant || !bounds.allow(preemptions + 1, stale) { return me }
      guard let next = chooseSystematically(me, mayGoOn) else { return end() }
      if mayGoOn, next != me {
        preemptions += 1
        fibers[me].isPreempted = true
        fibers[me].isDisturbed = false
      }
      return next
    case .random:
      let found = collect()
      return found == 0 ? end() : candidates[Int(lot.next() % UInt64(found))]
    case .priorities:
      if me >= 0, changes.contains(steps) { fibers[me].priority = UInt64(steps) }
      let found = collect()
      let all = UnsafeBufferPointer(start: candidates, count: found)
      return all.max { fibers[$0].priority < fibers[$1].priority } ?? end()
    }
  }

  private func collect() -> Int {
    var found = 0
    for number in 0..<count where fibers[number].canGoOn {
      candidates[found] = number
      found += 1
    }
    return found
  }

  private func chooseSystematically(_ me: Int, _ mayGoOn: Bool) -> Int? {
    var found = 0
    var other: Int?
    if mayGoOn {
      candidates[0] = me
      found = 1
    }
    for number in 0..<count where number != me && fibers[number].canGoOn {
      if fibers[number].isPreempted, !fibers[number].isDisturbed {
        other = other ?? number
      } else {
        candidates[found] = number
        found += 1
      }
    }
    if found == 0 {
      if other != nil { isRedundant = true }
      return other
    }
    if found == 1 || isRedundant { return candidates[0] }
    guard let pick = pick(among: found) else { return candidates[0] }
    return candidates[pick]
  }

  /// Nobody can go on: all have ended, the servants may end, or they are locked.
  private func end() -> Int? {
    let waiting = (0..<count).filter { !fibers[$0].isDone }
    if waiting.isEmpty { return nil }
    if !isClosing, waiting.allSatisfy({ fibers[$0].isServant }) {
      isClosing = true
      return choose()
    }
    let names = waiting.filter { !fibers[$0].isServant }.map { String($0) }.joined(separator: " and ")
    fail("X07: deadlock of fibers \(names)")
    return nil
  }

  /// One of several that the system may choose.
  func pickAny(among count: Int) -> Int {
    if case .exhaustive = strategy { return isRedundant ? 0 : pick(among: count) ?? 0 }
    return Int(lot.next() % UInt64(count))
  }

  private func pick(among count: Int) -> Int? {
    if let pick = search.pick(among: count) { return pick }
    fail("the scenario is not the same each time: it cannot be explored")
    isRedundant = true
    return nil
  }

  // MARK: Stores

  /// Whether another store than the newest may be taken.
  @inline(__always)
  var mayBeStale: Bool {
    switch strategy {
    case .exhaustive: !isRedundant && bounds.allow(preemptions, stale + 1)
    case .random, .priorities: stale < Bounds.mostByLot
    }
  }

  /// One of the ``options``, the first of which is the newest.
  func chooseOption() -> Option {
    if options.count == 1 { return options[0] }
    var pick = 0
    if case .exhaustive = strategy {
      pick = self.pick(among: options.count) ?? 0
    } else if lot.next() % 3 == 0 {
      pick = Int(lot.next() % UInt64(options.count))
    }
    if pick > 0 {
      stale += 1
      staleReads += 1
    }
    return options[pick]
  }
}
