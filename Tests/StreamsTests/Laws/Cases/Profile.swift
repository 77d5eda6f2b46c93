import Streams

/// What is particular to one operator, as data. The defaults describe one that sends on what it gets.
struct Profile: Sendable {
  enum Kind: Sendable { case `operator`, source, subject }

  /// Something that an upstream does at a certain point.
  enum Step: Sendable {
    case say(upstream: Int, Int)
    case finish(upstream: Int)
    case fail(upstream: Int)
  }

  var kind: Kind
  /// All that is sent if the leading upstream says 1, 2, 3 and finishes.
  var sends = [1, 2, 3]
  /// How it ends then.
  var ending = Subscribers.Completion<TestFailure>.finished
  /// How many values it sends of its own, before upstream's first and after its last.
  var prelude = 0
  var coda = 0
  /// A value that it passes on, how many such it takes to get one through, and whether it must differ each time.
  var passing = 1
  var inputsPerValue = 1
  var needsDistinctValues = false
  /// A value that makes it end, and what it sends then.
  var stopsAt: Int?
  var stopsWith: [Int] = []
  /// A value that makes its closure throw, and what must have come before.
  var throwsAt: Int?
  var throwsAfter: [Int] = []
  /// Which upstream says the values; what others do before it can, and after it has finished.
  var lead = 0
  /// Which subscription to the leading upstream says them, if there are several.
  var attempt = 0
  var begin: [Step] = []
  var closing: [Step] = []
  /// A value takes one of each upstream.
  var takesOneOfEach = false
  /// What it sends, it sends when upstream has finished.
  var answersAtEnd = false
  /// It sends no more than ``sends``, however much upstream says.
  var isBounded = false
  /// Of values that come too fast it leaves some out.
  var thinsOut = false
  /// Values may come in another order than that of ``sends``.
  var isUnordered = false
  /// Values that were not asked for are lost.
  var isLossy = false
  var isScheduled = false
  /// All subscribers have one upstream in common.
  var isShared = false
  var zeroDemandTraps = true
  /// How the subscription is called.
  var subscriptionName: String?
  /// The laws it breaks, and why that is right.
  var deviations: [Law: String] = [:]
  /// The laws it keeps by trapping.
  var traps: Set<Law> = []

  /// True if `values` are what must have come if `count` were asked for.
  func allows(_ values: [Int], asked count: Int = .max) -> Bool {
    isUnordered
      ? values.count == min(count, sends.count) && Set(values).isSubset(of: sends)
      : values == Array(sends.prefix(count))
  }
}

extension Profile {
  /// True if `values` may come of values that upstream said without a pause.
  func allowsInHaste(_ values: [Int]) -> Bool {
    guard thinsOut else { return allows(values) }
    var rest = sends[...]
    return values.allSatisfy { value in
      rest = rest.drop { $0 != value }
      return rest.popFirst() != nil
    }
  }
}

/// One deviation of an operator from the defaults of ``Profile``.
struct Trait: Sendable {
  let apply: @Sendable (inout Profile) -> Void

  static func sends(_ values: [Int]) -> Trait { Trait { $0.sends = values } }
  static func fails(_ failure: TestFailure) -> Trait { Trait { $0.ending = .failure(failure) } }
  static func prelude(_ count: Int) -> Trait { Trait { $0.prelude = count } }
  static func coda(_ count: Int) -> Trait { Trait { $0.coda = count } }
  static func passing(_ value: Int) -> Trait { Trait { $0.passing = value } }
  static func takes(_ inputs: Int) -> Trait { Trait { $0.inputsPerValue = inputs } }
  static let needsDistinctValues = Trait { $0.needsDistinctValues = true }
  static func stops(at value: Int, sending last: Int...) -> Trait {
    Trait { profile in
      profile.stopsAt = value
      profile.stopsWith = last
    }
  }
  static func throwsAt(_ value: Int, after before: Int...) -> Trait {
    Trait { profile in
      profile.throwsAt = value
      profile.throwsAfter = before
    }
  }
  static func attempt(_ number: Int) -> Trait { Trait { $0.attempt = number } }
  static func lead(_ upstream: Int) -> Trait { Trait { $0.lead = upstream } }
  static func begins(_ steps: Profile.Step...) -> Trait { Trait { $0.begin = steps } }
  static func closes(_ steps: Profile.Step...) -> Trait { Trait { $0.closing = steps } }
  static func named(_ name: String) -> Trait { Trait { $0.subscriptionName = name } }

  /// It takes in everything, and then sends this.
  static func answers(_ values: Int...) -> Trait {
    Trait { profile in
      profile.sends = values
      profile.answersAtEnd = true
    }
  }

  /// It has an answer even if upstream says nothing.
  static let answersNothing = coda(1)

  /// It sends so many and no more.
  static func sendsOnly(_ values: Int...) -> Trait {
    Trait { profile in
      profile.sends = values
      profile.isBounded = true
    }
  }

  /// It wants nothing of its upstream, and is as good as a source.
  static let wantsNothing = Trait { profile in
    profile.kind = .source
    profile.sends = []
  }

  static let takesOneOfEach = Trait { $0.takesOneOfEach = true }
  static let thinsOut = Trait { $0.thinsOut = true }
  static let isUnordered = Trait { $0.isUnordered = true }
  static let isLossy = Trait { $0.isLossy = true }
  static let isShared = Trait { $0.isShared = true }
  static let isScheduled = Trait { $0.isScheduled = true }
  static let zeroDemandIsHarmless = Trait { $0.zeroDemandTraps = false }

  static func deviates(_ laws: Law..., because reason: String) -> Trait {
    Trait { profile in for law in laws { profile.deviations[law] = reason } }
  }

  /// It leaves the counting of demand to upstream.
  static let forwardsSurplus = deviates(
    .h28, because: "it counts no demand: its upstream does, as in Combine")

  static func traps(_ laws: Law...) -> Trait { Trait { $0.traps.formUnion(laws) } }

  /// A stage without state: it hands down upstream's own subscription, and keeps the laws which that one
  /// keeps.
  static let passesThrough = Trait { profile in
    let inherited: [Law] = [
      .c09, .c10, .c11, .c12, .c16, .c18, .c19, .c20, .h24, .h25, .h26, .h27, .h28, .h29, .h30,
    ]
    for law in inherited {
      profile.deviations[law] = "a stage without state inherits upstream's guarantees, as in Combine"
    }
    profile.zeroDemandTraps = false
    profile.subscriptionName = "Script"
  }
}
