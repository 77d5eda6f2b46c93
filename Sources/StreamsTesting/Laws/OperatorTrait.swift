internal import Streams

/// One deviation of an operator from the defaults of ``Profile``.
package struct OperatorTrait: Sendable {
  package let apply: @Sendable (inout Profile) -> Void

  package init(_ apply: @escaping @Sendable (inout Profile) -> Void) { self.apply = apply }

  package static func sends(_ values: [Sample]) -> OperatorTrait { OperatorTrait { $0.sends = values } }
  package static func fails(_ failure: TestFailure) -> OperatorTrait {
    OperatorTrait { $0.ending = .failure(failure) }
  }
  package static func prelude(_ count: Int) -> OperatorTrait { OperatorTrait { $0.prelude = count } }
  package static func coda(_ count: Int) -> OperatorTrait { OperatorTrait { $0.coda = count } }
  package static func passing(_ value: Int) -> OperatorTrait { OperatorTrait { $0.passing = value } }
  package static func takes(_ inputs: Int) -> OperatorTrait { OperatorTrait { $0.inputsPerValue = inputs } }
  package static let needsDistinctValues = OperatorTrait { $0.needsDistinctValues = true }
  package static func stops(at value: Int, sending last: Sample...) -> OperatorTrait {
    OperatorTrait { profile in
      profile.stopsAt = value
      profile.stopsWith = last
    }
  }
  package static func throwsAt(_ value: Int, after before: Int...) -> OperatorTrait {
    OperatorTrait { profile in
      profile.throwsAt = value
      profile.throwsAfter = before
    }
  }
  package static func attempt(_ number: Int) -> OperatorTrait { OperatorTrait { $0.attempt = number } }
  package static func lead(_ upstream: Int) -> OperatorTrait { OperatorTrait { $0.lead = upstream } }
  package static func begins(_ steps: Profile.Step...) -> OperatorTrait { OperatorTrait { $0.begin = steps } }
  package static func closes(_ steps: Profile.Step...) -> OperatorTrait {
    OperatorTrait { $0.closing = steps }
  }
  package static func named(_ name: String) -> OperatorTrait { OperatorTrait { $0.subscriptionName = name } }

  /// It consumes everything, and then sends this.
  package static func answers(_ values: Sample...) -> OperatorTrait {
    OperatorTrait { profile in
      profile.sends = values
      profile.answersAtEnd = true
    }
  }

  /// It sends a value even if upstream sends none.
  package static let answersNothing = coda(1)

  /// It sends these values at most.
  package static func sendsOnly(_ values: Sample...) -> OperatorTrait {
    OperatorTrait { profile in
      profile.sends = values
      profile.isBounded = true
    }
  }

  /// It requests nothing from its upstream, like a source.
  package static let wantsNothing = OperatorTrait { profile in
    profile.kind = .source
    profile.sends = []
  }

  package static let takesOneOfEach = OperatorTrait { $0.takesOneOfEach = true }
  package static let thinsOut = OperatorTrait { $0.thinsOut = true }
  package static let isUnordered = OperatorTrait { $0.isUnordered = true }
  package static let isLossy = OperatorTrait { $0.isLossy = true }
  package static let isShared = OperatorTrait { $0.isShared = true }
  package static let isScheduled = OperatorTrait { $0.isScheduled = true }
  package static let zeroDemandIsHarmless = OperatorTrait { $0.zeroDemandTraps = false }

  package static func deviates(_ laws: Law..., because reason: String) -> OperatorTrait {
    OperatorTrait { profile in for law in laws { profile.deviations[law] = reason } }
  }

  /// It leaves the counting of demand to upstream.
  package static let forwardsSurplus = deviates(
    .h28, because: "it counts no demand: its upstream does, as in Combine")

  package static func traps(_ laws: Law...) -> OperatorTrait { OperatorTrait { $0.traps.formUnion(laws) } }

  /// A stage without state: it passes upstream's own subscription on, and keeps the laws that this subscription keeps.
  package static let passesThrough = OperatorTrait { $0.inherits() }
}
