extension Publisher {
  /// Merges the values of up to `maxConcurrent` created publishers, and queues values that arrive in the meantime.
  ///
  /// ![Marble diagram of flat-map-queued](flat-map-queued.svg)
  ///
  /// Unlike `flatMap(maxPublishers:_:)`, it loses no values of a subject, because it requests everything and queues
  /// early values. The stream finishes when this publisher and all created ones have finished, and fails with the first
  /// failure. If `maxConcurrent` is more than one, one value is requested from each created publisher ahead of demand. Traps
  /// if it is less than one.
  ///
  /// `waiting` limits the queue. Set it for a publisher without end. No more values are then requested than fit, and
  /// values beyond that are lost if the publisher ignores demand.
  ///
  /// - Complexity: Keeps the queued values. If `maxConcurrent` is more than one, it also keeps a value of each created
  ///   publisher, finished or not, until it is requested. Finished publishers do not count, so there is no bound.
  @_disfavoredOverload
  @inlinable
  public func flatMap<Child: Publisher>(
    maxConcurrent: Int, waiting: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.QueuedFlatMap(upstream: self, ChildQueuePolicy(maxConcurrent, waiting: waiting), transform)
  }

  /// Transforms each value into a publisher, and sends the values of one publisher after another.
  ///
  /// ![Marble diagram of concat-map](concat-map.svg)
  ///
  /// Values that arrive while a created publisher is active are queued. `waiting` limits the queue, as with
  /// ``flatMap(maxConcurrent:waiting:_:)``. The active publisher receives the demand of the downstream.
  @_disfavoredOverload
  @inlinable
  public func concatMap<Child: Publisher>(
    waiting: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.QueuedFlatMap(upstream: self, ChildQueuePolicy(1, waiting: waiting), transform)
  }

  /// Transforms a value into a publisher, and drops values that arrive until that one has finished.
  ///
  /// ![Marble diagram of flat-map-first](flat-map-first.svg)
  ///
  /// For example, a second tap on a button has no effect while the work of the first is running. The created publisher
  /// receives the demand of the downstream. The stream finishes when this publisher and the last created one have
  /// finished.
  @_disfavoredOverload
  @inlinable
  public func flatMapFirst<Child: Publisher>(
    _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.QueuedFlatMap(upstream: self, ChildQueuePolicy(1, waiting: nil), transform)
  }

  /// Drops values while a created publisher is active. The same as ``flatMapFirst(_:)``, with a name of other
  /// libraries.
  ///
  /// ![Marble diagram of flat-map-first](flat-map-first.svg)
  @_disfavoredOverload
  @inlinable
  public func exhaustMap<Child: Publisher>(
    _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.QueuedFlatMap(upstream: self, ChildQueuePolicy(1, waiting: nil), transform)
  }

  /// Merges the values of created publishers, and delays a failure until this publisher and all of them have ended.
  ///
  /// ![Marble diagram of flat-map-delaying-errors](flat-map-delaying-errors.svg)
  ///
  /// The stream ends with the first failure, of this publisher or of a created one. See
  /// ``flatMap(maxConcurrent:waiting:_:)``.
  @_disfavoredOverload
  @inlinable
  public func flatMapDelayingErrors<Child: Publisher>(
    maxConcurrent: Int = .max, waiting: Subscribers.Demand = .unlimited,
    _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.QueuedFlatMap(
      upstream: self, ChildQueuePolicy(maxConcurrent, waiting: waiting, delaysErrors: true), transform)
  }
}

extension Collection where Element: Publisher {
  /// Merges the values of these publishers, and delays a failure until all of them have ended.
  ///
  /// ![Marble diagram of merge-delaying-errors](merge-delaying-errors.svg)
  @_disfavoredOverload
  @inlinable
  public func mergeDelayingErrors() -> AnyPublisher<Element.Output, Element.Failure> {
    MorePublishers.QueuedFlatMap(
      upstream: Publishers.Sequence<[Element], Element.Failure>(sequence: Array(self)),
      ChildQueuePolicy(.max, waiting: .unlimited, delaysErrors: true)
    ) { $0 }.eraseToAnyPublisher()
  }
}

extension Publisher {
  /// Transforms each value into a publisher, and sends the values of the latest one. A new publisher cancels the
  /// previous one.
  ///
  /// ![Marble diagram of flat-map-latest](flat-map-latest.svg)
  ///
  /// The same as `map(_:)` and `switchToLatest()`.
  @_disfavoredOverload
  @inlinable
  public func flatMapLatest<Child: Publisher>(
    _ transform: @escaping (Output) -> Child
  ) -> Publishers.SwitchToLatest<Child, Publishers.Map<Self, Child>> where Child.Failure == Failure {
    Publishers.Map(upstream: self, transform: transform).switchToLatest()
  }

  /// Sends the values of the latest created publisher. The same as ``flatMapLatest(_:)``, with a name of other
  /// libraries.
  ///
  /// ![Marble diagram of flat-map-latest](flat-map-latest.svg)
  @_disfavoredOverload
  @inlinable
  public func switchMap<Child: Publisher>(
    _ transform: @escaping (Output) -> Child
  ) -> Publishers.SwitchToLatest<Child, Publishers.Map<Self, Child>> where Child.Failure == Failure {
    Publishers.Map(upstream: self, transform: transform).switchToLatest()
  }
}

extension Collection where Element: Publisher {
  /// Subscribes to these publishers in batches, one batch after another, and sends the values of a batch as arrays.
  ///
  /// ![Marble diagram of flat-map-batches](flat-map-batches.svg)
  ///
  /// The values are in the order of the publishers, as with ``Swift/Collection/zip()``. Traps if `size` is less than
  /// one.
  @_disfavoredOverload
  public func flatMapBatches(of size: Int) -> AnyPublisher<[Element.Output], Element.Failure> {
    if size < 1 { Violation.emptyGroup(size) }
    let publishers = Array(self)
    let batches = stride(from: 0, to: publishers.count, by: size).map {
      MorePublishers.ZipMany(publishers[$0..<Swift.min($0 + size, publishers.count)])
    }
    return batches.concat().eraseToAnyPublisher()
  }
}
