internal import Streams

/// Finds out the properties of an operator, by observing an undisturbed run.
struct Survey {
  let build: (LawStand) -> Candidate.Attach

  init(_ build: @escaping (LawStand) -> Candidate.Attach) { self.build = build }

  /// - Parameter profile: The known properties.
  func candidate(_ profile: Profile) -> Candidate {
    Lifetimes.endingWhatIsLeft { ManualTaskExecutor.whileRunning { survey(profile) } }
  }

  private func survey(_ profile: Profile) -> Candidate {
    var profile = profile
    profile.isSurveyed = true
    // Each input is a new one.
    profile.needsDistinctValues = true
    assignRoles(&profile)
    watch(&profile)
    if profile.kind == .operator { watchEndings(&profile) }
    return Candidate(profile, build: build)
  }

  private func flow(_ profile: Profile) -> Run { Candidate(profile, build: build).flow(.unlimited) }

  /// The first upstream leads. The others send one value each before it does, or as many as it sends if each value needs one
  /// of each. They finish after it, or before it if it is subscribed to later.
  private func assignRoles(_ profile: inout Profile) {
    let count = LawStand(Candidate(profile, build: build)).upstreams.count
    guard count > 1 else { return }
    let round = (1..<count).map { Profile.Step.say(upstream: $0, profile.inputs[0]) }
    profile.closing = (1..<count).map { .finish(upstream: $0) }
    profile.begin = round
    profile.waitsForOthers = true

    let run = flow(profile)
    profile.begin = Array(round.prefix(run.begun))
    if run.lead == nil, run.recorder.completions.isEmpty {
      profile.begin += profile.closing
      profile.closing = []
    }
    let counts = profile.inputs.map { input in
      run.say(input)
      return run.recorder.values.count
    }
    let isStarved = run.recorder.completions.isEmpty && counts[0] > 0 && counts.last == counts[0]
    if isStarved, counts.count > 1, profile.begin.count == round.count {
      profile.begin = profile.inputs.flatMap { input in (1..<count).map { .say(upstream: $0, input) } }
      profile.takesOneOfEach = true
      profile.waitsForOthers = false
    }
    run.cancel()
  }

  /// The values, and the input of each.
  private func watch(_ profile: inout Profile) {
    let run = flow(profile)
    let recorder = run.recorder
    if recorder.subscriptions.first is SubscriptionRecorder { profile.inherits() }
    profile.prelude = recorder.values.count
    if !recorder.completions.isEmpty || run.lead == nil { profile.kind = .source }

    for (index, input) in profile.inputs.enumerated() {
      guard let lead = run.lead, !lead.isOver, lead.outstanding > .none else { break }
      let count = recorder.values.count
      run.say(input)
      let sent = recorder.values.dropFirst(count)
      if !sent.isEmpty, count == profile.prelude {
        profile.inputsPerValue = index + 1
        profile.valuesPerInput = sent.count
      }
      if !recorder.completions.isEmpty {
        profile.isBounded = true
        profile.stopsAt = input
        profile.stopsAfter = Array(profile.inputs[..<index])
        profile.stopsWith = Array(sent)
      }
    }

    let count = recorder.values.count
    if recorder.completions.isEmpty { run.finish() }
    profile.sends = recorder.values
    profile.answersAtEnd = count == profile.prelude && recorder.values.count > count
    profile.ending = recorder.completions.first ?? .finished
    run.cancel()
  }

  /// The events if upstream completes without a value, and if a closure throws.
  private func watchEndings(_ profile: inout Profile) {
    let finished = flow(profile)
    finished.finish()
    profile.coda = finished.recorder.values.count - profile.prelude
    finished.cancel()

    let failed = flow(profile)
    failed.fail()
    let isSilent = failed.recorder.values.count == profile.prelude
    profile.failing = isSilent ? failed.recorder.completions.first : nil
    failed.cancel()

    guard let thrower = profile.throwsAt else { return }
    let thrown = flow(profile)
    thrown.say(thrower)
    if case .failure(let failure)? = thrown.recorder.completions.first {
      profile.throwsWith = .failure(failure)
    }
    thrown.cancel()
  }
}
