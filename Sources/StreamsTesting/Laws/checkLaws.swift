public import Streams

/// Checks an operator against the laws of ``Law/checked``. Its upstream sends numbers.
///
/// ```swift
/// let report = checkLaws(exempt: [.h28: "its upstream counts demand"]) { upstream in upstream.scan(0, +) }
/// #expect(report.violations.isEmpty, "\(report)")
/// ```
///
/// The first runs, with unlimited demand, find out what the operator sends. The laws then check that nothing else changes
/// this, and how it completes. So this does not replace tests of the operator's purpose.
///
/// - Parameters:
///   - options: Properties that cannot be found out.
///   - reasons: Laws that the operator may break, and why. They are still tried: see ``LawReport/stale``.
///   - number: An input at which a closure of the operator throws, for law P1.
///   - make: Builds the operator. Called many times.
public func checkLaws<P: Publisher>(
  _ options: LawOptions = [], exempt reasons: [Law: String] = [:], throwing number: Int? = nil,
  of make: (Script<Int, TestFailure>) -> P
) -> LawReport where P.Output: Equatable {
  report(options, reasons, throwing: number) { stand in make(stand.upstream()) }
}

/// Checks an operator over time against the same laws, in virtual time.
///
/// The parameters are those of ``checkLaws(_:exempt:throwing:of:)``.
public func checkLaws<P: Publisher>(
  _ options: LawOptions = [], exempt reasons: [Law: String] = [:], throwing number: Int? = nil,
  scheduled make: (Script<Int, TestFailure>, VirtualScheduler) -> P
) -> LawReport where P.Output: Equatable {
  report(options, reasons, throwing: number, isScheduled: true) { make($0.upstream(), $0.scheduler) }
}

/// Checks an operator against the same laws. Its upstream sends `inputs`.
///
/// - Parameters:
///   - options: Properties that cannot be found out.
///   - reasons: Laws that the operator may break, and why.
///   - inputs: At least one value. They are repeated if a law needs more.
///   - value: An input at which a closure of the operator throws, for law P1.
///   - make: Builds the operator. Called many times.
public func checkLaws<Input, P: Publisher>(
  _ options: LawOptions = [], exempt reasons: [Law: String] = [:], inputs: [Input],
  throwing value: Input? = nil,
  of make: (Script<Input, TestFailure>) -> P
) -> LawReport where P.Output: Equatable {
  let thrower = value.map { _ in inputs.count + 1 }
  return report(options, reasons, inputs: inputs.count, throwing: thrower) { stand in
    make(stand.upstream { $0 == thrower ? value ?? inputs[0] : inputs[($0 - 1) % inputs.count] })
  }
}

/// Checks an operator with any number of upstreams against the same laws. It takes upstreams and virtual time from a stand.
///
/// The first upstream leads. The others send a value before it does, or one for each of its values if the operator needs them.
/// They complete after it, or before it if it is subscribed to later.
///
/// ```swift
/// let report = checkLaws(assembling: {
///   $0.upstream().zip($0.upstream(saying: ["a", "b"])) { "\($0)\($1)" }
/// })
/// ```
///
/// Other parameters are those of ``checkLaws(_:exempt:throwing:of:)``.
public func checkLaws<P: Publisher>(
  _ options: LawOptions = [], exempt reasons: [Law: String] = [:], throwing number: Int? = nil,
  assembling make: (LawStand) -> P
) -> LawReport where P.Output: Equatable {
  report(options, reasons, throwing: number, make)
}

private func report<P: Publisher>(
  _ options: LawOptions, _ reasons: [Law: String], inputs count: Int = 3, throwing number: Int?,
  isScheduled: Bool = false, _ make: (LawStand) -> P
) -> LawReport where P.Output: Equatable {
  withoutActuallyEscaping(make) { make in
    var profile = Profile(kind: .operator)
    options.apply(to: &profile)
    profile.inputs = Array(1...count)
    profile.throwsAt = number
    profile.isScheduled = isScheduled
    let numbering = Numbering<P.Output>()
    let survey = Survey { stand in Candidate.attach(make(stand), numbering.sample) }
    return LawReport(on: survey.candidate(profile), reasons)
  }
}

extension LawReport {
  init(on candidate: Candidate, _ reasons: [Law: String]) {
    let own = candidate.profile.deviations
    var (kept, violations, exempt): ([Law], [Violation], [Exemption]) = ([], [], [])
    for law in Law.checked {
      let isConcerned = law.concerns(candidate.profile)
      let findings = isConcerned ? law.violations(by: candidate) : []
      if let reason = reasons[law] {
        exempt.append(Exemption(law: law, reason: reason, isStale: findings.isEmpty))
      } else if let reason = own[law] {
        if isConcerned { exempt.append(Exemption(law: law, reason: reason, isStale: false)) }
      } else if !findings.isEmpty {
        violations.append(Violation(law: law, findings: findings.map(\.description)))
      } else if isConcerned {
        kept.append(law)
      }
    }
    (self.kept, self.violations, self.exempt) = (kept, violations, exempt)
  }
}
