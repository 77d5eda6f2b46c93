import CShiftedClock
import Foundation
import Streams

/// Counts the ticks of timers, and sets the wall clock by a day as soon as all have ticked some times: forward, and later back.
final class Ticks: Sendable {
  static let interval = 0.1
  private static let lastTick = 12

  private struct State {
    var counts: [String: Int] = [:]
    var ends: [String: ContinuousClock.Instant] = [:]
    var shift = 0
    /// By how much `Date` has moved when the clock was set forward.
    var moved = 0.0
  }

  private let start = ContinuousClock.now
  private let state = Guarded(State())
  private let names: [String]
  private let ended: CheckedContinuation<[String: Double], Never>

  init(_ names: [String], _ ended: CheckedContinuation<[String: Double], Never>) {
    (self.names, self.ended) = (names, ended)
  }

  func tick(_ name: String) {
    let result: [String: Double]? = state.withLock { state in
      state.counts[name, default: 0] += 1
      if state.counts[name] == Self.lastTick { state.ends[name] = .now }
      let least = names.map { state.counts[$0] ?? 0 }.min() ?? 0
      // The day is over after four ticks of the slowest, and begins again after eight.
      let shift = least < 4 || least >= 8 ? 0 : 86_400
      if shift != state.shift {
        let before = Date()
        shifted_clock_set(shift)
        state.moved = max(state.moved, Date().timeIntervalSince(before))
        state.shift = shift
      }
      guard state.ends.count == names.count, state.counts[name] == Self.lastTick else { return nil }
      return state.ends.mapValues { start.duration(to: $0) / .seconds(1) }
        .merging(["wall clock": state.moved]) { $1 }
    }
    if let result { ended.resume(returning: result) }
  }
}
