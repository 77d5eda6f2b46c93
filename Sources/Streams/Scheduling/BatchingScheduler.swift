/// A scheduler whose jobs are not counted, so that one job may deliver a burst of values: queues and run loops, but not the
/// schedulers of tests, whose jobs are stepped through.
@usableFromInline
package protocol BatchingScheduler {
  /// False if it wraps a scheduler that is not.
  var isBatching: Bool { get }
}

extension BatchingScheduler {
  @usableFromInline package var isBatching: Bool { true }
}
