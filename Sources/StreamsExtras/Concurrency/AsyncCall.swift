extension MorePublishers {
  /// A publisher that calls an asynchronous closure for each subscription, and sends what it returns.
  ///
  /// The call starts at the first request, in its own task, which retains the subscription. Cancelling the subscription
  /// cancels the task. An error that the closure throws is the failure. The call has the task-local values of the code
  /// that makes the first request. The result is sent without them.
  ///
  /// ```swift
  /// let page = MorePublishers.AsyncCall { try await download(url) }
  /// ```
  public struct AsyncCall<Output: Sendable, Failure: Error>: Publisher, Sendable {
    let priority: TaskPriority?
    let operation: @Sendable () async throws(Failure) -> Output

    /// Creates a publisher that calls `operation` for each subscription.
    ///
    /// - Parameters:
    ///   - priority: The priority of the task. `nil` uses the priority of the code that makes the first request.
    ///   - operation: Called once for each subscription that requests a value.
    public init(
      priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws(Failure) -> Output
    ) {
      self.priority = priority
      self.operation = operation
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (priority, operation) = (priority, operation)
      OperatorCore.start("AsyncCall", for: subscriber) { core in
        var isCalled = false
        let call = { (core: OperatorCore<Downstream>) in
          if isCalled || core.outstandingDemand == .none { return }
          isCalled = true
          let take = { (result: Result<Output, Failure>) in
            switch result {
            case .success(let value):
              core.performValue {
                core.emit(value)
                core.finish(.finished)
              }
            case .failure(let error): core.perform { core.finish(.failure(error)) }
            }
          }
          let answer = Transfer(take)  // the core takes one signal at a time
          let task = DetachedTask.call(priority: priority, operation) { answer.value($0) }
          core.onEnd { task.cancel() }
        }
        core.onRequest { core, _ in call(core) }
        call(core)
      }
    }
  }
}
