internal import Streams

extension FlowStep where Output: JobValue {
  /// Continues each value with a step, one at a time.
  ///
  /// Of the previews that arrive meanwhile only the latest is kept. The result waits for none: it cancels the step of a preview. A
  /// preview whose step delivers `nil` is left out.
  package func inTurn<Next>(_ next: @escaping @Sendable (Output) -> FlowStep<Next?>) -> FlowStep<Next> {
    FlowStep<Next> { run, receive in
      run.hold {
        let turns = StepTurns(next, receive)
        begin(turns.upstream) { turns.take($0) }
        return turns
      }
    }
  }

  /// Calls `action` with each value before it is delivered.
  package func handleOutput(_ action: @escaping @Sendable (Output) -> Void) -> FlowStep {
    map { output in
      action(output)
      return output
    }
  }

  /// Leaves out the previews.
  package var withoutPreviews: FlowStep {
    FlowStep { run, receive in
      begin(run) { outcome in
        if case .success(let output) = outcome, output.isPreview { return }
        receive(outcome)
      }
    }
  }
}

/// The run of a step whose values are continued in turn.
private final class StepTurns<Output: JobValue, Next: Sendable>: Cancellable, Sendable {
  private struct State {
    /// The step that continues a value, and its number.
    var running: StepRun?
    var turn = 0
    var latest: Latest?
    var isOver = false
    /// Released with the end: it may retain the run that holds this.
    var receive: FlowStep<Next>.Receiver?
    /// Whether a preview is being delivered, and what delivers the end after it.
    var isShowing = false
    var ending: (@Sendable () -> Void)?

    mutating func nextTurn() -> Turn {
      turn += 1
      let turn = Turn(run: StepRun(), number: turn, overtaken: running)
      running = turn.run
      return turn
    }
  }

  /// The step that continues one value.
  private struct Turn {
    let run: StepRun
    let number: Int
    /// The step of a preview that is still running.
    let overtaken: StepRun?
  }

  // Thousands may wait, and have none. So a value takes no space before it is there.
  private indirect enum Latest {
    case value(Output)
  }

  let upstream = StepRun()
  private let next: @Sendable (Output) -> FlowStep<Next?>
  private let state: Guarded<State>

  init(_ next: @escaping @Sendable (Output) -> FlowStep<Next?>, _ receive: @escaping FlowStep<Next>.Receiver)
  {
    self.next = next
    state = Guarded(State(receive: receive))
  }

  func take(_ outcome: FlowStep<Output>.Outcome) {
    switch outcome {
    case .failure(let error): fail(error)
    case .success(let value):
      let (turn, gone) = state.withLock { state -> (Turn?, Latest?) in
        if state.isOver { return (nil, nil) }
        if state.running != nil, value.isPreview {
          defer { state.latest = .value(value) }
          return (nil, state.latest)
        }
        return (state.nextTurn(), state.latest.take())
      }
      // Values are released outside the lock.
      withExtendedLifetime(gone) {}
      if let turn { proceed(value, turn) }
    }
  }

  func cancel() {
    let (running, latest) = end()
    upstream.cancel()
    running?.cancel()
    withExtendedLifetime(latest) {}
  }

  private func end() -> (StepRun?, Latest?) {
    state.withLock { state in
      state.isOver = true
      return (state.running.take(), state.latest.take())
    }
  }

  private func fail(_ error: ImagePipeline.Error) {
    let (running, latest) = end()
    running?.cancel()
    withExtendedLifetime(latest) {}
    finish(.failure(error))
  }

  /// Delivers what nothing follows, once no preview is being delivered.
  private func finish(_ outcome: FlowStep<Next>.Outcome) {
    let receive = state.withLock { state -> FlowStep<Next>.Receiver? in
      let receive = state.receive.take()
      guard state.isShowing, let receive else { return receive }
      state.ending = { receive(outcome) }
      return nil
    }
    receive?(outcome)
  }

  private func show(_ output: Next, _ number: Int) {
    let receive = state.withLock { state -> FlowStep<Next>.Receiver? in
      guard state.turn == number, !state.isOver else { return nil }
      state.isShowing = true
      return state.receive
    }
    receive?(.success(output))
    let ending = state.withLock { state in
      state.isShowing = false
      return state.ending.take()
    }
    ending?()
  }

  private func proceed(_ value: Output, _ turn: Turn) {
    turn.overtaken?.cancel()
    next(value).begin(turn.run) { [self, number = turn.number] outcome in
      // What was cancelled delivers nothing.
      guard state.withLock({ $0.turn == number && !$0.isOver }) else { return }
      switch outcome {
      case .failure(let error): fail(error)
      case .success(let output?) where value.isPreview: show(output, number)
      case .success(let output?):
        // The step of the result may hold this.
        withExtendedLifetime(end()) {}
        finish(.success(output))
      case .success(nil) where value.isPreview: break
      case .success(nil): fail(.dataIsEmpty)
      }
      // The step of a preview delivers once.
      if value.isPreview { proceed(after: number) }
    }
  }

  /// Continues the latest value, if there is one and the result has not overtaken it.
  private func proceed(after number: Int) {
    let (following, ended) = state.withLock { state -> ((Output, Turn)?, StepRun?) in
      guard state.turn == number else { return (nil, nil) }
      let ended = state.running.take()
      guard case .value(let value)? = state.latest.take() else { return (nil, ended) }
      return ((value, state.nextTurn()), ended)
    }
    // Released outside the lock, because that cancels what it holds.
    withExtendedLifetime(ended) {}
    if let (value, turn) = following { proceed(value, turn) }
  }
}
