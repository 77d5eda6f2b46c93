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
  /// The owner of the lock that it wants: zero if free.
  var lock: UnsafeMutablePointer<Int>?
  var condition: (() -> Bool)?

  // Where it stands: before an access to this object.
  var object = 0
  var isWrite = false
  var isPreempted = false
  /// Whether somebody has touched that object since, in a way that makes a difference.
  var isDisturbed = false

  /// Locks that it holds.
  var held = 0
  var priority: UInt64 = 0

  init() {
    guard let end = cfibers_make_stack(256 * 1024) else { fatalError("There is no room for another stack.") }
    stackEnd = end
  }

  mutating func begin(_ body: @escaping () -> Void, at number: Int, isServant: Bool, _ entry: cfibers_entry) {
    self.body = body
    self.isServant = isServant
    isDone = false
    lock = nil
    condition = nil
    isPreempted = false
    object = 0
    held = 0
    resumption = cfibers_prepare(stackEnd, entry, UInt(number))
  }

  var canGoOn: Bool {
    if isDone { return false }
    if let lock { return lock.pointee == 0 }
    if let condition { return condition() }
    return true
  }
}
