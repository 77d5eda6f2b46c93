internal import CThreads
internal import Synchronization

/// Threads that go on where a call has handed over. One that has nothing to do waits a second, and ends.
///
/// Not Swift's own: there is one of those for each core, and a subscriber may block.
package enum DrainThreads {
  private struct State {
    var jobs = RingQueue<() -> Void>()
    var idle = 0
    /// How many jobs have not ended.
    var open = 0
  }

  private static let state = Guarded(State())
  /// True while there is nothing to do: for tests.
  package static var areIdle: Bool { state.withLock { $0.open == 0 } }

  /// Changes with each job that is left for an idle thread.
  private static let bell = Atomic<UInt32>(0)

  /// Runs `job` on one of them, or here if the system has no thread left.
  static func runOrCall(_ job: @escaping () -> Void) {
    if !run(job) { job() }
  }

  /// Runs `job` on one of them. False if the system has no thread left.
  static func run(_ job: @escaping () -> Void) -> Bool {
    let isLeft = state.withLock { state in
      state.open += 1
      guard state.idle > state.jobs.count else { return false }
      state.jobs.append(job)
      return true
    }
    if isLeft {
      bell.wrappingAdd(1, ordering: .relaxed)
      withUnsafePointer(to: bell) { cthreads_wake(UnsafeMutableRawPointer(mutating: $0)) }
      return true
    }
    let first = Unmanaged.passRetained(Box(job))
    let hasStarted = cthreads_start(
      { DrainThreads.work(Unmanaged<Box<() -> Void>>.fromOpaque($0!).takeRetainedValue()) },
      first.toOpaque())
    if hasStarted != 0 { return true }
    first.release()
    finish()
    return false
  }

  private static func work(_ first: consuming Box<() -> Void>) {
    first.value()
    first.value = {}  // what it holds is released before the wait
    finish()
    while runNext() { finish() }
  }

  private static func finish() { state.withLock { $0.open -= 1 } }

  /// False if there was nothing to do for a second.
  private static func runNext() -> Bool {
    guard let job = next() else { return false }
    job()
    return true
  }

  private static func next() -> (() -> Void)? {
    let job = state.withLock { state -> (() -> Void)? in
      if let job = state.jobs.popFirst() { return job }
      state.idle += 1
      return nil
    }
    if let job { return job }
    let end = cthreads_nanoseconds() + 1_000_000_000
    while true {
      let seen = bell.load(ordering: .relaxed)
      let now = cthreads_nanoseconds()
      let (job, isOver) = state.withLock { state -> ((() -> Void)?, Bool) in
        let job = state.jobs.popFirst()
        let isOver = job != nil || now >= end
        if isOver { state.idle -= 1 }
        return (job, isOver)
      }
      if isOver { return job }
      withUnsafePointer(to: bell) {
        cthreads_wait_briefly(UnsafeMutableRawPointer(mutating: $0), seen, end - now)
      }
    }
  }
}
