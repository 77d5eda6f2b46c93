extension Scheduler {
  /// Suspends the task for `duration` of this scheduler's time. Throws immediately if the task is cancelled.
  ///
  /// The scheduler is used on the actor of the caller.
  @_disfavoredOverload
  nonisolated(nonsending) public func sleep(
    for duration: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil
  ) async throws {
    try Task.checkCancellation()
    for await _ in ticks(every: duration, tolerance: tolerance, options: options) { break }
    try Task.checkCancellation()
  }

  /// Suspends the task until `instant`. Throws immediately if the task is cancelled.
  ///
  /// The scheduler is used on the actor of the caller.
  @_disfavoredOverload
  nonisolated(nonsending) public func sleep(
    until instant: SchedulerTimeType, tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil
  ) async throws {
    try await sleep(for: now.distance(to: instant), tolerance: tolerance, options: options)
  }

  /// An asynchronous sequence with an element every `interval`, counted from this call. It stops with its iteration.
  ///
  /// Elements that are not awaited are dropped, except for the latest. An element is the time when it is taken.
  @_disfavoredOverload
  public func timer(
    interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil
  ) -> AsyncMapSequence<AsyncStream<Void>, SchedulerTimeType> where Self: Sendable {
    ticks(every: interval, tolerance: tolerance, options: options).map { now }
  }

  /// Measures how long `work` takes in this scheduler's time.
  @_disfavoredOverload
  public func measure(_ work: () throws -> Void) rethrows -> SchedulerTimeType.Stride {
    let start = now
    try work()
    return start.distance(to: now)
  }

  /// Measures how long asynchronous work takes in this scheduler's time, on the actor of the caller.
  @_disfavoredOverload
  nonisolated(nonsending) public func measure(_ work: () async throws -> Void) async rethrows
    -> SchedulerTimeType.Stride
  {
    let start = now
    try await work()
    return start.distance(to: now)
  }

  private func ticks(
    every interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride?,
    options: SchedulerOptions?
  ) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let token = schedule(
      after: now.advanced(by: interval), interval: interval, tolerance: tolerance ?? minimumTolerance,
      options: options
    ) {
      continuation.yield()
    }
    let timer = AnyCancellable { token.cancel() }
    continuation.onTermination = { _ in timer.cancel() }
    return stream
  }
}
