internal import Streams

/// The tasks of checked operators. They run on this thread when the run settles.
package final class ManualTaskExecutor: TaskExecutor {
  private let jobs = Guarded<[UnownedJob]>([])

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs all tasks, and those that they add.
  package func run() {
    while true {
      let due = jobs.withLock { jobs -> [UnownedJob] in
        defer { jobs = [] }
        return jobs
      }
      if due.isEmpty { return }
      for job in due { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  /// The executor of the current run.
  package static var current: ManualTaskExecutor? {
    DetachedTask.executor.flatMap { $0 as? ManualTaskExecutor }
  }

  /// Runs `body` with an executor of its own, and then the tasks that are left.
  package static func whileRunning<Result>(_ body: () -> Result) -> Result {
    let executor = ManualTaskExecutor()
    defer { executor.run() }
    return DetachedTask.$executor.withValue(executor, operation: body)
  }
}
