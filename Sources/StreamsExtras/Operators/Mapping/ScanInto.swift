extension Publisher {
  /// Updates a result with each value in place, and sends each new result.
  ///
  /// ```
  /// self    -1---2-----3-------|
  /// result  -[1]-[1,2]-[1,2,3]-|     scan(into: []) { $0.append($1) }
  /// ```
  ///
  /// A value copies nothing, unless a subscriber keeps the previous result. A value that the closure sends to this
  /// publisher waits until the one before is delivered.
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
        let isUpdating = Box(false)
        func receive(_ value: Upstream.Output) {
          // The closure has the result: a value that it sends waits.
          if isUpdating.value { return core.performAfterDelivery { receive(value) } }
          isUpdating.value = true
          update(&result, value)
          isUpdating.value = false
          core.emit(result)
        }
        // Not the primary upstream: a value that waits here would be requested once more.
        let handle = UpstreamHandle(requesting: core.outstandingDemand)
        core.onRequest { _, more in handle.requestMore(more) }
        core.subscribe(to: upstream, handle) { value in
          receive(value)
        } onCompletion: { completion in
          if isUpdating.value { return core.performAfterDelivery { core.finish(completion) } }
          core.finish(completion)
        }
      }
    }
  }
}
