/// A numbered rule of the contract between publishers and subscribers: `Docs/contract.md` lists them all.
public enum Law: String, CaseIterable, Comparable, Sendable {
  /// Between a publisher and its subscriber: what comes when, and what is let go of.
  case c01, c02, c03, c04, c05, c06, c07, c08, c09, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20,
    c21, c22, c23
  /// Where Combine leaves a choice.
  case p1, p2, p3, p4
  /// Against an upstream that breaks the contract.
  case h24, h25, h26, h27, h28, h29, h30
  /// Of depth, time and memory.
  case r1, r2, r3
  /// With several threads at once.
  case x01, x02, x03, x04, x05, x06, x07, x08, x09, x10, x11, x12
  /// Of schedulers, tasks and actors.
  case t1, t2, t3, t4, t5

  public static func < (left: Law, right: Law) -> Bool {
    allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
  }

  /// The law as a sentence.
  public var sentence: String {
    switch self {
    case .c01: "A subscriber gets exactly one subscription, before anything else."
    case .c02: "It gets it before `subscribe` returns."
    case .c03: "No value comes before the first request."
    case .c04: "At no moment have more values come than were asked for."
    case .c05: "The answer to a value adds to the demand, and every value asked for comes."
    case .c06: "With unlimited demand all values come, then exactly one completion."
    case .c07: "A completion that no value waits for needs no demand."
    case .c08: "Nothing comes after `cancel`."
    case .c09: "Cancelling twice cancels upstream once."
    case .c10: "Cancelling after the completion does not reach upstream."
    case .c11: "A request after cancellation does nothing."
    case .c12: "A request after the completion does nothing."
    case .c13: "Cancelling inside a value is the end: no value, no completion; upstream is cancelled once."
    case .c14: "Cancelling inside the subscription's arrival is the end, too."
    case .c15: "A request inside a value is honoured, and loses nothing."
    case .c16: "After the completion nobody holds the subscriber."
    case .c17: "After cancellation the subscription does not hold the subscriber."
    case .c18: "After cancellation upstream does not hold the subscriber either."
    case .c19: "After cancellation upstream's subscription is let go of."
    case .c20: "After the completion upstream's subscription is let go of."
    case .c21: "A chain that is dropped without being cancelled leaves nothing behind."
    case .c22: "Upstream is never asked for nothing, and never asked again after unlimited."
    case .c23: "Two subscriptions of one publisher know nothing of each other."
    case .p1: "A closure that throws cancels upstream once, then fails once, and ends everything."
    case .p2: "A stage that ends early cancels upstream first, then completes."
    case .p3: "Asking for nothing traps where it does in Combine, and is harmless elsewhere."
    case .p4: "A subscription keeps its identifier and its name."
    case .h24: "A second subscription is cancelled, and changes nothing."
    case .h25: "A value after the completion is swallowed."
    case .h26: "A second completion is swallowed."
    case .h27: "Whatever comes after cancellation is swallowed."
    case .h28: "A value beyond the demand does not pass."
    case .h29: "A value before the subscription is swallowed."
    case .h30: "A completion before the subscription is swallowed, or comes with one."
    case .r1: "A chain of synchronous requests does not deepen the stack."
    case .r2: "Time is O(1) an event, memory what the operator declares."
    case .r3: "Allocations per event and per subscription are as budgeted."
    case .x01: "Calls to one subscriber never overlap in time."
    case .x02: "Nothing follows a completion, whoever sends, completes or cancels meanwhile."
    case .x03: "After a racing cancel at most what was under way arrives."
    case .x04: "Concurrent demand is neither lost nor doubled."
    case .x05: "Concurrent values are neither lost nor doubled, and keep their senders' order."
    case .x06: "Several endings at once make one completion."
    case .x07: "Nothing deadlocks: no lock is held while calling out."
    case .x08: "Upstream is cancelled once, whoever cancels or completes at the same time."
    case .x09: "What is shared has one upstream, counted exactly."
    case .x10: "Who subscribes during a send sees a suffix of the history, ending with the last value."
    case .x11: "After any race nothing leaks."
    case .x12: "What may be called from anywhere never traps."
    case .t1: "Work scheduled for a cancelled subscription does not reach the subscriber."
    case .t2: "A scheduler changes neither the order of values nor their place before the completion."
    case .t3: "Operators over time agree with a model under virtual time."
    case .t4: "The async sequence of a publisher always resumes, and loses nothing that it asked for."
    case .t5: "Isolated closures run on their actor, in order, and never after cancellation on it."
    }
  }

  /// How the law is made to hold: by checks of every operator, by models of those with memory, by argument, later.
  package enum Standing { case checked, modelled, argued, later }

  package var standing: Standing {
    switch self {
    case .r2: .argued
    case .t3: .modelled
    case .r3, .x01, .x02, .x03, .x04, .x05, .x06, .x07, .x08, .x09, .x10, .x11, .x12, .t4, .t5: .later
    default: .checked
    }
  }

  /// The laws that ``checkLaws(_:exempt:throwing:of:)`` can hold against an operator.
  public static let checked = allCases.filter { $0.standing == .checked }

  /// The law as `Docs/contract.md` numbers it: C01.
  public var number: String { rawValue.uppercased() }
}

extension Law: CustomStringConvertible {
  public var description: String { "\(number): \(sentence)" }
}
