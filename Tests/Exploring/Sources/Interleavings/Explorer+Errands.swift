/// What fibers leave for a thread that is none of the scenario's.
extension Explorer {
  struct Errand {
    let body: () -> Void
    /// Leaving it happens before it.
    let past: VectorClock
  }

  /// Lets the servant that ``runErrands()`` is the body of call `body`.
  public func runElsewhere(_ body: @escaping () -> Void) {
    guard runner >= 0, State.errandObject != 0 else { return body() }
    checkNoLockIsHeld("leaving an errand")
    point(State.errandObject)
    State.errands.append(Errand(body: body, past: publish()))
    touch(State.errandObject)
  }

  /// The body of a servant.
  func runErrands() {
    while true {
      wait(for: State.errandObject) { !State.errands.isEmpty || isOver }
      if State.errands.isEmpty { return }
      let errand = State.errands.removeFirst()
      join(errand.past)
      errand.body()
    }
  }

  func forgetErrands() {
    // A thread may have been left in the middle of something: letting go might find a lock that nobody gives back.
    if !State.errands.isEmpty { _ = Unmanaged.passRetained(Box(State.errands)) }
    State.errands = []
    State.errandObject = 0
  }

  private final class Box {
    let errands: [Errand]

    init(_ errands: [Errand]) { self.errands = errands }
  }
}
