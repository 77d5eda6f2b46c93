internal import CFibers

/// One of the bodies whose steps are interleaved.
struct Fiber {
  let stackEnd: UnsafeMutableRawPointer
  var resumption: UnsafeMutableRawPointer?
  var body: (() -> Void)?
  var isDone = true
  /// One that serves the others, and ends with them.
  var isServant = false

  // What it waits for.
  /// The lock that it wants.
  var lock: UnsafeMutablePointer<Place>?
  var condition: (() -> Bool)?
  /// The atomic on whose value it sleeps.
  var sleep: UnsafeMutablePointer<Place>?

  // Where it stands: before an access to this object.
  var object = 0
  var isWrite = false
  var isPreempted = false
  /// Whether somebody has touched that object since, in a way that makes a difference.
  var isDisturbed = false

  /// Locks that it holds.
  var held = 0
  /// Objects that it is deallocating.
  var deinits = 0
  var priority: UInt64 = 0

  /// What the runtime of tasks keeps for it, while another one runs.
  let tasks = UnsafeMutableRawPointer.allocate(byteCount: Int(CFIBERS_TASK_BYTES), alignment: 16)

  init() {
    guard let end = cfibers_make_stack(256 * 1024) else { fatalError("There is no room for another stack.") }
    stackEnd = end
  }

  mutating func begin(_ body: @escaping () -> Void, at number: Int, isServant: Bool, _ entry: cfibers_entry) {
    self.body = body
    self.isServant = isServant
    tasks.initializeMemory(as: UInt8.self, repeating: 0, count: Int(CFIBERS_TASK_BYTES))
    isDone = false
    lock = nil
    condition = nil
    sleep = nil
    isPreempted = false
    object = 0
    held = 0
    deinits = 0
    resumption = cfibers_prepare(stackEnd, entry, UInt(number))
  }

  var canGoOn: Bool {
    if isDone { return false }
    if let lock { return lock.pointee.owner == 0 }
    if sleep != nil { return false }
    if let condition { return condition() }
    return true
  }
}
