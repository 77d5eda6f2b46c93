/// Runs what it is given at once: a task has come to its first wait, or to its actor, when its maker goes on.
final class AtOnce: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}
