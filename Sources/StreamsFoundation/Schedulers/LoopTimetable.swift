internal import Foundation
internal import Streams

/// The delayed actions of one run loop in one mode, in order, with one timer for the earliest: a loop looks at all its timers each
/// time that one fires.
///
/// The timer holds this, and nothing else does for long. So a loop whose thread ends lets go of its actions.
final class LoopTimetable: Sendable {
  private struct Key: Hashable {
    let loop: ObjectIdentifier
    let mode: RunLoop.Mode
  }

  private struct Held {
    weak var timetable: LoopTimetable?
  }

  private struct Entry {
    let period: TimeInterval?
    let leeway: TimeInterval
    let job: @Sendable () -> Void
  }

  private struct State {
    weak var loop: RunLoop?
    var timetable = Timetable<Entry>()
    /// The date for which the timer is set, how often one was set, and what stops it.
    var alarm: Date?
    var number = 0
    var stop: (() -> Void)?
  }

  private static let all = Guarded<[Key: Held]>([:])

  private let key: Key
  private let state: Guarded<State>

  private init(_ key: Key, _ loop: RunLoop) {
    self.key = key
    state = Guarded(State(loop: loop))
  }

  deinit {
    Self.all.withLock { [key] all in
      if all[key]?.timetable == nil { all[key] = nil }
    }
  }

  static func of(_ loop: RunLoop, in mode: RunLoop.Mode) -> LoopTimetable {
    let key = Key(loop: ObjectIdentifier(loop), mode: mode)
    return all.withLock { all in
      if let timetable = all[key]?.timetable { return timetable }
      let timetable = LoopTimetable(key, loop)
      all[key] = Held(timetable: timetable)
      return timetable
    }
  }

  /// Runs `job` on the thread of the loop, at `date`, which is one of ``SteadyDates``, and then every `period`; once without a
  /// period.
  ///
  /// - Returns: A closure that stops it.
  func add(
    at date: Date, every period: TimeInterval?, leeway: TimeInterval, _ job: @escaping @Sendable () -> Void
  ) -> () -> Void {
    let number = state.withLock { state in
      state.timetable.add(
        Entry(period: period, leeway: leeway, job: job), at: date)
    }
    setTimer()
    return { [weak self] in self?.remove(number) }
  }

  private func remove(_ number: Int) {
    let gone = state.withLock { state -> (Entry?, (() -> Void)?) in
      let entry = state.timetable.remove(number)
      guard state.timetable.isEmpty else { return (entry, nil) }
      state.alarm = nil
      return (entry, state.stop.take())
    }
    gone.1?()
  }

  /// Sets the timer for the earliest date, if it is not set for that or an earlier one.
  private func setTimer() {
    let due = state.withLock {
      state -> (date: Date, leeway: TimeInterval, number: Int, old: (() -> Void)?)? in
      guard let date = state.timetable.earliest, state.alarm.map({ date < $0 }) ?? true else { return nil }
      state.alarm = date
      state.number += 1
      return (date, state.timetable.first?.leeway ?? 0, state.number, state.stop.take())
    }
    guard let due else { return }
    due.old?()
    guard let loop = state.withLock({ $0.loop }) else { return }
    let stop = loop.startTimer(
      at: Date(timeIntervalSinceNow: due.date.timeIntervalSince(SteadyDates.now)), leeway: due.leeway,
      in: key.mode
    ) {
      [number = due.number] in self.fire(number)
    }
    let isStale = state.withLock { state in
      guard state.number == due.number, state.alarm != nil else { return true }
      state.stop = stop
      return false
    }
    if isStale { stop() }
  }

  /// Runs one action. If more are due, the timer fires again, so that other work has its turn.
  private func fire(_ number: Int) {
    let present = SteadyDates.now
    let job = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.number == number else { return nil }
      (state.alarm, state.stop) = (nil, nil)
      guard let (number, date, entry) = state.timetable.takeEarliest(until: present) else { return nil }
      if let period = entry.period {
        state.timetable.add(entry, at: date.next(every: period, after: present), as: number)
      }
      return entry.job
    }
    setTimer()
    job?()
  }
}
