extension Result {
  /// A publisher of the value, or of the failure.
  @inlinable
  public var publisher: Publisher { Publisher(self) }

  /// A publisher of one value, or of a failure.
  ///
  /// A value is sent at the first request, and the stream finishes right after. A failure is sent at once.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Success

    /// The value or the failure.
    public let result: Result<Output, Failure>

    /// A publisher of the value of `result`, or of its failure.
    @inlinable
    public init(_ result: Result<Output, Failure>) { self.result = result }

    /// A publisher of `output`.
    @inlinable
    public init(_ output: Output) { self.init(.success(output)) }

    /// A publisher that fails with `failure`.
    @inlinable
    public init(_ failure: Failure) { self.init(.failure(failure)) }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      switch result {
      case .success(let output):
        subscriber.receive(subscription: Once("Once", output, to: subscriber))
      case .failure(let error):
        Farewell.say(.failure(error), to: subscriber)
      }
    }
  }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}
extension Result.Publisher: Sendable where Success: Sendable {}
