internal import Streams

/// The tasks of operators under law: they run when the stand settles, here and now.
final class Errands: TaskExecutor {
  private let jobs = Guarded<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs what is to be done, and what comes of that.
  func run() {
    while true {
      let due = jobs.withLock { jobs -> [UnownedJob] in
        defer { jobs = [] }
        return jobs
      }
      if due.isEmpty { return }
      for job in due { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  /// Those of whoever runs at the moment.
  static var current: Errands? { Errand.executor.flatMap { $0 as? Errands } }

  /// Runs `body` with errands of its own, to their end.
  static func whileRunning<Result>(_ body: () -> Result) -> Result {
    let errands = Errands()
    defer { errands.run() }
    return Errand.$executor.withValue(errands, operation: body)
  }
}
