extension Future where Output: Sendable {
  /// Creates a future of what an asynchronous closure returns or throws.
  ///
  /// The task starts immediately, and inherits the caller's priority and task-local values. Cancelling a subscriber does not
  /// cancel it, because its result is for all subscribers. They receive it without these task-local values. A closure that
  /// is isolated to an actor runs on that actor.
  @_disfavoredOverload
  public convenience init(
    priority: TaskPriority? = nil,
    @_inheritActorContext operation: sending @escaping @isolated(any) () async throws(Failure) -> Output
  ) {
    var made: Promise?
    self.init { made = $0 }
    guard let promise = made else { return }
    DetachedTask.call(priority: priority, operation, promise)
  }
}
