/// What fibers leave for a thread that is none of the scenario's.
extension Explorer {
  struct Errand {
    let body: () -> Void
    /// Leaving it happens before it.
    let past: VectorClock
  }

  /// Lets the servant that ``runErrands()`` is the body of call `body`.
  public func runElsewhere(_ body: @escaping () -> Void) {
    guard current >= 0, errandObject != 0 else { return body() }
    checkNoLockIsHeld("leaving an errand")
    point(errandObject)
    errands.append(Errand(body: body, past: publish()))
    touch(errandObject)
  }

  /// The body of a servant.
  func runErrands() {
    while true {
      wait(for: errandObject) { [unowned self] in !errands.isEmpty || isOver }
      if errands.isEmpty { return }
      let errand = errands.removeFirst()
      join(errand.past)
      errand.body()
    }
  }

  func forgetErrands() {
    // A fiber may have been left in the middle of something: letting go might find a lock that nobody gives back.
    if !errands.isEmpty { _ = Unmanaged.passRetained(Box(errands)) }
    errands = []
    errandObject = 0
  }

  private final class Box {
    let errands: [Errand]

    init(_ errands: [Errand]) { self.errands = errands }
  }
}
