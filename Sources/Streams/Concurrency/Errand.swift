/// A task that this module starts by itself: to bring a signal to an actor, to walk through a sequence.
package enum Errand {
  /// Where such tasks run; `nil` for the default. Whoever wants to decide about their order binds another one.
  @TaskLocal package static var executor: (any TaskExecutor)?

  @discardableResult
  static func start(
    priority: TaskPriority? = nil, _ work: sending @escaping () async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: executor, priority: priority, operation: work)
  }
}
