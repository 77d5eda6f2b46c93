internal import CFibers
internal import CJobs
import Interleavings

/// All that the pool of threads would do, done here one after another in an order drawn by lot; and at each use of a
/// lock or an atomic, by lot, another thread comes between and does one thing.
final class SeededJobs: TaskExecutor, @unchecked Sendable {  // one thread only
  static let shared = SeededJobs()

  private var jobs: [UnownedJob] = []
  private var threads: [() -> Void] = []
  private var lot = Lot(0)
  private var depth = 0
  private(set) var runs = 0
  private(set) var interruptions = 0

  static func install() {
    cjobs_catch { job in SeededJobs.shared.jobs.append(unsafeBitCast(job, to: UnownedJob.self)) }
    Explorer.shared.onPoint = { SeededJobs.shared.interrupt() }
  }

  func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

  func begin(seed: UInt64) {
    lot = Lot(seed)
    Explorer.shared.prepare(seed: seed, exempting: true)
  }

  /// Something that another thread does, at some time.
  func addThread(_ body: @escaping () -> Void) { threads.append(body) }

  /// Runs everything until nothing is left to do.
  func drain() {
    while !jobs.isEmpty || !threads.isEmpty {
      let pick = Int.random(in: 0..<(jobs.count + threads.count), using: &lot)
      if pick < jobs.count {
        runs += 1
        jobs.remove(at: pick).runSynchronously(on: asUnownedTaskExecutor())
      } else {
        runThread(pick - jobs.count)
      }
    }
  }

  private func interrupt() {
    guard depth < 3, !threads.isEmpty, Int.random(in: 0..<6, using: &lot) == 0 else { return }
    interruptions += 1
    runThread(Int.random(in: 0..<threads.count, using: &lot))
  }

  private func runThread(_ index: Int) {
    let body = threads.remove(at: index)
    depth += 1
    cfibers_run(depth)
    body()
    depth -= 1
    cfibers_run(depth == 0 ? -1 : depth)
  }
}
