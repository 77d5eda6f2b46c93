extension Publisher {
  /// Updates a result with each value in place, and sends each new result.
  ///
  /// ```
  /// self    -1---2-----3-------|
  /// result  -[1]-[1,2]-[1,2,3]-|     scan(into: []) { $0.append($1) }
  /// ```
  ///
  /// A value copies nothing, unless a subscriber keeps the previous result.
  @_disfavoredOverload
  @inlinable
  public func scan<Result>(
    into initialResult: Result, _ updateAccumulatingResult: @escaping (inout Result, Output) -> Void
  ) -> MorePublishers.ScanInto<Self, Result> {
    MorePublishers.ScanInto(upstream: self, initialResult: initialResult, update: updateAccumulatingResult)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/scan(into:_:)``.
  public struct ScanInto<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values update the result.
    public let upstream: Upstream
    /// The initial result of each subscription.
    public let initialResult: Output
    /// The closure that updates the result with a value.
    public let update: (inout Output, Upstream.Output) -> Void

    /// Creates the publisher that `upstream.scan(into: initialResult, update)` returns.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output, update: @escaping (inout Output, Upstream.Output) -> Void
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.update = update
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Scan", for: subscriber) { core in
        var result = initialResult
        let update = update
        core.subscribePrimary(to: upstream) { value in
          update(&result, value)
          core.emit(result)
        } onCompletion: { completion in
          core.finish(completion)
        }
      }
    }
  }
}
