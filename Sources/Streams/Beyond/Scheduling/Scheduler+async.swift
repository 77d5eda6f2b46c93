extension Scheduler {
  /// Waits for `duration` as this scheduler counts it. A cancelled task throws at once.
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

  /// Waits until `instant`, on the actor of the caller. A cancelled task throws at once.
  @_disfavoredOverload
  nonisolated(nonsending) public func sleep(
    until instant: SchedulerTimeType, tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil
  ) async throws {
    try await sleep(for: now.distance(to: instant), tolerance: tolerance, options: options)
  }

  /// The time, every `interval`, beginning after the first. It ends when the iteration does.
  ///
  /// What nobody awaits is dropped but for the latest.
  @_disfavoredOverload
  public func timer(
    interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil
  ) -> AsyncMapSequence<AsyncStream<Void>, SchedulerTimeType> where Self: Sendable {
    ticks(every: interval, tolerance: tolerance, options: options).map { now }
  }

  /// How long `work` takes as this scheduler counts it.
  @_disfavoredOverload
  public func measure(_ work: () throws -> Void) rethrows -> SchedulerTimeType.Stride {
    let start = now
    try work()
    return start.distance(to: now)
  }

  /// How long `work` takes as this scheduler counts it. Both are used on the actor of the caller.
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
