internal import CThreads

// Inside a type, a member hides the system's functions that have its name. Schedulers have `sleep(for:)` here, and queues
// and run loops are schedulers, so without these members their extensions could not call `sleep`.

extension Scheduler {
  /// Blocks the calling thread: the system's `sleep`, for code inside a scheduler.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @discardableResult
  public func sleep(_ seconds: UInt32) -> UInt32 { cthreads_rest(seconds) }

  /// Blocks the calling thread: the system's `sleep`, for static code inside a scheduler.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @discardableResult
  public static func sleep(_ seconds: UInt32) -> UInt32 { cthreads_rest(seconds) }
}
