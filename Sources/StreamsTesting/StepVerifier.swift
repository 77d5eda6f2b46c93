public import Streams

extension Publisher where Output: Equatable {
  /// Subscribes, and says step by step what is expected.
  ///
  /// ```swift
  /// let wrong = numbers.steps(demand: .max(2)).expectNext(1, 2).thenRequest(.max(1)).expectNext(3)
  ///   .expectFinished().verify()
  /// #expect(wrong == [])
  /// ```
  ///
  /// What a step expects must have come by then: it does not wait. With a test's scheduler, ``StepVerifier/then(_:)`` moves
  /// the time.
  ///
  /// - Parameter demand: What is asked for at first.
  @_disfavoredOverload
  public func steps(demand: Subscribers.Demand = .unlimited) -> StepVerifier<Output, Failure> {
    StepVerifier(record(demand: demand))
  }
}

/// What is expected of a stream, step by step, and what was wrong.
public final class StepVerifier<Output: Equatable, Failure: Error> {
  private let recorder: Recorder<Output, Failure>
  private var seen = 0
  private var wrong: [String] = []

  init(_ recorder: Recorder<Output, Failure>) { self.recorder = recorder }

  /// The next values are `values`.
  public func expectNext(_ values: Output...) -> Self {
    let next = Array(recorder.values.dropFirst(seen).prefix(values.count))
    seen += next.count
    if next != values { wrong.append("expected \(values), but \(next) came") }
    return self
  }

  /// There is no value that was not expected yet.
  public func expectNoMore() -> Self {
    let rest = Array(recorder.values.dropFirst(seen))
    if !rest.isEmpty { wrong.append("expected no more, but \(rest) came") }
    return self
  }

  /// The stream has finished, and there is no value that was not expected.
  public func expectFinished() -> Self {
    let completion = recorder.completions.first
    if case .finished? = completion { return expectNoMore() }
    wrong.append("expected the end, but \(completion.map { "\($0)" } ?? "nothing") came")
    return self
  }

  /// The stream has failed, with a failure that satisfies `isExpected`.
  public func expectFailure(_ isExpected: (Failure) -> Bool = { _ in true }) -> Self {
    let completion = recorder.completions.first
    if case .failure(let error)? = completion, isExpected(error) { return expectNoMore() }
    wrong.append("expected another failure, but \(completion.map { "\($0)" } ?? "nothing") came")
    return self
  }

  /// Asks for `demand` more values.
  public func thenRequest(_ demand: Subscribers.Demand) -> Self { then { self.recorder.request(demand) } }

  /// Cancels.
  public func thenCancel() -> Self { then { self.recorder.cancel() } }

  /// Does `action`.
  public func then(_ action: () -> Void) -> Self {
    action()
    return self
  }

  /// What was wrong, in order. Cancels what goes on.
  public func verify() -> [String] {
    recorder.cancel()
    return wrong
  }
}
