/// For what is relative to a time-out: a server that a busy machine holds up for longer than a short one fails no test.
enum LongerTimes {
  /// Whether something is so once all times of it are long enough. If they do not matter, it never is.
  static func suffice(_ isSo: (_ factor: Int) async throws -> Bool) async rethrows -> Bool {
    for factor in [1, 8, 64] {
      if try await isSo(factor) { return true }
    }
    return false
  }
}
