public import Streams
public import Tracing

extension Publisher {
  /// Restores the subscriber's `ServiceContext` around each signal.
  ///
  /// ```swift
  /// let saved = uploads.debounce(for: .seconds(1), scheduler: scheduler)
  ///   .carryingContext()
  ///   .asyncMap { try await save($0) }
  /// ```
  ///
  /// A scheduler, a subject or a future delivers on a thread that has no context, or that of another request. Below this
  /// operator, values and completions arrive with the context of the call that subscribed, and tasks that are started there
  /// inherit it. Requests and cancellations pass upwards with the same context. Put it below the operator that changes
  /// threads.
  @_disfavoredOverload
  public func carryingContext() -> Carrying<Self, ServiceContext?> { carrying(ServiceContext.$current) }

  /// Restores the value that a task-local variable has for the subscriber around each signal. See ``carryingContext()``.
  ///
  /// - Parameter variable: The projected value of the variable, such as `Session.$current`.
  @_disfavoredOverload
  public func carrying<Value: Sendable>(_ variable: TaskLocal<Value>) -> Carrying<Self, Value> {
    Carrying(upstream: self, variable: variable)
  }
}

/// The publisher returned by ``Streams/Publisher/carrying(_:)``.
public struct Carrying<Upstream: Publisher, Value: Sendable>: Publisher {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure

  /// The publisher whose signals are passed on.
  public let upstream: Upstream
  /// The variable that is restored.
  public let variable: TaskLocal<Value>

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let binding = Binding(variable, to: variable.get())
    upstream.subscribe(ScopedSubscription(for: subscriber, above: binding, below: binding))
  }
}
