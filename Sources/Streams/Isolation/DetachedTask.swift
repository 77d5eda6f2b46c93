/// A task that the library starts: to deliver a signal to an actor, to iterate over a sequence.
package enum DetachedTask {
  /// Where such tasks run; `nil` for the default. Bind another one to control their order.
  @TaskLocal package static var executor: (any TaskExecutor)?

  @discardableResult
  package static func start(
    priority: TaskPriority? = nil, _ work: sending @escaping () async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: executor, priority: priority, operation: work)
  }
}
