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
  private typealias Outcome = FlowStep<Next>.Outcome
  private typealias Receiver = FlowStep<Next>.Receiver

  /// What may be delivered. The receiver is released with the end: it may retain the run that holds this.
  private enum Outlet {
    case open(Receiver)
    /// A preview is being delivered.
    case busy
    /// The end is delivered after the preview that is being delivered.
    indirect case ends(Outcome)
    case closed

    var isOver: Bool {
      switch self {
      case .open, .busy: false
      case .ends, .closed: true
      }
    }
  }

  private struct State {
    var outlet: Outlet
    /// The step that continues a value.
    var running: StepRun?
    var latest: Latest?
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
    state = Guarded(State(outlet: .open(receive)))
  }

  func take(_ outcome: FlowStep<Output>.Outcome) {
    switch outcome {
    case .failure(let error): end(.failure(error))
    case .success(let value):
      let (run, overtaken, gone) = state.withLock { state -> (StepRun?, StepRun?, Latest?) in
        if state.outlet.isOver { return (nil, nil, nil) }
        if state.running != nil, value.isPreview {
          defer { state.latest = .value(value) }
          return (nil, nil, state.latest)
        }
        let run = StepRun()
        defer { state.running = run }
        return (run, state.running, state.latest.take())
      }
      // Values are released outside the lock.
      withExtendedLifetime(gone) {}
      overtaken?.cancel()
      if let run { proceed(value, run) }
    }
  }

  func cancel() {
    end(nil)
    upstream.cancel()
  }

  /// Continues nothing any more, and delivers an end once no preview is being delivered.
  ///
  /// - Parameter cancels: Whether the running step is cancelled. That of the result has ended, and may hold this.
  private func end(_ outcome: Outcome?, cancels: Bool = true) {
    let (receive, running, gone) = state.withLock { state -> (Receiver?, StepRun?, Latest?) in
      var receive: Receiver?
      switch state.outlet {
      case .open(let open): (receive, state.outlet) = (open, .closed)
      case .busy: state.outlet = outcome.map { .ends($0) } ?? .closed
      case .ends, .closed: break
      }
      return (receive, state.running.take(), state.latest.take())
    }
    withExtendedLifetime(gone) {}
    if cancels { running?.cancel() }
    if let outcome { receive?(outcome) }
  }

  private func show(_ output: Next) {
    let receive = state.withLock { state -> Receiver? in
      guard case .open(let receive) = state.outlet else { return nil }
      state.outlet = .busy
      return receive
    }
    guard let receive else { return }
    receive(.success(output))
    let end = state.withLock { state -> Outcome? in
      switch state.outlet {
      case .ends(let outcome):
        state.outlet = .closed
        return outcome
      case .busy: state.outlet = .open(receive)
      case .open, .closed: break
      }
      return nil
    }
    if let end { receive(end) }
  }

  private func proceed(_ value: Output, _ run: StepRun) {
    next(value).begin(run) { [self, weak run] outcome in
      // What was cancelled delivers nothing.
      guard let run, state.withLock({ $0.running === run }) else { return }
      switch outcome {
      case .failure(let error): end(.failure(error))
      case .success(let output?) where value.isPreview: show(output)
      case .success(let output?): end(.success(output), cancels: false)
      case .success(nil) where value.isPreview: break
      case .success(nil): end(.failure(.dataIsEmpty))
      }
      // The step of a preview delivers once.
      if value.isPreview { proceed(after: run) }
    }
  }

  /// Continues the latest value, if there is one and the result has not overtaken it.
  private func proceed(after run: StepRun) {
    let following = state.withLock { state -> (Output, StepRun)? in
      guard state.running === run else { return nil }
      state.running = nil
      guard case .value(let value)? = state.latest.take() else { return nil }
      let run = StepRun()
      state.running = run
      return (value, run)
    }
    if let (value, run) = following { proceed(value, run) }
  }
}
