/// A task that the library starts: to deliver signals to an actor, to iterate over a sequence.
///
/// It serves others than its starter, so it has none of the starter's task-local values. Its priority is the starter's.
package enum DetachedTask {
  /// Where such tasks run; `nil` for the default. Bind another one to control their order. Tasks that they start run there, too.
  @TaskLocal package static var executor: (any TaskExecutor)?

  @discardableResult
  package static func start(
    priority: TaskPriority = Task.currentPriority, _ work: sending @escaping () async -> Void
  ) -> Task<Void, Never> {
    guard let executor else { return Task.detached(priority: priority, operation: work) }
    return Task.detached(executorPreference: executor, priority: priority) {
      await $executor.withValue(executor, operation: work)
    }
  }

  /// Calls `work` in a task that has the caller's task-local values, and `take` in one without them: what follows there may
  /// serve others.
  @discardableResult
  package static func call<Value: Sendable, Failure: Error>(
    priority: TaskPriority?, _ work: sending @escaping () async throws(Failure) -> Value,
    _ take: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: executor, priority: priority) {
      let result: Result<Value, Failure>
      do throws(Failure) { result = .success(try await work()) } catch { result = .failure(error) }
      start { take(result) }
    }
  }
}
