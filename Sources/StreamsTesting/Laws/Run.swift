package import Streams

/// One subscription to a candidate, from its start to its end.
package final class Run {
  package let stand: LawStand
  package let recorder: Recorder<Sample, TestFailure>
  private let firstLines: [Int]
  private var said = 0
  private(set) var begun = 0
  private var closed = 0
  private var passed = 0

  package init(_ stand: LawStand, demand: Subscribers.Demand, answering more: Subscribers.Demand = .none) {
    self.stand = stand
    recorder = Recorder(demand: demand, answering: more)
    recorder.journal = stand.journal
    firstLines = stand.upstreams.map(\.lines.count)
  }

  /// Subscribes.
  @discardableResult
  package func start() -> Run {
    stand.subscribe(recorder)
    return self
  }

  private var profile: Profile { stand.candidate.profile }

  // MARK: Upstreams

  /// The session of `upstream` in this run; `nil` if it has no subscription.
  package func line(_ upstream: Int, attempt: Int = 0) -> (any Line)? {
    guard upstream < stand.upstreams.count else { return nil }
    let lines = stand.upstreams[upstream].lines
    let own = firstLines[upstream] + attempt
    return own < lines.count ? lines[own] : (profile.isShared ? lines.last : nil)
  }

  package var lead: (any Line)? { line(profile.lead, attempt: profile.attempt) }

  private func latest(_ upstream: Int) -> (any Line)? {
    (0...profile.attempt).reversed().lazy.compactMap { [self] in line(upstream, attempt: $0) }.first
  }

  package var lines: [any Line] {
    stand.upstreams.indices.flatMap { upstream in
      (0...profile.attempt).compactMap { line(upstream, attempt: $0) }
    }
  }

  /// The subscriptions of the upstreams.
  package var ties: [SubscriptionRecorder] { lines.compactMap(\.tie) }

  // MARK: As upstreams should behave

  /// Lets upstreams send all requested values, and finish after the last.
  package func drive(finishing: Bool = true) {
    stand.settle()
    begin()
    while said < profile.inputs.count, let lead, maySpeak(lead) {
      lead.speak(profile.inputs[said])
      said += 1
      stand.settle()
      begin()
    }
    guard finishing, said == profile.inputs.count, let lead, !lead.isOver else { return }
    finish()
  }

  /// The same before each request and after the last.
  func drive(requesting demands: [Subscribers.Demand]) {
    for demand in demands {
      drive()
      request(demand)
    }
    drive()
  }

  /// Performs the steps before the leading upstream can send, as far as they were requested.
  package func begin() {
    while begun < profile.begin.count, perform(profile.begin[begun]) {
      begun += 1
      stand.settle()
    }
  }

  private func maySpeak(_ line: any Line) -> Bool {
    if profile.waitsForOthers, begun < profile.begin.count { return false }
    return !line.isOver && line.outstanding > .none && (!profile.isLossy || recorder.outstanding > .none)
  }

  private func perform(_ step: Profile.Step) -> Bool {
    switch step {
    case .say(let upstream, let value):
      guard let line = latest(upstream), !line.isOver, line.outstanding > .none else { return false }
      line.speak(value)
    case .finish(let upstream):
      guard let line = latest(upstream), !line.isOver else { return false }
      line.finish()
    case .fail(let upstream):
      guard let line = latest(upstream), !line.isOver else { return false }
      line.fail()
    }
    return true
  }

  // MARK: In flow

  /// Lets the operator send its own values and attach the leading upstream, then requests `demand`.
  package func flow(_ demand: Subscribers.Demand) -> Run {
    stand.settle()
    if profile.prelude > 0 { recorder.request(.max(profile.prelude)) }
    stand.settle()
    begin()
    if demand > .none { recorder.request(demand) }
    stand.settle()
    begin()
    return self
  }

  /// The values that result from the leading upstream.
  package var delivered: [Sample] { Array(recorder.values.dropFirst(profile.prelude)) }

  // MARK: As upstreams may behave

  /// Sends a value, regardless of demand.
  package func say(_ value: Int) {
    lead?.speak(value)
    stand.settle()
  }

  /// Sends values that should result in one value, regardless of demand.
  package func sayPassing() {
    for _ in 0..<profile.inputsPerValue {
      say(profile.passing + (profile.needsDistinctValues ? passed : 0))
      passed += 1
    }
  }

  /// Finishes the leading upstream, then the others.
  package func finish() {
    finishLead()
    while closed < profile.closing.count, perform(profile.closing[closed]) {
      closed += 1
      stand.settle()
    }
  }

  package func finishLead() {
    lead?.finish()
    stand.settle()
  }

  package func fail() {
    lead?.fail()
    stand.settle()
  }

  package func cancel() {
    recorder.cancel()
    stand.settle()
  }

  package func request(_ demand: Subscribers.Demand) {
    recorder.request(demand)
    stand.settle()
  }
}
