internal import Streams

extension FlowStep where Output: JobValue {
  /// Continues each value with a step, one at a time.
  ///
  /// Of the previews that arrive meanwhile only the latest is kept, and the result replaces it. A preview whose step
  /// delivers `nil` is left out.
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
    /// The step that continues a value.
    var running: StepRun?
    var latest: Latest?
    var isOver = false
    /// Released with the end: it may retain the run that holds this.
    var receive: FlowStep<Next>.Receiver?
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
      let (run, gone) = state.withLock { state -> (StepRun?, Latest?) in
        if state.isOver { return (nil, nil) }
        if state.running != nil {
          defer { state.latest = .value(value) }
          return (nil, state.latest)
        }
        state.running = StepRun()
        return (state.running, nil)
      }
      // Values are released outside the lock.
      withExtendedLifetime(gone) {}
      if let run { proceed(value, run) }
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

  /// Delivers what nothing follows.
  private func finish(_ outcome: FlowStep<Next>.Outcome) {
    state.withLock { $0.receive.take() }?(outcome)
  }

  private func proceed(_ value: Output, _ run: StepRun) {
    next(value).begin(run) { [self] outcome in
      switch outcome {
      case .failure(let error): fail(error)
      case .success(let output?) where value.isPreview:
        state.withLock { $0.receive }?(.success(output))
      case .success(let output?):
        // The step of the result may hold this.
        withExtendedLifetime(end()) {}
        finish(.success(output))
      case .success(nil) where value.isPreview: break
      case .success(nil): fail(.dataIsEmpty)
      }
      // The step of a preview delivers once.
      if value.isPreview { proceed() }
    }
  }

  /// Continues the latest value, if there is one.
  private func proceed() {
    let (following, ended) = state.withLock { state -> ((Output, StepRun)?, StepRun?) in
      let ended = state.running.take()
      guard case .value(let value)? = state.latest.take() else { return (nil, ended) }
      let run = StepRun()
      state.running = run
      return ((value, run), ended)
    }
    // Released outside the lock, because that cancels what it holds.
    withExtendedLifetime(ended) {}
    if let (value, run) = following { proceed(value, run) }
  }
}
