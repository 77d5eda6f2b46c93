package import Streams

/// What is particular to one operator, as data. The defaults describe one that sends on what it gets.
package struct Profile: Sendable {
  package enum Kind: Sendable { case `operator`, source, subject }

  /// Something that an upstream does at a certain point.
  package enum Step: Sendable {
    case say(upstream: Int, Int)
    case finish(upstream: Int)
    case fail(upstream: Int)
  }

  package var kind: Kind
  /// What the leading upstream says before it finishes.
  package var inputs = [1, 2, 3]
  /// All that is sent then.
  package var sends: [Sample] = [1, 2, 3]
  /// How it ends then.
  package var ending = Subscribers.Completion<TestFailure>.finished
  /// How it ends if upstream fails; `nil` if it has something else to send instead.
  package var failing: Subscribers.Completion<TestFailure>? = .failure(.scripted)
  /// How many values it sends of its own, before upstream's first and after its last.
  package var prelude = 0
  package var coda = 0
  /// A value that it passes on, how many such it takes to get one through, whether it must differ each time, and how
  /// many come of it.
  package var passing = 1
  package var inputsPerValue = 1
  package var needsDistinctValues = false
  package var valuesPerInput = 1
  /// A value that makes it end, what must have come before, and what it sends then.
  package var stopsAt: Int?
  package var stopsAfter: [Int] = []
  package var stopsWith: [Sample] = []
  /// A value that makes its closure throw, what must have come before, and how it ends then.
  package var throwsAt: Int?
  package var throwsAfter: [Int] = []
  package var throwsWith = Subscribers.Completion<TestFailure>.failure(.thrown)
  /// Which upstream says the values; what others do before it can, and after it has finished.
  package var lead = 0
  /// Which subscription to the leading upstream says them, if there are several.
  package var attempt = 0
  package var begin: [Step] = []
  package var closing: [Step] = []
  /// The leading upstream says nothing until all that is to come before it has.
  package var waitsForOthers = false
  /// A value takes one of each upstream.
  package var takesOneOfEach = false
  /// What it sends, it sends when upstream has finished.
  package var answersAtEnd = false
  /// It sends no more than ``sends``, however much upstream says.
  package var isBounded = false
  /// Of values that come too fast it leaves some out.
  package var thinsOut = false
  /// Values may come in another order than that of ``sends``.
  package var isUnordered = false
  /// Values that were not asked for are lost.
  package var isLossy = false
  package var isScheduled = false
  /// All subscribers have one upstream in common.
  package var isShared = false
  package var zeroDemandTraps = true
  /// It was not written by a person, but found out by a ``Survey``.
  package var isSurveyed = false
  /// How the subscription is called.
  package var subscriptionName: String?
  /// The laws it breaks, and why that is right.
  package var deviations: [Law: String] = [:]
  /// The laws it keeps by trapping.
  package var traps: Set<Law> = []

  package init(kind: Kind) { self.kind = kind }
}

extension Profile {
  /// True if `values` are what must have come if `count` were asked for.
  func allows(_ values: [Sample], asked count: Int = .max) -> Bool {
    isUnordered
      ? values.count == min(count, sends.count) && Set(values).isSubset(of: sends)
      : values == Array(sends.prefix(count))
  }

  /// True if `values` may come of values that upstream said without a pause.
  func allowsInHaste(_ values: [Sample]) -> Bool {
    guard thinsOut else { return allows(values) }
    var rest = sends[...]
    return values.allSatisfy { value in
      rest = rest.drop { $0 != value }
      return rest.popFirst() != nil
    }
  }

  /// The laws that a stage without state leaves to the subscription which it hands down.
  static let inherited: [Law] = [
    .c09, .c10, .c11, .c12, .c16, .c18, .c19, .c20, .h24, .h25, .h26, .h27, .h28, .h29, .h30,
  ]

  /// It hands down upstream's own subscription, and keeps the laws which that one keeps.
  mutating func inherits() {
    for law in Self.inherited {
      deviations[law] = "a stage without state inherits upstream's guarantees, as in Combine"
    }
    zeroDemandTraps = false
    subscriptionName = "Script"
  }
}
