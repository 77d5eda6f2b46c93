internal import CThreads
internal import Synchronization

/// Reports on standard error, once, that nothing serves the main actor. Otherwise, jobs for it would wait in silence.
///
/// Jobs begin in the order in which they were added, so two counts are enough.
enum MainActorBacklog {
  private static let waited = Atomic(0)
  private static let begun = Atomic(0)
  private static let isWatching = Atomic(false)
  private static let hasReported = Atomic(false)

  /// Call this before adding a job for the main actor that is due at once.
  static func willWait() {
    waited.wrappingAdd(1, ordering: .relaxed)
    if isWatching.load(ordering: .relaxed) || hasReported.load(ordering: .relaxed) { return }
    if !isWatching.exchange(true, ordering: .relaxed) { watch() }
  }

  /// Call this when the job has begun.
  static func didBegin() { begun.wrappingAdd(1, ordering: .relaxed) }

  private static func watch() {
    let awaited = waited.load(ordering: .relaxed)
    MainQueue.afterSecondElsewhere {
      isWatching.store(false, ordering: .relaxed)
      if begun.load(ordering: .relaxed) < awaited, !hasReported.exchange(true, ordering: .relaxed) {
        cthreads_report(report)
      }
    }
  }

  private static let report = """
    Streams: a value or an action has waited for the main actor for one second. Either its thread is blocked, by a \
    semaphore for instance, or the program does not serve it: use an asynchronous main, dispatchMain() or \
    RunLoop.main.run(). This is reported once.
    """
}
