extension MorePublishers {
  /// A publisher of what an asynchronous closure returns or throws, called anew for each subscription.
  ///
  /// The call begins with the first request, in a task of its own, which is cancelled with the subscription. It is
  /// ``Deferred`` and ``Future`` in one.
  ///
  /// ```swift
  /// let page = MorePublishers.AsyncCall { try await download(url) }
  /// ```
  public struct AsyncCall<Output: Sendable, Failure: Error>: Publisher, Sendable {
    let priority: TaskPriority?
    let operation: @Sendable () async throws(Failure) -> Output

    /// A publisher of what `operation` returns or throws.
    ///
    /// - Parameters:
    ///   - priority: That of the task; of who asks, if `nil`.
    ///   - operation: Awaited once for each subscription.
    public init(
      priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws(Failure) -> Output
    ) {
      self.priority = priority
      self.operation = operation
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (priority, operation) = (priority, operation)
      Desk.start("AsyncCall", for: subscriber) { desk in
        var isCalled = false
        let call = { (desk: Desk<Downstream>) in
          if isCalled || desk.demand == .none { return }
          isCalled = true
          let answer = Answer<Output, Failure>(
            take: { value in
              desk.run {
                desk.emit(value)
                desk.finish(.finished)
              }
            },
            fail: { error in desk.run { desk.finish(.failure(error)) } })
          let task = Errand.start(priority: priority) { await answer.bring(operation) }
          desk.keep(Departing { task.cancel() })
        }
        desk.whenAsked(call)
        call(desk)
      }
    }
  }
}

/// Where the result of a task goes.
// Sendable: the desk behind the closures takes one signal at a time.
private struct Answer<Output: Sendable, Failure: Error>: @unchecked Sendable {
  let take: (Output) -> Void
  let fail: (Failure) -> Void

  func bring(_ operation: @Sendable () async throws(Failure) -> Output) async {
    do throws(Failure) {
      take(try await operation())
    } catch {
      fail(error)
    }
  }
}
