/// Runs its tasks when it is told to.
final class SteppedExecutor: TaskExecutor {
  private let jobs = Shared<[UnownedJob]>([])

  /// How many tasks would go on.
  var count: Int { jobs.value.count }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.change { $0.append(job) }
  }

  func run() {
    while !jobs.value.isEmpty {
      var next: [UnownedJob] = []
      jobs.change { swap(&$0, &next) }
      for job in next { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
