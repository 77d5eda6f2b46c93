extension Optional {
  /// A publisher that sends the value, if there is one, and finishes.
  @inlinable
  public var publisher: Publisher { Publisher(self) }

  /// A publisher that sends the value of an optional, if there is one, and finishes.
  ///
  /// The value is sent at the first request, followed by the completion. Without a value, the stream finishes
  /// immediately.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Wrapped
    public typealias Failure = Never

    /// The value, if there is one.
    public let output: Output?

    /// Creates a publisher that sends `output`, if there is a value.
    @inlinable
    public init(_ output: Output?) { self.output = output }

    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public var _singleValue: Output? { output }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      if let output {
        subscriber.receive(subscription: SingleValueSubscription("Optional", output, to: subscriber))
      } else {
        ImmediateCompletion.send(.finished, to: subscriber)
      }
    }
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}
extension Optional.Publisher: Sendable where Wrapped: Sendable {}
