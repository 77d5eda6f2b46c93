internal import Streams

/// The tasks of checked operators. They run on this thread when the run settles.
package final class Errands: TaskExecutor {
  private let jobs = Guarded<[UnownedJob]>([])

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs all tasks, and those that they add.
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

  /// The errands of the current run.
  static var current: Errands? { DetachedTask.executor.flatMap { $0 as? Errands } }

  /// Runs `body` with errands of its own, to their end.
  package static func whileRunning<Result>(_ body: () -> Result) -> Result {
    let errands = Errands()
    defer { errands.run() }
    return DetachedTask.$executor.withValue(errands, operation: body)
  }
}
