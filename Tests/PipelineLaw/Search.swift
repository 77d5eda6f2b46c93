/// The choices of one schedule, and of the next one: depth first, until each choice has been made.
struct Search {
  private var path: [(taken: Int, count: Int)] = []
  private var depth = 0
  /// How many schedules have begun.
  private(set) var schedules = 1
  /// Whether a schedule had other choices than before, after the same ones.
  private(set) var hasDiverged = false

  /// - Returns: One of `count` numbers; in the first schedule 0.
  mutating func choose(_ count: Int) -> Int {
    if depth == path.count { path.append((0, count)) }
    if path[depth].count != count { hasDiverged = true }
    defer { depth += 1 }
    return min(path[depth].taken, count - 1)
  }

  /// Goes on to the next schedule. False if there is none.
  mutating func advance() -> Bool {
    path.removeSubrange(min(depth, path.count)...)
    depth = 0
    while let last = path.popLast() {
      guard last.taken + 1 < last.count else { continue }
      path.append((last.taken + 1, last.count))
      schedules += 1
      return true
    }
    return false
  }
}
