extension Future where Failure == Never {
  /// Waits for the value. Cancelling the task does not stop the work.
  public var value: Output {
    get async {
      switch await result {
      case .success(let value): value
      }
    }
  }
}

extension Future {
  /// Waits for the value, or throws the failure. Cancelling the task does not stop the work.
  public var value: Output {
    get async throws(Failure) { try await result.get() }
  }

  private var result: Result<Output, Failure> {
    get async {
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Awaited<Output, Failure>, Never>) in
        subscribe(AwaitedInlet(continuation))
      }.result
    }
  }
}

extension Future where Output: Sendable {
  /// A future of what an asynchronous closure returns or throws.
  ///
  /// The task begins here and now, and is not cancelled with a subscriber: the result is for all of them.
  public convenience init(
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable @isolated(any) () async throws(Failure) -> Output
  ) {
    self.init { promise in
      Task(priority: priority) {
        do throws(Failure) {
          promise(.success(try await operation()))
        } catch {
          promise(.failure(error))
        }
      }
    }
  }
}

/// A result on its way from the thread that has it to the one task that waits for it.
private struct Awaited<Output, Failure: Error>: @unchecked Sendable {  // it changes hands once
  let result: Result<Output, Failure>
}

private final class AwaitedInlet<Input, Failure: Error>: Subscriber {
  private let continuation: Guarded<UnsafeContinuation<Awaited<Input, Failure>, Never>?>

  init(_ continuation: UnsafeContinuation<Awaited<Input, Failure>, Never>) {
    self.continuation = Guarded(continuation)
  }

  func receive(subscription: any Subscription) { subscription.request(.max(1)) }

  func receive(_ input: Input) -> Subscribers.Demand {
    resume(.success(input))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if case .failure(let error) = completion { resume(.failure(error)) }
  }

  private func resume(_ result: Result<Input, Failure>) {
    continuation.withLock { $0.take() }?.resume(returning: Awaited(result: result))
  }
}
