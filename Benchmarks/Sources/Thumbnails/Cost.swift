import Foundation

/// What a program took.
struct Cost {
  /// Of all its threads, in milliseconds.
  var processor: Double
  var wall: Double
  /// The most that was resident, in megabytes.
  var memory: Double

  /// Runs a program to its end; nil if it failed.
  ///
  /// This process must have been small up to now: what it had counts as the other's.
  static func of(_ program: String, _ arguments: [String]) -> Cost? {
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    let start = ContinuousClock.now
    guard posix_spawnp(&child, program, nil, nil, &words, environ) == 0 else { return nil }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(child, &status, 0, &usage) == child, status == 0 else { return nil }
    let wall = ContinuousClock.now - start
    return Cost(
      processor: milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), wall: wall / .milliseconds(1),
      memory: Double(usage.ru_maxrss) / 1024)
  }

  private static func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
  }

  static func median(_ costs: [Cost]) -> Cost {
    func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    return Cost(
      processor: middle(costs.map(\.processor)), wall: middle(costs.map(\.wall)),
      memory: middle(costs.map(\.memory)))
  }
}
