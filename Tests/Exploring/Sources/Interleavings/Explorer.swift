internal import CFibers

/// Runs bodies as fibers of one thread. Before each access to a lock or an atomic it decides which fiber goes on, and at
/// each load of an atomic which store is read.
///
/// What runs between two such points cannot be interrupted. It need not be: plain variables that are accessed there are
/// checked for data races (``Memory``), whatever the order in which they happen to be accessed.
///
/// An exhaustive search leaves out schedules that differ from another one only in the order of steps that are
/// independent: a fiber that was preempted before an access goes on only after another fiber has accessed that object, and
/// one of the two accesses writes. Otherwise it could as well have been preempted later. This holds for the memory model,
/// too. What an access can read and where it can store depends on the stores to its object and on the clock of its own
/// fiber. Accesses of other fibers to other objects change neither. Two loads of one object leave its stores as
/// they are. A sequentially consistent load does not, as it limits those that follow: it counts as a write.
public final class Explorer {
  // Unsafe: one thread only, and no other in the process touches it.
  public nonisolated(unsafe) static let shared = Explorer()

  /// What runs a scenario again.
  public static let command = "Scripts/explore"

  let fibers: UnsafeMutablePointer<Fiber>
  let candidates: UnsafeMutablePointer<Int>
  static let capacity = VectorClock.scalarCount
  var count = 0
  private var home: UnsafeMutableRawPointer?
  var current = -1
  var isClosing = false

  var strategy = Strategy.random
  var search = Search()
  var lot = Lot(0)
  private var seed: UInt64 = 0
  var bounds = Bounds()
  var preemptions = 0
  /// How often this schedule has taken an older store than the newest.
  public internal(set) var stale = 0
  /// The same, of all schedules so far.
  public internal(set) var staleReads = 0
  var isRedundant = false
  var changes: [Int] = []
  private(set) var isExempting = false

  var errands: [Errand] = []
  var errandObject = 0
  var memory = Memory(fibers: capacity)
  var options = Options()
  /// The order that is weaker than the sources say, for a mutant.
  public var weakening: Weakening?
  /// For each order of the sources, whether its acquisition (1) or its release (2) has ordered anything.
  public let effects: UnsafeMutablePointer<UInt8>
  public static let mostSites = 1024

  /// Points passed in this schedule.
  public internal(set) var steps = 0
  /// More than this is taken for a livelock.
  public var longest = 20_000
  /// The first thing that went wrong in this schedule.
  public private(set) var violation: String?
  /// Called at each point that is passed while no fiber runs and no lock is held.
  public var onPoint: (() -> Void)?
  var heldOutside = 0
  /// What happened, step by step, if somebody wants to read it.
  public var story: [String]?
  /// Where variables were last accessed, while there is a story.
  var accesses: [Access: Callers] = [:]

  private init() {
    fibers = .allocate(capacity: Self.capacity)
    candidates = .allocate(capacity: Self.capacity)
    effects = .allocate(capacity: Self.mostSites)
    effects.initialize(repeating: 0, count: Self.mostSites)
    for number in 0..<Self.capacity { (fibers + number).initialize(to: Fiber()) }
    // An atomic is where its place is written.
    cfibers_set_sleep({ Explorer.shared.sleep(on: Explorer.place(at: $0), while: UInt64($1)) }) {
      Explorer.shared.wake(Explorer.place(at: $0))
    }
  }

