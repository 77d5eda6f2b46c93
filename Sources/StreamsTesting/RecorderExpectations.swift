public import Streams

/// Functions that wait for events. Events that have arrived, as under virtual time, are returned at once. Otherwise these wait
/// for `limit` at most, or until the task is cancelled.
extension Recorder {
  /// The next value: the first that no call of `next` has returned yet.
  nonisolated(nonsending) public func next(within limit: Duration = .seconds(5)) async throws(RecordingError<
    Failure
  >) -> Input {
    try await next(1, within: limit)[0]
  }

  /// The next `count` values that no call of `next` has returned yet.
  nonisolated(nonsending) public func next(
    _ count: Int, within limit: Duration = .seconds(5)
  ) async throws(RecordingError<Failure>) -> [Input] {
    let first = state.withLock { $0.taken }
    await wait(for: first + count, within: limit)
    let values = Array(values.dropFirst(first).prefix(count))
    guard values.count == count else { throw shortfall(expected: count, received: values.count, limit) }
    state.withLock { $0.taken = first + count }
    return values
  }

  /// The first values, `maxLength` of them, or fewer if the stream finishes earlier.
  nonisolated(nonsending) public func prefix(
    _ maxLength: Int, within limit: Duration = .seconds(5)
  ) async throws(RecordingError<Failure>) -> [Input] {
    await wait(for: maxLength, within: limit)
    let values = Array(values.prefix(maxLength))
    if values.count == maxLength || isFinished { return values }
    throw shortfall(expected: maxLength, received: values.count, limit)
  }

  /// The completion, of either kind.
  nonisolated(nonsending) public func completion(
    within limit: Duration = .seconds(5)
  ) async throws(RecordingError<Failure>) -> Subscribers.Completion<Failure> {
    await wait(for: .max, within: limit)
    guard let completion = completions.first else { throw .notCompleted(waited: limit) }
    return completion
  }

  /// Waits until the stream finishes. Throws if it fails.
  nonisolated(nonsending) public func finished(within limit: Duration = .seconds(5))
    async throws(RecordingError<Failure>)
  {
    if case .failure(let failure) = try await completion(within: limit) { throw .failed(failure) }
  }

  /// All values, when the stream has finished. Throws if it fails.
  nonisolated(nonsending) public func elements(within limit: Duration = .seconds(5))
    async throws(RecordingError<Failure>) -> [Input]
  {
    try await finished(within: limit)
    return values
  }

  /// The last value, when the stream has finished; `nil` if it had none. Throws if it fails.
  nonisolated(nonsending) public func last(within limit: Duration = .seconds(5)) async throws(RecordingError<
    Failure
  >) -> Input? {
    try await elements(within: limit).last
  }

  /// The only value, when the stream has finished. Throws if it fails, or has another number of values.
  nonisolated(nonsending) public func single(within limit: Duration = .seconds(5))
    async throws(RecordingError<Failure>) -> Input
  {
    let values = try await elements(within: limit)
    guard let value = values.first else { throw .notEnoughElements(expected: 1, received: 0) }
    if values.count > 1 { throw .tooManyElements(received: values.count) }
    return value
  }

  private var isFinished: Bool {
    if case .finished? = completions.first { true } else { false }
  }

  private func shortfall(expected: Int, received: Int, _ limit: Duration) -> RecordingError<Failure> {
    switch completions.first {
    case .failure(let failure)?: .failed(failure)
    case .finished?: .notEnoughElements(expected: expected, received: received)
    case nil: .notEnoughElements(expected: expected, received: received, waited: limit)
    }
  }
}
