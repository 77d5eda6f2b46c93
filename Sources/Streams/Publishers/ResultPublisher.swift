extension Result {
  /// A publisher that sends the value and finishes, or fails with the failure.
  @inlinable
  public var publisher: Publisher { Publisher(self) }

  /// A publisher that sends the value of a result and finishes, or fails with its failure.
  ///
  /// A value is sent at the first request, followed by the completion. A failure is sent immediately.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Success

    /// The value or the failure.
    public let result: Result<Output, Failure>

    /// Creates a publisher of the value or the failure of `result`.
    @inlinable
    public init(_ result: Result<Output, Failure>) { self.result = result }

    /// Creates a publisher that sends `output`.
    @inlinable
    public init(_ output: Output) { self.init(.success(output)) }

    /// Creates a publisher that fails with `failure`.
    @inlinable
    public init(_ failure: Failure) { self.init(.failure(failure)) }

    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public var _singleValue: Output? { try? result.get() }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      switch result {
      case .success(let output):
        subscriber.receive(subscription: SingleValueSubscription("Once", output, to: subscriber))
      case .failure(let error):
        ImmediateCompletion.send(.failure(error), to: subscriber)
      }
    }
  }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}
extension Result.Publisher: Sendable where Success: Sendable {}
