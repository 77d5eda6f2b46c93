extension Publisher {
  /// Combines each value with the result so far, in place, and sends each new result.
  ///
  /// ```
  /// self    -1---2-----3-------|
  /// result  -[1]-[1,2]-[1,2,3]-|     scan(into: []) { $0.append($1) }
  /// ```
  ///
  /// Nothing is copied for a value, unless somebody keeps the result that was sent before.
  @_disfavoredOverload
  @inlinable
  public func scan<Result>(
    into initialResult: Result, _ updateAccumulatingResult: @escaping (inout Result, Output) -> Void
  ) -> MorePublishers.ScanInto<Self, Result> {
    MorePublishers.ScanInto(upstream: self, initialResult: initialResult, update: updateAccumulatingResult)
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/scan(into:_:)``.
  public struct ScanInto<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values change the result.
    public let upstream: Upstream
    /// What each subscription starts with.
    public let initialResult: Output
    /// Changes the result by a value.
    public let update: (inout Output, Upstream.Output) -> Void

    /// The same as `upstream.scan(into: initialResult, update)`.
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
      Desk.start("Scan", for: subscriber) { desk in
        var result = initialResult
        let update = update
        desk.follow(upstream) { value in
          update(&result, value)
          desk.emit(result)
        } ended: { completion in
          desk.finish(completion)
        }
      }
    }
  }
}
