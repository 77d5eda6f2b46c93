/// A type-erased publisher that can be sent to other actors and tasks.
///
/// ```swift
/// struct Store: Sendable { let changes: AnySendablePublisher<Int, Never> }
/// let store = Store(changes: subject.eraseToAnySendablePublisher())
/// ```
///
/// The wrapped publisher must be `Sendable`. A chain with a closure is not, so apply `map` and similar operators after
/// the erasure.
@frozen
public struct AnySendablePublisher<Output, Failure: Error>: Publisher, Sendable {
  @usableFromInline let start: @Sendable (AnySubscriber<Output, Failure>) -> Void

  /// Wraps `publisher`. Wrapping an `AnySendablePublisher` again adds nothing.
  @inlinable @inline(__always)
  public init<Upstream: Publisher & Sendable>(_ publisher: Upstream)
  where Upstream.Output == Output, Upstream.Failure == Failure {
    if let erased = publisher as? AnySendablePublisher<Output, Failure> {
      self = erased
    } else {
      start = { publisher.subscribe($0) }
    }
  }

  @inlinable @_transparent
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    start(AnySubscriber(subscriber))
  }
}

extension AnySendablePublisher: CustomStringConvertible, CustomPlaygroundDisplayConvertible {
  public var description: String { "AnySendablePublisher" }
  public var playgroundDescription: Any { description }
}

extension Publisher where Self: Sendable {
  /// Hides the type of this publisher, but not that it is `Sendable`.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public func eraseToAnySendablePublisher() -> AnySendablePublisher<Output, Failure> {
    AnySendablePublisher(self)
  }
}
