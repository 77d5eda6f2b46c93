/// A numbered rule of the contract between publishers and subscribers: <doc:/Guides/contract> lists them all.
public enum Law: String, CaseIterable, Comparable, Sendable {
  /// Between a publisher and its subscriber: order, demand, cancellation and lifetimes.
  case c01, c02, c03, c04, c05, c06, c07, c08, c09, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20,
    c21, c22, c23
  /// Where Combine leaves a choice.
  case p1, p2, p3, p4
  /// Against an upstream that breaks the contract.
  case h24, h25, h26, h27, h28, h29, h30
  /// Depth, time and memory.
  case r1, r2, r3
  /// With several threads at once.
  case x01, x02, x03, x04, x05, x06, x07, x08, x09, x10, x11, x12
  /// Schedulers, tasks and actors.
  case t1, t2, t3, t4, t5

  public static func < (left: Law, right: Law) -> Bool {
    allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
  }

  /// The law as a sentence.
  public var sentence: String {
    switch self {
    case .c01: "A subscriber receives exactly one subscription, before anything else."
    case .c02: "It receives the subscription before `subscribe` returns."
    case .c03: "No value is delivered before the first request."
    case .c04: "There are never more values than requested."
    case .c05:
      "The demand that a subscriber returns for a value is added, and every requested value is delivered."
    case .c06: "With unlimited demand, all values are delivered, then exactly one completion."
    case .c07: "A completion that no value precedes needs no demand."
    case .c08: "Nothing is delivered after `cancel`."
    case .c09: "Cancelling twice cancels upstream once."
    case .c10: "Cancelling after the completion does not reach upstream."
    case .c11: "A request after cancellation has no effect."
    case .c12: "A request after the completion has no effect."
    case .c13:
      "Cancelling inside a value ends the stream: no value, no completion. Upstream is cancelled once."
    case .c14: "Cancelling inside `receive(subscription:)` ends the stream, too."
    case .c15: "A request inside a value is honoured, and loses nothing."
    case .c16: "After the completion, nothing retains the subscriber."
    case .c17: "After cancellation, the subscription does not retain the subscriber."
    case .c18: "After cancellation, upstream does not retain the subscriber either."
    case .c19: "After cancellation, the subscription of upstream is released."
    case .c20: "After the completion, the subscription of upstream is released."
    case .c21: "A chain with one operator that is released without being cancelled does not leak."
    case .c22: "Upstream never receives a request for nothing, and no request after an unlimited one."
    case .c23: "Two subscriptions to one publisher are independent."
    case .p1: "A closure that throws cancels upstream once, then fails once, and ends everything."
    case .p2: "A stage that ends early cancels upstream first, then completes."
    case .p3: "Requesting nothing traps where it does in Combine, and has no effect elsewhere."
    case .p4: "A subscription keeps its identifier and its name."
    case .h24: "A second subscription is cancelled, and has no other effect."
    case .h25: "A value after the completion is dropped."
    case .h26: "A second completion is dropped."
    case .h27: "Signals after cancellation are dropped."
    case .h28: "A value beyond the demand is not passed on."
    case .h29: "A value before the subscription is dropped."
    case .h30: "A completion before the subscription is dropped, or delivered with a subscription."
    case .r1: "A chain of synchronous requests does not deepen the stack."
    case .r2: "Time is O(1) for each event and subscriber, and memory is what the operator declares."
    case .r3: "Allocations per event and per subscription stay within a budget."
    case .x01: "Calls to one subscriber never overlap."
    case .x02: "Nothing follows a completion, even if other threads send, complete or cancel meanwhile."
    case .x03: "After a concurrent cancellation, only a delivery that was already in progress arrives."
    case .x04: "Concurrent demand is neither lost nor doubled."
    case .x05: "Concurrent values are neither lost nor doubled, and keep the order of their sender."
    case .x06: "Several concurrent endings produce one completion."
    case .x07:
      "Nothing deadlocks: no lock is held while calling out, and no thread runs what another one's subscriber does, unless it sends."
    case .x08: "Upstream is cancelled once, even if several threads cancel or complete at the same time."
    case .x09: "A shared publisher has one upstream, counted exactly."
    case .x10:
      "A subscriber that arrives during a send receives a suffix of the history, ending with the last value."
    case .x11: "After any race, nothing leaks."
    case .x12: "Functions that may be called from anywhere never trap."
    case .t1: "Work scheduled for a cancelled subscription does not reach the subscriber."
    case .t2: "A scheduler changes neither the order of values nor their place before the completion."
    case .t3: "Operators over time agree with a model under virtual time."
    case .t4: "The asynchronous sequence of a publisher always resumes, and loses nothing that it requested."
    case .t5: "Isolated closures run on their actor, in order, and never after a cancellation on it."
    }
  }

  /// How the law is ensured: by checks of every operator, by models of those with state, by argument, or later.
  package enum Standing { case checked, modelled, argued, later }

  package var standing: Standing {
    switch self {
    case .r2: .argued
    case .t3: .modelled
    case .r3, .x01, .x02, .x03, .x04, .x05, .x06, .x07, .x08, .x09, .x10, .x11, .x12, .t4, .t5: .later
    default: .checked
    }
  }

  /// The laws that ``checkLaws(_:exempt:throwing:of:)`` can check.
  public static let checked = allCases.filter { $0.standing == .checked }

  /// Whether the law is one between a publisher and its subscriber: C01 to C23.
  var isGeneral: Bool { rawValue.hasPrefix("c") }

  /// The law as <doc:/Guides/contract> numbers it: C01.
  public var number: String { rawValue.uppercased() }
}

extension Law: CustomStringConvertible {
  public var description: String { "\(number): \(sentence)" }
}
