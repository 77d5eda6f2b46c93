internal import CShards
import Interleavings

/// Seeds, shared out among processes: one for each core.
struct Seeds {
  let first: UInt64
  let count: UInt64
  private let bridges = Bridge.all
  private let page = cshards_page()!
  private static let chunk: UInt64 = 1000
  private static let most = 10

  private enum Count: Int { case violations, steps, stale }

  init(first: UInt64, count: UInt64) { (self.first, self.count) = (first, count) }

  /// True if nothing went wrong.
  func run() -> Bool {
    let cores = Int(cshards_cores())
    for _ in 0..<cores where cshards_fork() == 0 { work() }
    var traps = 0
    for _ in 0..<cores {
      var signal: Int32 = 0
      _ = cshards_wait(&signal)
      if signal != 0 {
        print("X12: a trap (signal \(signal))")
        traps += 1
      }
    }
    print(
      "explored \(count) seeds of \(bridges.count) bridges, \(sum(.steps)) steps, \(sum(.stale)) stale reads,"
        + " \(sum(.violations) + traps) violations")
    return sum(.violations) + traps == 0
  }

  private func work() -> Never {
    while true {
      let piece = UInt64(cshards_add(&page.pointee.next, 1)) * Self.chunk
      if piece >= count || sum(.violations) >= Self.most { break }
      for seed in piece..<min(piece + Self.chunk, count) where sum(.violations) < Self.most {
        play(first + seed)
      }
    }
    add(.steps, SeededJobs.shared.steps)
    add(.stale, Explorer.shared.staleReads)
    cshards_exit(0)
    fatalError("The process goes on after its end.")
  }

  private func play(_ seed: UInt64) {
    let jobs = SeededJobs.shared
    let bridge = bridges[Int(seed % UInt64(bridges.count))]
    jobs.begin(seed: seed)
    let verdict = bridge.begin(jobs)
    jobs.drain()
    let words = jobs.violation == nil ? verdict() : nil
    guard let words = jobs.violation ?? words else { return }
    let line = "\(bridge.name): \(words), seed \(seed)\n"
    cshards_print(line, line.utf8.count)
    add(.violations, 1)
  }

  // MARK: What the processes have in common

  private func add(_ count: Count, _ amount: Int) {
    withCounts { _ = cshards_add($0 + count.rawValue, Int64(amount)) }
  }

  private func sum(_ count: Count) -> Int { withCounts { Int($0[count.rawValue]) } }

  private func withCounts<Result>(_ body: (UnsafeMutablePointer<Int64>) -> Result) -> Result {
    withUnsafeMutablePointer(to: &page.pointee.counts) {
      $0.withMemoryRebound(to: Int64.self, capacity: 8) { body($0) }
    }
  }
}
