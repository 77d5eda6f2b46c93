extension Publisher {
  /// Sends each value through `transform`, and passes on what the publishers so made send; values that come while
  /// `maxConcurrent` of them are open wait for their turn.
  ///
  /// ```
  /// self    -1-2-3-|          maxConcurrent: 2, each child sends its number twice
  /// result  --1-1221-2-3-3|
  /// ```
  ///
  /// None is lost, as with `flatMap(maxPublishers:_:)` and a subject: this publisher is asked for everything, and
  /// what comes too early is kept. The stream finishes when this publisher and all children have finished, and fails
  /// with the first failure. Each child is asked for one value ahead of demand. Traps if `maxConcurrent` is less
  /// than one.
  ///
  /// `waiting` says how many values may wait. Bound it for a publisher that has no end: then that is asked for no more
  /// than fits, and what one that ignores demand sends beyond is lost.
  ///
  /// - Complexity: Keeps the values that wait.
  @_disfavoredOverload
  @inlinable
  public func flatMap<Child: Publisher>(
    maxConcurrent: Int, waiting: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.QueuedFlatMap(upstream: self, Crowding(maxConcurrent, waiting: waiting), transform)
  }

  /// Sends each value through `transform`, and passes on what the publishers so made send, one after another.
  ///
  /// ```
  /// self    -1--2-|           each child sends its number twice
  /// result  --1--1-2--2|
  /// ```
  ///
  /// Values that come while a child is open wait; none is lost, unless `waiting` bounds how many may, as with
  /// ``flatMap(maxConcurrent:waiting:_:)``. The child is asked for what downstream asks for.
  @_disfavoredOverload
  @inlinable
  public func concatMap<Child: Publisher>(
    waiting: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.QueuedFlatMap(upstream: self, Crowding(1, waiting: waiting), transform)
  }

  /// Sends a value through `transform` if no publisher so made is open, and drops it otherwise.
  ///
  /// ```
  /// self    -1--2---3-|       each child sends its number twice
  /// result  --1--1---3--3|
  /// ```
  ///
  /// What runs is not disturbed: a second tap on a button does nothing while the first is at work. The child is asked
  /// for what downstream asks for. The stream finishes when this publisher and the last child have finished.
  @_disfavoredOverload
  @inlinable
  public func flatMapFirst<Child: Publisher>(
    _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.QueuedFlatMap(upstream: self, Crowding(1, waiting: nil), transform)
  }

  /// The same as ``flatMapFirst(_:)``, under the name of other libraries.
  @_disfavoredOverload
  @inlinable
  public func exhaustMap<Child: Publisher>(
    _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.QueuedFlatMap(upstream: self, Crowding(1, waiting: nil), transform)
  }

  /// The same as ``flatMap(maxConcurrent:waiting:_:)``, but a failure waits until everything else has ended.
  ///
  /// The first failure, of this publisher or of a child, is what the stream ends with.
  @_disfavoredOverload
  @inlinable
  public func flatMapDelayingErrors<Child: Publisher>(
    maxConcurrent: Int = .max, waiting: Subscribers.Demand = .unlimited,
    _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
    MorePublishers.QueuedFlatMap(
      upstream: self, Crowding(maxConcurrent, waiting: waiting, delaysErrors: true), transform)
  }
}

extension Collection where Element: Publisher {
  /// Passes on what these publishers send, as it comes; a failure waits until all have ended.
  @_disfavoredOverload
  @inlinable
  public func mergeDelayingErrors() -> AnyPublisher<Element.Output, Element.Failure> {
    MorePublishers.QueuedFlatMap(
      upstream: Publishers.Sequence<[Element], Element.Failure>(sequence: Array(self)),
      Crowding(.max, waiting: .unlimited, delaysErrors: true)
    ) { $0 }.eraseToAnyPublisher()
  }
}

extension Publisher {
  /// Listens to the publisher that `transform` makes of the latest value, and to no other.
  ///
  /// ```
  /// self    -1---2-----|      each child sends its number three times
  /// result  --1-1-2-2-2|
  /// ```
  ///
  /// The same as `map(_:)` and `switchToLatest()`.
  @_disfavoredOverload
  @inlinable
  public func flatMapLatest<Child: Publisher>(
    _ transform: @escaping (Output) -> Child
  ) -> Publishers.SwitchToLatest<Child, Publishers.Map<Self, Child>> where Child.Failure == Failure {
    Publishers.Map(upstream: self, transform: transform).switchToLatest()
  }

  /// The same as ``flatMapLatest(_:)``, under the name of other libraries.
  @_disfavoredOverload
  @inlinable
  public func switchMap<Child: Publisher>(
    _ transform: @escaping (Output) -> Child
  ) -> Publishers.SwitchToLatest<Child, Publishers.Map<Self, Child>> where Child.Failure == Failure {
    Publishers.Map(upstream: self, transform: transform).switchToLatest()
  }
}

extension Collection where Element: Publisher {
  /// Runs these publishers in groups of `size`, one group after another, and sends the values of each as an array.
  ///
  /// An array has the values of its group in the order of the publishers, as of ``Swift/Collection/zip()``. Traps if
  /// `size` is less than one.
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
