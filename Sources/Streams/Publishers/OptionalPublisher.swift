extension Optional {
  /// A publisher of the value, if there is one.
  @inlinable
  public var publisher: Publisher { Publisher(self) }

  /// A publisher of one value or none.
  ///
  /// A value is sent at the first request, and the stream finishes right after. Without a value it finishes at once.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Wrapped
    public typealias Failure = Never

    /// The value, if there is one.
    public let output: Output?

    /// A publisher of `output`, or of nothing.
    @inlinable
    public init(_ output: Output?) { self.output = output }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      if let output {
        subscriber.receive(subscription: Once("Optional", output, to: subscriber))
      } else {
        Farewell.say(.finished, to: subscriber)
      }
    }
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}
extension Optional.Publisher: Sendable where Wrapped: Sendable {}
