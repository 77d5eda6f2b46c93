/// A publisher that sends one value, or fails, as soon as the result is known.
///
/// ```swift
/// let answer = Future<Int, Never> { promise in promise(.success(42)) }
/// let cancellable = answer.sink { print($0) }
/// // Prints 42
/// ```
///
/// The work starts once, when the future is created, with or without subscribers. The result is stored, and every
/// subscriber receives it: a value with its first request, followed by the completion, or a failure immediately.
/// Those that wait for the result are served in the order of their subscriptions.
///
/// Cancelling detaches one subscriber, and the work continues. If the promise is deallocated without a call, the future
/// never completes, and releases its subscribers.
public final class Future<Output, Failure: Error>: Publisher {
  /// Fulfils the future. Only the first call has an effect. Thread-safe.
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

  @usableFromInline let state = FutureState<Output, Failure>()

  /// Creates a future, and starts its work.
  ///
  /// - Parameter attemptToFulfill: Called immediately. It starts the work, and calls its argument with the result.
  @inlinable
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    let state = state
    let lifetime = PromiseLifetime(state)
    attemptToFulfill { result in
      state.resolve(result)
      withExtendedLifetime(lifetime) {}
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(__always)
  public var _singleValue: Output? { state.value }

  @inlinable @inline(__always)
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let waiter = FutureSubscription(for: state, to: subscriber)
    subscriber.receive(subscription: waiter)
    state.await(waiter)
  }
}

extension Future: Sendable where Output: Sendable {}  // all state is the `FutureState`'s

/// Every copy of the promise retains this. If it is deallocated before the future is fulfilled, the subscribers are released.
@usableFromInline
final class PromiseLifetime: Sendable {
  @usableFromInline let state: AnyFutureState

  @inlinable
  init(_ state: AnyFutureState) { self.state = state }

  deinit { state.abandon() }
}
