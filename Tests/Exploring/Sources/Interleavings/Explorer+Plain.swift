/// Plain variables, which several fibers may access only in an order that the program makes.
extension Explorer {
  /// A variable that is checked. Zero if it is of no interest.
  public func newVariable() -> Int { isExempting ? 0 : memory.newTrace(current) }

  @inline(never)
  public func read(_ variable: Int, _ name: @autoclosure () -> String) {
    guard current >= 0, variable != 0 else { return }
    report(memory.read(variable, current), variable, isWrite: false, name)
  }

  @inline(never)
  public func write(_ variable: Int, _ name: @autoclosure () -> String) {
    guard current >= 0, variable != 0 else { return }
    report(memory.write(variable, current), variable, isWrite: true, name)
  }

  /// The object is deallocated: what accessed the variable happens before what the running fiber does from now on.
  public func renew(_ variable: Int) {
    if current >= 0, variable != 0 { memory.renew(variable, current) }
  }

  private func report(
    _ race: (fiber: Int, writes: Bool)?, _ variable: Int, isWrite: Bool, _ name: () -> String
  ) {
    if let race {
      let (first, second) = (race.writes ? "write" : "read", isWrite ? "write" : "read")
      fail(
        "X13: a data race of \(name()): a \(first) of fiber \(race.fiber), a \(second) of fiber \(current)")
      if story != nil, violation?.hasPrefix("X13") == true {
        let access = Access(variable: variable, fiber: race.fiber, isWrite: race.writes)
        note { "the \(second) is here:" }
        story! += Callers().lines
        note { "the \(first) of fiber \(race.fiber) was here:" }
        story! += accesses[access]?.lines ?? []
      }
    }
    if story != nil {
      accesses[Access(variable: variable, fiber: current, isWrite: isWrite)] = Callers()
    }
  }
}

/// An access to a variable, of which the last one is kept.
struct Access: Hashable {
  let variable: Int
  let fiber: Int
  let isWrite: Bool
}