  private static func place(at atomic: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Place> {
    atomic!.load(as: UnsafeMutablePointer<Place>.self)
  }

  private var hasTasks = false

  /// Fibers run jobs of Swift's concurrency runtime from now on.
  public func useTasks() {
    if hasTasks { return }
    // The runtime has its variables once it was asked.
    withUnsafeCurrentTask { _ in }
    guard cfibers_find_tasks() != 0 else {
      fatalError("It is not known where the runtime keeps the running task.")
    }
    hasTasks = true
  }

  // MARK: One schedule after another

  /// The next search is this one, from its first schedule.
  public func begin(_ strategy: Strategy) {
    self.strategy = strategy
    search = Search()
    if case .exhaustive(let bounds) = strategy { self.bounds = bounds }
  }

  /// The next schedule is this one. The bounds are those of the search it came from.
  public func begin(_ schedule: Schedule, _ bounds: Bounds) {
    switch schedule {
    case .picks(let picks):
      begin(.exhaustive(bounds))
      search = Search(replaying: picks)
    case .seed(let seed, let strategy):
      begin(strategy)
      prepare(seed: seed)
    }
  }

  /// Turns to the next schedule of an exhaustive search. False if there is none.
  public func advance() -> Bool { search.advance() }

  /// To be called before the objects of a schedule are made. `exempting` makes their accesses no points: for a first
  /// run, in which what is made once for the whole process comes into being.
  public func prepare(seed: UInt64 = 0, exempting: Bool = false) {
    violation = nil
    isExempting = exempting
    steps = 0
    preemptions = 0
    stale = 0
    isRedundant = false
    isClosing = false
    forgetErrands()
    memory.clear()
    if story != nil { accesses = [:] }
    search.rewind()
    self.seed = seed
    lot = Lot(seed)
  }

  /// The schedule that is running, or was the last.
  public var schedule: Schedule {
    if case .exhaustive = strategy { return .picks(search.picks) }
    return .seed(seed, strategy)
  }

  /// Whether the schedule that ran was the like of another one.
  public var wasRedundant: Bool { isRedundant }

  /// Runs `bodies` to their ends, or to the point where none can go on.
  ///
  /// - Parameters:
  ///   - servants: Bodies that run besides, and end when ``isOver`` says that the others have.
  ///   - hasErrands: Whether one more is there for ``runElsewhere(_:)``.
  public func run(
    _ bodies: [() -> Void], servants: [() -> Void] = [], hasErrands: Bool = false, expectedSteps: Int = 100
  ) {
    errandObject = hasErrands ? newObject() : 0
    let servants = hasErrands ? servants + [{ Explorer.shared.runErrands() }] : servants
    count = bodies.count + servants.count
    precondition(count <= Self.capacity, "There are fibers for \(Self.capacity) bodies.")
    for (number, body) in (bodies + servants).enumerated() {
      fibers[number].begin(body, at: number, isServant: number >= bodies.count) {
        Explorer.shared.enter(Int($0))
      }
      fibers[number].priority = lot.next() | 1 << 40
    }
    memory.beginFibers(count)
    if case .priorities(let depth) = strategy {
      changes = (1..<max(1, depth)).map { _ in Int.random(in: 1...max(1, expectedSteps), using: &lot) }
    }
    current = -1
    if let first = choose() { leave(&home, for: first) }
    current = -1
    cfibers_run(-1)
    for number in 0..<count { fibers[number].body = nil }
  }

  private func enter(_ number: Int) {
    fibers[number].body!()
    fibers[number].isDone = true
    fibers[number].object = 0
    if fibers[number].held != 0 { fail("X07: a fiber ended while it held a lock") }
    let next = choose()
    leave(&fibers[number].resumption, for: next)
    fatalError("A fiber went on after its end.")
  }

  /// Switches to the fiber `next`, or home if there is none.
  private func leave(_ from: inout UnsafeMutableRawPointer?, for next: Int?) {
    if hasTasks {
      // What the runtime keeps for this thread belongs to the fiber that leaves, or to home; then comes the other's.
      if current >= 0 { cfibers_exchange_tasks(fibers[current].tasks) }
      if let next { cfibers_exchange_tasks(fibers[next].tasks) }
    }
    current = next ?? -1
    cfibers_run(current)
    let to = next.map { fibers[$0].resumption } ?? home
    if let next { fibers[next].isPreempted = false }
    withUnsafeMutablePointer(to: &from) { cfibers_switch($0, to) }
  }

  /// Lets another fiber run first, if it is so decided.
  func goOn() {
    let me = current
    let next = choose()
    if next == me { return }
    leave(&fibers[me].resumption, for: next)
  }

  /// Leaves everything as it lies. The stacks are used again; what is on them is lost.
  func giveUp(_ words: String) {
    fail(words)
    leave(&fibers[current].resumption, for: nil)
  }

  func comeBetween() {
    if current < 0, heldOutside == 0 { onPoint?() }
  }

  // MARK: What is explored calls these

  /// A new object that fibers may share. Its number is zero if accesses to it are not explored.
  public func newPlace() -> UnsafeMutablePointer<Place> {
    if !isExempting { return memory.newPlace(current) }
    let place = UnsafeMutablePointer<Place>.allocate(capacity: 1)
    place.initialize(to: Place())
    return place
  }

  public func end(_ place: UnsafeMutablePointer<Place>) {
    if place.pointee.number == 0 { place.deallocate() }
  }

  /// A number for an object that fibers may share. Zero if accesses to it are of no interest.
  public func newObject() -> Int { isExempting ? 0 : memory.newPlace(current).pointee.number }

  /// The running fiber is about to access `object`: another one may go on before it does.
  @inline(never)
  public func point(_ object: Int, isWrite: Bool = true) {
    guard current >= 0, object != 0 else { return comeBetween() }
    reach(object, isWrite: isWrite)
    touch(object, isWrite: isWrite)
  }

  func reach(_ object: Int, isWrite: Bool) {
    let me = current
    fibers[me].object = object
    fibers[me].isWrite = isWrite
    steps += 1
    if steps > longest { giveUp("X07: no end after \(longest) steps") }
    goOn()
  }

  /// The running fiber has accessed `object`, at a moment when nobody could come between.
  public func touch(_ object: Int, isWrite: Bool = true) {
    guard current >= 0 else { return }
    for number in 0..<count where fibers[number].isPreempted && fibers[number].object == object {
      if isWrite || fibers[number].isWrite { fibers[number].isDisturbed = true }
    }
  }

  /// Waits until `condition` holds, which is about `object`. It orders nothing: see ``publish()``.
  public func wait(for object: Int, until condition: @escaping () -> Bool) {
    guard current >= 0 else { return }
    let me = current
    fibers[me].object = object
    fibers[me].isWrite = true
    fibers[me].condition = condition
    goOn()
    fibers[me].condition = nil
    touch(object)
  }

  /// What the running fiber has done so far, to be joined by another one.
  public func publish() -> VectorClock {
    guard current >= 0 else { return VectorClock() }
    defer { memory.advance(current) }
    return memory.clocks[current]
  }

  /// What `clock` was published after happens before what the running fiber does from now on.
  public func join(_ clock: VectorClock) {
    if current >= 0 { memory.clocks[current].join(clock) }
  }

  /// Whether what `clock` was published after happens before what the running fiber does.
  public func knows(_ clock: VectorClock) -> Bool { current < 0 || memory.clocks[current].includes(clock) }

  /// An object is being deallocated.
  public func beginDeinit() { if current >= 0 { fibers[current].deinits += 1 } }
  public func endDeinit() { if current >= 0 { fibers[current].deinits -= 1 } }

  /// Whether all but the servants have ended, and the servants have nothing left to do.
  public var isOver: Bool { isClosing }

  /// Which fiber runs; -1 if none.
  public var runner: Int { current }

  /// Notes down that a law is broken. The first one counts.
  public func fail(_ words: @autoclosure () -> String) {
    if violation == nil { violation = words() }
  }

  /// No lock is held while calling out.
  public func checkNoLockIsHeld(_ place: @autoclosure () -> String) {
    if current < 0 ? heldOutside != 0 : fibers[current].held != 0 {
      fail("X07: a lock is held during \(place())")
    }
  }

  public func note(_ words: () -> String) {
    if story != nil { story!.append("\(current < 0 ? "-" : String(current)): \(words())") }
  }
}
