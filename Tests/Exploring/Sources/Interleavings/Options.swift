/// What an access to an atomic can do.
struct Option {
  /// The store that is read.
  var read: Int32 = -1
  /// The store before which another one is made; -1 if it is the last.
  var next: Int32 = -1
  /// Whether an exchange fails that need not.
  var isSpurious = false
}

/// A few of them, the newest first.
struct Options {
  private let all = UnsafeMutablePointer<Option>.allocate(capacity: Bounds.mostOptions)
  private(set) var count = 0

  subscript(index: Int) -> Option { all[index] }

  mutating func begin(_ option: Option) {
    all.initialize(to: option)
    count = 1
  }

  mutating func add(_ option: Option) {
    if count == Bounds.mostOptions { return }
    (all + count).initialize(to: option)
    count += 1
  }
}
