#if canImport(Glibc)
  import Glibc

  /// The heap of this process, for tests in a process of their own: the memory of other tests is counted as well.
  public enum Heap {
    /// Allows a single arena from now on, so that memory does not move from one to another.
    public static func useOneArena() {
      let arenas: Int32 = -8  // `M_ARENA_MAX`
      precondition(function("mallopt", (@convention(c) (Int32, Int32) -> Int32).self)(arenas, 1) == 1)
    }

    /// How many bytes of the heap `body` takes and does not give back, for each time that it runs.
    ///
    /// The least of six rounds: what is lost is lost in each. A heap that grows with the first threads of a library is not.
    public static func leaked(each count: Int, _ body: () -> Void) -> Int {
      for _ in 0..<20 { body() }  // what is kept for ever is made at the beginning
      var least = Int.max
      for _ in 0..<6 where least > 0 {
        let before = bytesInUse()
        for _ in 0..<count { body() }
        least = min(least, (bytesInUse() - before) / count)
      }
      return least
    }

    /// What the system has given less what lies there free.
    private static func bytesInUse() -> Int {
      guard let file = fmemopen(report, reportCapacity, "w") else { preconditionFailure("no stream") }
      let write = function(
        "malloc_info", (@convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32).self)
      precondition(write(0, file) == 0 && fclose(file) == 0)
      let lines = String(cString: report).split(separator: "\n")
      func last(_ start: String) -> Int? {
        lines.last { $0.hasPrefix(start) }?.split(separator: "\"").compactMap { Int($0) }.last
      }
      guard let all = last("<system type=\"current\""), let rest = last("<total type=\"rest\"") else {
        preconditionFailure("malloc_info: \(lines)")
      }
      // glibc 2.43 has none of these.
      let fast = last("<total type=\"fast\"") ?? 0
      return all - fast - rest
    }

    private static let reportCapacity = 1 << 18
    // Written by one test of a process. Made once, so that it is not counted.
    nonisolated(unsafe) private static let report = UnsafeMutablePointer<CChar>.allocate(
      capacity: reportCapacity)

    /// A function of the C library that its module for Swift leaves out.
    private static func function<Function>(_ name: String, _ type: Function.Type) -> Function {
      unsafeBitCast(dlsym(nil, name), to: type)
    }
  }
#endif
