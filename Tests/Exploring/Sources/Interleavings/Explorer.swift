internal import CInterleavings
@_exported public import Synchronization

/// Runs bodies as threads of the product's engine: before each access to an atomic or a lock it decides which of them goes on.
///
/// It has no variables itself: a global object would be looked up in the scenarios at each use.
public struct Explorer {
  public static var shared: Explorer { Explorer() }

  /// What runs a scenario again.
  public static var command: String { "Scripts/explore" }

  /// One thread runs all, and no other in the process touches it.
  enum State {
    nonisolated(unsafe) static var isOpen = false  // one thread
    nonisolated(unsafe) static var strategy = Strategy.random  // one thread
    nonisolated(unsafe) static var seed: UInt64 = 0  // one thread
    nonisolated(unsafe) static var isExempting = false  // one thread
    nonisolated(unsafe) static var lastObject: UInt = 0  // one thread
    nonisolated(unsafe) static var lastLasting: UInt = 0  // one thread
    nonisolated(unsafe) static var violation: String?  // one thread
    nonisolated(unsafe) static var notes: [Note]?  // one thread
    nonisolated(unsafe) static var staleReads = 0  // one thread
    nonisolated(unsafe) static var weakening: Weakening?  // one thread
    nonisolated(unsafe) static var errands: [Errand] = []  // one thread
    nonisolated(unsafe) static var errandObject = 0  // one thread
  }

  // MARK: One schedule after another

  /// The next search is this one, from its first schedule.
  public func begin(_ strategy: Strategy) {
    State.strategy = strategy
    if case .exhaustive(let bounds) = strategy {
      interleavings_search(bounds.limits)
    } else {
      interleavings_search(Bounds().limits)
    }
  }

  /// The next schedule is this one. The bounds are those of the search it came from.
  public func begin(_ schedule: Schedule, _ bounds: Bounds) {
    switch schedule {
    case .picks(let picks):
      begin(.exhaustive(bounds))
      picks.withUnsafeBufferPointer { interleavings_replay(bounds.limits, $0.baseAddress, $0.count) }
    case .seed(let seed, let strategy):
      begin(strategy)
      State.seed = seed
    }
  }

  /// Turns to the next schedule of an exhaustive search. False if there is none.
  public func advance() -> Bool { interleavings_advance() }

  /// To be called before the objects of a schedule are made. `exempting` makes their locks and other objects no steps: for a
  /// first run, in which what is made once for the whole process comes into being. `isContinued` keeps the objects of the last
  /// schedule.
  public func prepare(seed: UInt64 = 0, exempting: Bool = false, isContinued: Bool = false) {
    open()
    State.violation = nil
    State.isExempting = exempting
    if !isContinued { State.lastObject = 0 }
    State.seed = seed
    forgetErrands()
    if State.notes != nil { State.notes = [] }
    interleavings_prepare(State.notes != nil)
  }

  /// Stand-ins do what the runtime of tasks does.
  public func useTasks() { interleavings_exempt_tasks() }

  func open() {
    if State.isOpen { return }
    State.isOpen = true
    if let problem = interleavings_open() {
      fatalError("Nothing can be explored here: \(String(cString: problem)).")
    }
    interleavings_exempt_statics()
    interleavings_check_deinits()
    for module: StaticString in ["Explore", "ImageScenarios", "ExploreAsync", "StandIns", "Interleavings"] {
      module.withUTF8Buffer {
        interleavings_ignore_module(UnsafeRawPointer($0.baseAddress!).assumingMemoryBound(to: CChar.self))
      }
    }
  }

  /// The schedule that is running, or was the last.
  public var schedule: Schedule {
    guard case .exhaustive = State.strategy else { return .seed(State.seed, State.strategy) }
    var first: UnsafePointer<UInt8>?
    let count = interleavings_choices(&first)
    return .picks(Array(UnsafeBufferPointer(start: first, count: count)))
  }

  /// Runs `bodies` to their ends, or to the point where none can go on.
  ///
  /// - Parameters:
  ///   - servants: Bodies that run besides, and end when ``isOver`` says that the others have.
  ///   - hasErrands: Whether one more is there for ``runElsewhere(_:)``.
  public func run(
    _ bodies: [() -> Void], servants: [() -> Void] = [], hasErrands: Bool = false, expectedSteps: Int = 100
  ) {
    switch State.strategy {
    case .exhaustive: break
    case .random: interleavings_draw(State.seed, 0, UInt32(expectedSteps))
    case .priorities(let depth): interleavings_draw(State.seed, Int32(depth), UInt32(expectedSteps))
    }
    State.errandObject = hasErrands ? newObject() : 0
    let servants = hasErrands ? servants + [{ Explorer.shared.runErrands() }] : servants
    let all = (bodies + servants).map { Unmanaged.passRetained(Body($0)) }
    for (number, body) in all.enumerated() {
      let thread = interleavings_add(
        { Unmanaged<Body>.fromOpaque($0!).takeUnretainedValue().run() }, body.toOpaque())
      precondition(thread >= 0, "There are too many bodies.")
      if number >= bodies.count { interleavings_serve(thread) }
    }
    interleavings_run()
    for body in all { body.release() }
    State.staleReads += Int(interleavings_stale())
    if let words = Self.failure { fail(words) }
  }

  /// Jobs of tasks that the calling thread enqueues are threads of the schedule from now on.
  public func catchTasks() { interleavings_capture(true) }

  private final class Body {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    func run() {
      body()
      if interleavings_held() != 0 { Explorer.shared.fail("X07: a thread ended while it held a lock") }
    }
  }

  /// What the engine has found.
  private static var failure: String? {
    let law: String
    switch interleavings_result() {
    case INTERLEAVINGS_NONE: return nil
    case INTERLEAVINGS_RACE, INTERLEAVINGS_USE_AFTER_FREE: law = "X13: "
    case INTERLEAVINGS_DEADLOCK, INTERLEAVINGS_ENDLESS: law = "X07: "
    case INTERLEAVINGS_TRAP: law = "X12: a trap: "
    default: law = ""
    }
    return law + String(cString: interleavings_message()) + places
  }

  /// The functions where it failed.
  private static var places: String {
    guard let culprits = interleavings_culprits() else { return "" }
    let all = (0..<2).map { culprits[$0] }.compactMap { culprit -> String? in
      guard culprit.callers.0 != 0, let name = interleavings_function(culprit.callers.0 - 1) else {
        return nil
      }
      return "\(String(cString: name)) of thread \(culprit.thread)"
    }
    return all.isEmpty ? "" : " in " + all.joined(separator: " and ")
  }

  // MARK: What went wrong

  /// The first thing that went wrong in this schedule.
  public var violation: String? { State.violation }

  /// Notes down that a law is broken. The first one counts.
  public func fail(_ words: @autoclosure () -> String) {
    if State.violation == nil { State.violation = words() }
  }

  /// No lock is held while calling out.
  public func checkNoLockIsHeld(_ place: @autoclosure () -> String) {
    if interleavings_held() != 0 { fail("X07: a lock is held during \(place())") }
  }

  /// How often all schedules so far have taken an older store than the newest.
  public var staleReads: Int { State.staleReads }

  /// Steps of this schedule.
  public var steps: Int { Int(interleavings_steps()) }
}

extension Bounds {
  var limits: interleavings_bounds {
    interleavings_bounds(
      preemptions: UInt32(preemptions), stale: UInt32(stale), both: UInt32(min(both, 1 << 16)), steps: 20_000)
  }
}
