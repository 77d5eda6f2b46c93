/// A publisher whose type is nobody's business, and which may be sent to other actors and tasks.
///
/// ```swift
/// struct Store: Sendable { let changes: AnySendablePublisher<Int, Never> }
/// let store = Store(changes: subject.eraseToAnySendablePublisher())
/// ```
///
/// What it wraps is `Sendable`: no chain that holds a closure is, so put `map` and its like behind it. As fast as
/// ``AnyPublisher``.
@frozen
public struct AnySendablePublisher<Output, Failure: Error>: Publisher, Sendable {
  @usableFromInline let start: @Sendable (AnySubscriber<Output, Failure>) -> Void

  /// Wraps `publisher`. Wrapping an `AnySendablePublisher` again costs nothing more.
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
  /// Hides the type of this publisher, but not that it may be sent to other actors and tasks.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public func eraseToAnySendablePublisher() -> AnySendablePublisher<Output, Failure> {
    AnySendablePublisher(self)
  }
}
