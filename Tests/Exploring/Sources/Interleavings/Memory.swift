internal import CFibers

/// The memory of one schedule: what was stored, and what each fiber must have seen of it.
///
/// This is the C11 model of release and acquire in its operational form, without values out of thin air:
///
/// - Each atomic has its stores in modification order. A fiber's clock says which steps of other fibers happen before
///   its next one. It cannot load a store that is older than one that it, or one of these steps, has seen. It can load
///   any other.
/// - A store that releases carries the clock of its fiber, and a load of it that acquires joins that. A
///   read-modify-write passes on the clock of the store that it reads: it continues the release sequence.
/// - A store takes any place in modification order behind those that its fiber must have seen. Nothing comes between a
///   read-modify-write and the store that it reads.
/// - A sequentially consistent load does not read, and such a store does not precede, anything older than what another
///   such access has seen.
/// - A load does not read a store that is executed after it. Load buffering is possible in C11 but not here.
///
/// A plain variable has one value. Two accesses to it, one of which writes, must be ordered by these clocks. If they are
/// not, they are a data race.
struct Memory {
  private(set) var places: UnsafeMutablePointer<Place>
  private(set) var stores: UnsafeMutablePointer<Store>
  private(set) var traces: UnsafeMutablePointer<Trace>
  let clocks: UnsafeMutablePointer<VectorClock>
  private var placeCount: Int32 = 0
  private var storeCount: Int32 = 0
  private var traceCount = 0

  static let capacity = 1 << 20

  init(fibers: Int) {
    // Reserved, and used only as far as needed.
    places = Self.reserve()
    stores = Self.reserve()
    traces = Self.reserve()
    clocks = .allocate(capacity: fibers)
    clocks.initialize(repeating: VectorClock(), count: fibers)
  }

  private static func reserve<Value>() -> UnsafeMutablePointer<Value> {
    guard let end = cfibers_make_stack(capacity * MemoryLayout<Value>.stride) else {
      fatalError("There is no room for the explored memory.")
    }
    let start = end - capacity * MemoryLayout<Value>.stride
    return start.bindMemory(to: Value.self, capacity: capacity)
  }

  /// Which schedule this is.
  private(set) var schedule: UInt32 = 0

  mutating func clear() {
    schedule &+= 1
    placeCount = 0
    storeCount = 0
    traceCount = 1  // the first is for variables that are not explored
  }

  /// Each fiber begins with what came before all of them.
  func beginFibers(_ count: Int) {
    for fiber in 0..<count {
      clocks[fiber] = VectorClock()
      clocks[fiber][fiber] = 1
    }
  }

  @inline(__always)
  func step(_ fiber: Int) -> UInt16 { clocks[fiber][fiber] }

  /// What the fiber does from now on is another step.
  @inline(__always)
  func advance(_ fiber: Int) { clocks[fiber][fiber] &+= 1 }

  // MARK: What there is

  mutating func newPlace(_ fiber: Int) -> UnsafeMutablePointer<Place> {
    precondition(placeCount < Self.capacity, "There are too many objects in one schedule.")
    let place = places + Int(placeCount)
    placeCount += 1
    place.initialize(to: Place(number: Int(placeCount), creator: fiber))
    if fiber >= 0 { place.pointee.birth = step(fiber) }
    return place
  }

  mutating func newTrace(_ fiber: Int) -> Int {
    precondition(traceCount < Self.capacity, "There are too many variables in one schedule.")
    traces[traceCount] = Trace(writer: fiber, written: fiber < 0 ? 0 : step(fiber))
    traceCount += 1
    return traceCount - 1
  }

  @inline(__always)
  func knows(_ fiber: Int, _ store: Int32) -> Bool { clocks[fiber].knows(any: stores[Int(store)].seen) }

  // MARK: Atomics

  mutating func newStore(_ value: UInt64, older: Int32) -> Int32 {
    precondition(storeCount < Self.capacity, "There are too many stores in one schedule.")
    storeCount += 1
    (stores + Int(storeCount - 1)).initialize(to: Store(value: value, older: older))
    return storeCount - 1
  }

  /// A store that everybody knows: the first, or one outside the fibers.
  mutating func append(_ value: UInt64, to place: UnsafeMutablePointer<Place>) {
    let store = newStore(value, older: place.pointee.newest)
    stores[Int(store)].seen = VectorClock()
    place.pointee.newest = store
  }

  /// The fiber has read `store`.
  func observe(_ store: Int32, _ fiber: Int, bits: UInt8) {
    let seen = stores + Int(store)
    seen.pointee.seen[fiber] = min(seen.pointee.seen[fiber], step(fiber))
    if bits & MemoryOrder.acquires != 0 { clocks[fiber].join(seen.pointee.clock) }
    if bits & MemoryOrder.sequential != 0 { seen.pointee.isSequential = true }
  }

  /// The fiber stores `value` before `next`, or last if that is -1. An update reads what it follows.
  mutating func write(
    _ value: UInt64, to place: UnsafeMutablePointer<Place>, before next: Int32, _ fiber: Int, bits: UInt8,
    site: UInt16, isUpdate: Bool
  ) {
    let older = next < 0 ? place.pointee.newest : stores[Int(next)].older
    let number = newStore(value, older: older)
    if next < 0 { place.pointee.newest = number } else { stores[Int(next)].older = number }
    let store = stores + Int(number)
    store.pointee.seen[fiber] = step(fiber)
    store.pointee.isUpdate = isUpdate
    store.pointee.isSequential = bits & MemoryOrder.sequential != 0
    if isUpdate { store.pointee.clock = stores[Int(older)].clock }
    if bits & MemoryOrder.releases != 0 {
      store.pointee.clock.join(clocks[fiber])
      store.pointee.site = site
    }
  }

  // MARK: Plain variables

  /// The fiber whose access is not ordered with this one, if there is one, and whether that writes.
  func read(_ trace: Int, _ fiber: Int) -> (fiber: Int, writes: Bool)? {
    let trace = traces + trace
    let writer = trace.pointee.writer
    trace.pointee.read[fiber] = step(fiber)
    return writer >= 0 && trace.pointee.written > clocks[fiber][writer] ? (writer, true) : nil
  }

  func write(_ trace: Int, _ fiber: Int) -> (fiber: Int, writes: Bool)? {
    let trace = traces + trace
    let writer = trace.pointee.writer, read = trace.pointee.read
    defer {
      trace.pointee.writer = fiber
      trace.pointee.written = step(fiber)
      trace.pointee.read = VectorClock()
    }
    if writer >= 0, trace.pointee.written > clocks[fiber][writer] { return (writer, true) }
    if clocks[fiber].includes(read) { return nil }
    return (0..<VectorClock.scalarCount).first { read[$0] > clocks[fiber][$0] }.map { ($0, false) }
  }

  /// All accesses happen before the fiber's next step.
  func renew(_ trace: Int, _ fiber: Int) {
    let trace = traces + trace
    clocks[fiber].join(trace.pointee.read)
    let writer = trace.pointee.writer
    if writer >= 0 { clocks[fiber][writer] = max(clocks[fiber][writer], trace.pointee.written) }
  }
}
