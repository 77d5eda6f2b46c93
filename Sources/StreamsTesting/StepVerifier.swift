public import Streams

extension Publisher where Output: Equatable {
  /// Subscribes, and checks expectations step by step.
  ///
  /// ```swift
  /// let wrong = numbers.steps(demand: .max(2)).expectNext(1, 2).thenRequest(.max(1)).expectNext(3)
  ///   .expectFinished().verify()
  /// #expect(wrong == [])
  /// ```
  ///
  /// A step does not wait: its values must have arrived. With a test scheduler, use ``StepVerifier/then(_:)`` to move the
  /// time.
  ///
  /// - Parameter demand: The initial demand.
  @_disfavoredOverload
  public func steps(demand: Subscribers.Demand = .unlimited) -> StepVerifier<Output, Failure> {
    StepVerifier(record(demand: demand))
  }
}

/// Expectations of a stream, step by step, and the mismatches.
public final class StepVerifier<Output: Equatable, Failure: Error> {
  private let recorder: Recorder<Output, Failure>
  private var seen = 0
  private var wrong: [String] = []

  init(_ recorder: Recorder<Output, Failure>) { self.recorder = recorder }

  /// Expects that the next values are `values`.
  public func expectNext(_ values: Output...) -> Self {
    let next = Array(recorder.values.dropFirst(seen).prefix(values.count))
    seen += next.count
    if next != values { wrong.append("expected \(values), but \(next) arrived") }
    return self
  }

  /// Expects that there are no more values.
  public func expectNoMore() -> Self {
    let rest = Array(recorder.values.dropFirst(seen))
    if !rest.isEmpty { wrong.append("expected no more, but \(rest) arrived") }
    return self
  }

  /// Expects that the stream has finished, without more values.
  public func expectFinished() -> Self {
    let completion = recorder.completions.first
    if case .finished? = completion { return expectNoMore() }
    wrong.append("expected the end, but \(completion.map { "\($0)" } ?? "nothing") arrived")
    return self
  }

  /// Expects that the stream has failed with a failure that satisfies `isExpected`.
  public func expectFailure(_ isExpected: (Failure) -> Bool = { _ in true }) -> Self {
    let completion = recorder.completions.first
    if case .failure(let error)? = completion, isExpected(error) { return expectNoMore() }
    wrong.append("expected another failure, but \(completion.map { "\($0)" } ?? "nothing") arrived")
    return self
  }

  /// Requests `demand` more values.
  public func thenRequest(_ demand: Subscribers.Demand) -> Self { then { self.recorder.request(demand) } }

  /// Cancels the subscription.
  public func thenCancel() -> Self { then { self.recorder.cancel() } }

  /// Performs `action`.
  public func then(_ action: () -> Void) -> Self {
    action()
    return self
  }

  /// Returns the mismatches, in order, and cancels the subscription.
  public func verify() -> [String] {
    recorder.cancel()
    return wrong
  }
}
