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

  let kind: Kind
  /// All that is sent if the leading upstream says 1, 2, 3 and finishes.
  var sends = [1, 2, 3]
  /// How it ends then.
  var ending = Subscribers.Completion<TestFailure>.finished
  /// How many values it sends of its own, before upstream's first and after its last.
  var prelude = 0
  var coda = 0
  /// A value that it passes on.
  var passing = 1
  /// A value that makes it end, and one that makes its closure throw.
  var stopsAt: Int?
  var throwsAt: Int?
  /// Which upstream says the values; what others do before it can, and after it has finished.
  var lead = 0
  var begin: [Step] = []
  var closing: [Step] = []
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

/// One deviation of an operator from the defaults of ``Profile``.
struct Trait: Sendable {
  let apply: @Sendable (inout Profile) -> Void

  static func sends(_ values: [Int]) -> Trait { Trait { $0.sends = values } }
  static func fails(_ failure: TestFailure) -> Trait { Trait { $0.ending = .failure(failure) } }
  static func prelude(_ count: Int) -> Trait { Trait { $0.prelude = count } }
  static func coda(_ count: Int) -> Trait { Trait { $0.coda = count } }
  static func passing(_ value: Int) -> Trait { Trait { $0.passing = value } }
  static func stops(at value: Int) -> Trait { Trait { $0.stopsAt = value } }
  static func throwsAt(_ value: Int) -> Trait { Trait { $0.throwsAt = value } }
  static func lead(_ upstream: Int) -> Trait { Trait { $0.lead = upstream } }
  static func begins(_ steps: Profile.Step...) -> Trait { Trait { $0.begin = steps } }
  static func closes(_ steps: Profile.Step...) -> Trait { Trait { $0.closing = steps } }
  static func named(_ name: String) -> Trait { Trait { $0.subscriptionName = name } }

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
