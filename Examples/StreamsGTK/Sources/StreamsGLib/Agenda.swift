internal import Streams
internal import Synchronization

/// What waits for a main loop, by time; of equal times, what came first.
struct Agenda {
  struct Entry {
    let time: UInt64
    let number: Int
    let job: Job
  }

  /// Keeps the scheduler alive while something waits in it.
  var keeper: GMainContextScheduler?

  /// Whether the loop is gone: nothing will run any more.
  var isOver = false

  /// The number of the next entry: what has a smaller one was there before.
  private(set) var nextNumber = 0

  /// A binary heap: the entry at `n` is before those at `2 * n + 1` and `2 * n + 2`.
  private var entries: [Entry] = []

  /// The earliest time; `nil` if nothing waits.
  var nextTime: UInt64? { entries.first?.time }

  /// - Complexity: O(log *n*).
  mutating func insert(_ job: Job, at time: UInt64) {
    entries.append(Entry(time: time, number: nextNumber, job: job))
    nextNumber += 1
    var place = entries.count - 1
    while place > 0, entries[place].isBefore(entries[(place - 1) / 2]) {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes the first entry, if it is due and has a smaller number than `end`.
  ///
  /// An entry of a larger number ends the search: it is later than all that were there before, or will be the first
  /// of the next run.
  ///
  /// - Complexity: O(log *n*).
  mutating func popDue(at present: UInt64, before end: Int) -> Entry? {
    guard let first = entries.first, first.time <= present, first.number < end else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var place = 0
    while true {
      let children = (2 * place + 1)..<min(2 * place + 3, max(entries.count, 2 * place + 1))
      guard let child = children.min(by: { entries[$0].isBefore(entries[$1]) }),
        entries[child].isBefore(entries[place])
      else { return first }
      entries.swapAt(place, child)
      place = child
    }
  }
}

extension Agenda.Entry {
  func isBefore(_ other: Self) -> Bool { (time, number) < (other.time, other.number) }
}

/// An action, once or again and again.
final class Job: Cancellable, Sendable {
  private struct Action: @unchecked Sendable {  // only the thread of the loop calls it, one run after another
    let call: () -> Void
  }

  /// In nanoseconds; `nil` if it runs once.
  private let period: UInt64?
  /// `nil` when it has run for the last time.
  private let action: Mutex<Action?>

  init(_ action: @escaping () -> Void, every period: UInt64? = nil) {
    self.action = Mutex(Action(call: action))
    self.period = period
  }

  func run() {
    let current = action.withLock { action in
      defer { if period == nil { action = nil } }
      return action
    }
    current?.call()
  }

  /// When it runs again: the first time in step with the last that comes after `present`. `nil` for never.
  func time(after last: UInt64, present: UInt64) -> UInt64? {
    guard let period, action.withLock({ $0 != nil }) else { return nil }
    let missed = present > last ? (present - last) / period : 0
    let (length, isTooLong) = (missed + 1).multipliedReportingOverflow(by: period)
    let (time, isTooLate) = last.addingReportingOverflow(length)
    return isTooLong || isTooLate ? .max : time
  }

  func cancel() {
    let dropped = action.withLock { $0.take() }
    withExtendedLifetime(dropped) {}
  }
}
