/// A publisher that sends one value and finishes.
///
/// ```swift
/// let cancellable = Just("hello")
///   .map { $0.uppercased() }
///   .sink { print($0) }
/// // Prints HELLO
/// ```
///
/// The value is sent at the first request, followed by the completion.
public struct Just<Output>: Publisher {
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// Creates a publisher that sends `output`.
  @inlinable
  public init(_ output: Output) { self.output = output }

  @_documentation(visibility: internal)
  @inlinable @inline(__always)
  public var _singleValue: Output? { output }

  @inlinable @_transparent
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    subscriber.receive(subscription: SingleValueSubscription("Just", output, to: subscriber))
  }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}
