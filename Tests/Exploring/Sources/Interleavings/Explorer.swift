internal import CFibers

/// Runs bodies as fibers of one thread, and decides before each access to a lock or an atomic who goes on.
///
/// What runs between two such points cannot be interrupted. So the schedules are those of a machine on which memory
/// is sequentially consistent, and data that is not synchronised is not looked at: that is for the thread sanitizer.
///
/// An exhaustive search leaves out schedules that differ from another one only in the order of steps that have
/// nothing to do with each other: whoever was preempted before an access goes on only after somebody has touched
/// that object. Otherwise it could as well have been preempted later.
public final class Explorer {
  // Unsafe: one thread only, and no other in the process touches it.
  public nonisolated(unsafe) static let shared = Explorer()

  private let fibers: UnsafeMutablePointer<Fiber>
  private let candidates: UnsafeMutablePointer<Int>
  private static let capacity = 8
  private var count = 0
  private var home: UnsafeMutableRawPointer?
  private var current = -1
  private var isClosing = false

  private var strategy = Strategy.random
  private var search = Search()
  private var lot = Lot(0)
  private var seed: UInt64 = 0
  private var bound = 0
  private var preemptions = 0
  private var isRedundant = false
  private var changes: [Int] = []
  private var objects = 0
  private var isExempting = false

  /// Points passed in this schedule.
  public private(set) var steps = 0
  /// More than this is taken for a livelock.
  public var longest = 20_000
  /// The first thing that went wrong in this schedule.
  public private(set) var violation: String?
  /// Called at each point that is passed while no fiber runs and no lock is held.
  public var onPoint: (() -> Void)?
  private var heldOutside = 0
  /// What happened, step by step, if somebody wants to read it.
  public var story: [String]?

  private init() {
    fibers = .allocate(capacity: Self.capacity)
    candidates = .allocate(capacity: Self.capacity)
    for number in 0..<Self.capacity { (fibers + number).initialize(to: Fiber()) }
  }

  // MARK: One schedule after another

  /// The next search is this one, from its first schedule.
  public func begin(_ strategy: Strategy) {
    self.strategy = strategy
    search = Search()
    if case .exhaustive(let preemptions) = strategy { bound = preemptions }
  }

  /// The next schedule is this one. The bound is that of the search it came from.
  public func begin(_ schedule: Schedule, preemptions: Int) {
    switch schedule {
    case .picks(let picks):
      begin(.exhaustive(preemptions: preemptions))
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
    objects = 0
    isExempting = exempting
    steps = 0
    preemptions = 0
    isRedundant = false
    isClosing = false
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
  /// - Parameter servants: Bodies that run besides, and end when ``isOver`` says that the others have.
  public func run(_ bodies: [() -> Void], servants: [() -> Void] = [], expectedSteps: Int = 100) {
    count = bodies.count + servants.count
    precondition(count <= Self.capacity, "There are fibers for \(Self.capacity) bodies.")
    for (number, body) in (bodies + servants).enumerated() {
      fibers[number].begin(body, at: number, isServant: number >= bodies.count) {
        Explorer.shared.enter(Int($0))
      }
      fibers[number].priority = lot.next() | 1 << 40
    }
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
    current = next ?? -1
    cfibers_run(current)
    let to = next.map { fibers[$0].resumption } ?? home
    if let next { fibers[next].isPreempted = false }
    withUnsafeMutablePointer(to: &from) { cfibers_switch($0, to) }
  }

  private func comeBetween() {
    if current < 0, heldOutside == 0 { onPoint?() }
  }

  // MARK: What is explored calls these

  /// A number for an object that fibers may have in common. Zero if accesses to it are of no interest.
  public func newObject() -> Int {
    if isExempting { return 0 }
    objects += 1
    return objects
  }

  /// The running fiber is about to access `object`: another one may go on before it does.
  @inline(never)
  public func point(_ object: Int, isWrite: Bool = true) {
    guard current >= 0, object != 0 else { return comeBetween() }
    let me = current
    fibers[me].object = object
    fibers[me].isWrite = isWrite
    steps += 1
    if steps > longest { giveUp("X07: no end after \(longest) steps") }
    note { "\(isWrite ? "writes" : "reads") \(object)" }
    goOn()
    touch(object, isWrite: isWrite)
  }

  /// The running fiber has accessed `object`, at a moment when nobody could come between.
  public func touch(_ object: Int, isWrite: Bool = true) {
    guard current >= 0 else { return }
    for number in 0..<count where fibers[number].isPreempted && fibers[number].object == object {
      if isWrite || fibers[number].isWrite { fibers[number].isDisturbed = true }
    }
  }

  /// Takes a lock whose owner is written at `owner`; waits until it is free.
  @inline(never)
  public func acquire(_ owner: UnsafeMutablePointer<Int>, _ object: Int) {
    guard current >= 0 else {
      comeBetween()
      precondition(owner.pointee == 0, "A lock is still held after its schedule.")
      heldOutside += 1
      return owner.pointee = -1
    }
    let me = current
    if owner.pointee == me + 1 { giveUp("X07: a lock is taken twice by the same fiber") }
    // It must go on for others to do so.
    if owner.pointee > 0 { fibers[owner.pointee - 1].isDisturbed = true }
    fibers[me].lock = owner
    fibers[me].object = object
    fibers[me].isWrite = true
    steps += 1
    if steps > longest { giveUp("X07: no end after \(longest) steps") }
    note { "locks \(object)" }
    goOn()
    fibers[me].lock = nil
    fibers[me].held += 1
    owner.pointee = me + 1
    touch(object)
  }

  public func release(_ owner: UnsafeMutablePointer<Int>, _ object: Int) {
    owner.pointee = 0
    guard current >= 0 else { return heldOutside -= 1 }
    fibers[current].held -= 1
    touch(object)
  }

  /// Waits until `condition` holds, which is about `object`.
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

  // MARK: Deciding

  /// Lets somebody else run first, if it is so decided.
  private func goOn() {
    let me = current
    let next = choose()
    if next == me { return }
    leave(&fibers[me].resumption, for: next)
  }

  /// Leaves everything as it lies. The stacks are used again; what is on them is lost.
  private func giveUp(_ words: String) {
    fail(words)
    leave(&fibers[current].resumption, for: nil)
  }

  private func choose() -> Int? {
    let me = current
    let mayGoOn = me >= 0 && fibers[me].canGoOn
    switch strategy {
    case .exhaustive:
      if mayGoOn, isRedundant || preemptions >= bound { return me }
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
    guard let pick = search.pick(among: found) else {
      fail("the scenario is not the same each time: it cannot be explored")
      isRedundant = true
      return candidates[0]
    }
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
}
