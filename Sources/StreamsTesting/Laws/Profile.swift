package import Streams

/// The properties of one operator, as data. The defaults describe one that passes values on.
package struct Profile: Sendable {
  package enum Kind: Sendable { case `operator`, source, subject }

  /// Something that an upstream does at a certain point.
  package enum Step: Sendable {
    case say(upstream: Int, Int)
    case finish(upstream: Int)
    case fail(upstream: Int)
  }

  package var kind: Kind
  /// The values that the leading upstream sends before it finishes.
  package var inputs = [1, 2, 3]
  /// The values that the operator sends then.
  package var sends: [Sample] = [1, 2, 3]
  /// Its completion then.
  package var ending = Subscribers.Completion<TestFailure>.finished
  /// Its completion if upstream fails; `nil` if it sends something else instead.
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
  /// A value that completes it, the values that must precede it, and the values that it sends then.
  package var stopsAt: Int?
  package var stopsAfter: [Int] = []
  package var stopsWith: [Sample] = []
  /// A value for which its closure throws, the values that must precede it, and its completion then.
  package var throwsAt: Int?
  package var throwsAfter: [Int] = []
  package var throwsWith = Subscribers.Completion<TestFailure>.failure(.thrown)
  /// The upstream that sends the values, and actions of others before and after it.
  package var lead = 0
  /// The subscription to the leading upstream that sends them, if there are several.
  package var attempt = 0
  package var begin: [Step] = []
  package var closing: [Step] = []
  /// The leading upstream sends nothing before the preceding actions.
  package var waitsForOthers = false
  /// A value takes one of each upstream.
  package var takesOneOfEach = false
  /// It sends its values when upstream has finished.
  package var answersAtEnd = false
  /// It sends no more than ``sends``, however many values upstream sends.
  package var isBounded = false
  /// It skips values that arrive too fast.
  package var thinsOut = false
  /// Values may arrive in another order than that of ``sends``.
  package var isUnordered = false
  /// Values without demand are lost.
  package var isLossy = false
  package var isScheduled = false
  /// All subscribers share one upstream.
  package var isShared = false
  package var zeroDemandTraps = true
  /// True if a ``Survey`` found it out.
  package var isSurveyed = false
  /// The name of the subscription.
  package var subscriptionName: String?
  /// The laws it breaks, and why that is right.
  package var deviations: [Law: String] = [:]
  /// The laws it keeps by trapping.
  package var traps: Set<Law> = []

  package init(kind: Kind) { self.kind = kind }
}

extension Profile {
  /// True if `values` are the expected values for a demand of `count`.
  func allows(_ values: [Sample], asked count: Int = .max) -> Bool {
    isUnordered
      ? values.count == min(count, sends.count) && Set(values).isSubset(of: sends)
      : values == Array(sends.prefix(count))
  }

  /// True if `values` may result from values that upstream sent without a pause.
  func allowsInHaste(_ values: [Sample]) -> Bool {
    guard thinsOut else { return allows(values) }
    var rest = sends[...]
    return values.allSatisfy { value in
      rest = rest.drop { $0 != value }
      return rest.popFirst() != nil
    }
  }

  /// The laws that a stage without state leaves to the subscription it passes on.
  static let inherited: [Law] = [
    .c09, .c10, .c11, .c12, .c16, .c18, .c19, .c20, .h24, .h25, .h26, .h27, .h28, .h29, .h30,
  ]

  /// It passes upstream's own subscription on, and keeps the laws that this subscription keeps.
  mutating func inherits() {
    for law in Self.inherited {
      deviations[law] = "a stage without state inherits upstream's guarantees, as in Combine"
    }
    zeroDemandTraps = false
    subscriptionName = "Script"
  }
}
