internal import CoreFoundation
internal import Foundation
internal import Streams

/// The delayed actions of one run loop in one mode, in order, with one timer for the earliest: a loop keeps its timers in a
/// sorted array, and looks at all of them each time that one fires.
///
/// Only the thread of the loop sets that timer. Another thread hands this to the loop, as it does an action. What the loop is
/// to do retains the timetable, and nothing else does for long. So a loop whose thread ends releases its actions.
final class LoopTimetable: Sendable {
  private struct Key: Hashable {
    let loop: ObjectIdentifier
    let mode: RunLoop.Mode
  }

  private struct Reference {
    weak var timetable: LoopTimetable?
  }

  private struct Entry {
    let leeway: TimeInterval
    let job: @Sendable () -> Void
  }

  private struct State {
    weak var loop: RunLoop?
    var timetable = Timetable<Date, Entry>()
    /// The timer, and the date for which it is set. Not retained: the loop does so until the timer fires or is invalidated,
    /// both of which happen on its thread. A timer retains the timetable, so one that this retained would outlive a loop whose
    /// thread ends.
    var timer: Unmanaged<CFRunLoopTimer>?
    var alarm: Date?
    /// Whether the loop will look at the timer.
    var isAnnounced = false

    /// Whether the timer is too late, or in vain.
    var isTimerWrong: Bool {
      mutating get {
        guard let date = timetable.earliest else { return alarm != nil }
        return alarm.map { date < $0 } ?? true
      }
    }
  }

  private static let all = Guarded<[Key: Reference]>([:])

  private let key: Key
  private let state: Guarded<State>

  private init(_ key: Key, _ loop: RunLoop) {
    self.key = key
    state = Guarded(State(loop: loop))
  }

  deinit {
    let other = Self.all.withLock { [key] all in
      let other = all[key]?.timetable
      if other == nil { all[key] = nil }
      return other
    }
    // If it is the last reference, this takes the lock, as below.
    withExtendedLifetime(other) {}
  }

  static func of(_ loop: RunLoop, in mode: RunLoop.Mode) -> LoopTimetable {
    let key = Key(loop: ObjectIdentifier(loop), mode: mode)
    let (timetable, gone) = all.withLock { all -> (LoopTimetable, LoopTimetable?) in
      let known = all[key]?.timetable
      // One of a loop that is gone may be left, under the address of the new one.
      if let known, known.state.withLock({ $0.loop === loop }) { return (known, nil) }
      let timetable = LoopTimetable(key, loop)
      all[key] = Reference(timetable: timetable)
      return (timetable, known)
    }
    withExtendedLifetime(gone) {}
    return timetable
  }

  /// Runs `job` on the thread of the loop, at `date`, which is one of ``SteadyDates``.
  ///
  /// - Returns: A closure that takes it back.
  func add(at date: Date, leeway: TimeInterval, _ job: @escaping @Sendable () -> Void) -> () -> Void {
    let number = state.withLock { $0.timetable.add(Entry(leeway: leeway, job: job), at: date) }
    adjust()
    return { [weak self] in self?.remove(number) }
  }

  private func remove(_ number: Int) {
    let entry = state.withLock { $0.timetable.remove(number) }
    withExtendedLifetime(entry) { adjust() }
  }

  // MARK: The timer

  /// Has the timer set, if it is wrong.
  private func adjust() {
    guard let loop = state.withLock({ $0.loop }) else { return }
    if loop === RunLoop.current { return setTimer() }
    let isFirst = state.withLock { state in
      guard !state.isAnnounced, state.isTimerWrong else { return false }
      state.isAnnounced = true
      return true
    }
    guard isFirst else { return }
    loop.announce(in: key.mode) {
      self.state.withLock { $0.isAnnounced = false }
      self.setTimer()
    }
  }

  /// On the thread of the loop.
  private func setTimer() {
    let (old, next) = state.withLock {
      state -> (Unmanaged<CFRunLoopTimer>?, (date: Date, leeway: TimeInterval)?) in
      guard state.isTimerWrong else { return (nil, nil) }
      state.alarm = state.timetable.earliest
      return (state.timer.take(), state.alarm.map { ($0, state.timetable.first?.leeway ?? 0) })
    }
    if let old { CFRunLoopTimerInvalidate(old.takeUnretainedValue()) }
    guard let next else { return }
    let timer = CFRunLoopGetCurrent().addTimer(
      at: Date(timeIntervalSinceNow: next.date.timeIntervalSince(SteadyDates.now)), every: nil,
      leeway: next.leeway, in: key.mode
    ) { self.fire() }
    state.withLock { $0.timer = .passUnretained(timer) }
  }

  /// Runs the actions that are due, up to a bound. If more are, the timer fires again, so that other work has its turn.
  private func fire() {
    let present = SteadyDates.now
    state.withLock { ($0.alarm, $0.timer) = (nil, nil) }
    var burst = Burst()
    repeat {
      let job = state.withLock { $0.timetable.takeEarliest(until: present)?.entry.job }
      setTimer()  // before the action, which may run the loop itself
      guard let job else { return }
      job()
      burst.count(upTo: 256)
    } while !burst.isOver
  }
}
