import Dispatch
internal import Streams

/// Notices turns of a loop that do not end.
///
/// libcurl can read an HTTP/2 connection for as long as frames arrive that carry nothing for a load. A server that sends
/// such frames fast enough keeps the loop inside libcurl, where no deadline is checked.
package final class TurnWatch: Sendable {
  /// `isFirst`: whether it is the first look at this turn.
  package typealias Look = @Sendable (_ isFirst: Bool) -> Void

  private struct State: Sendable {
    var isInside = false
    var isTicking = false
    /// The ticks since the turn began.
    var tickCount = 0

    /// Returns whether to look, and whether to tick again.
    mutating func tick() -> (look: Bool?, goesOn: Bool) {
      tickCount += 1
      if tickCount == 1 { return (nil, true) }
      // The next turn starts it again, so that an idle loader costs nothing.
      isTicking = isInside
      return (isInside ? tickCount == 2 : nil, isInside)
    }
  }

  private static let interval = DispatchTimeInterval.milliseconds(250)
  private static let queue = DispatchQueue(label: "StreamImages.TurnWatch")
  private let state = Guarded(State())
  private let later: @Sendable (@escaping @Sendable () -> Void) -> Void

  package convenience init() {
    self.init { Self.queue.asyncAfter(deadline: .now() + Self.interval, execute: $0) }
  }

  /// - Parameter later: Calls its argument after a while.
  package init(later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.later = later }

  /// Called on the loop's thread. `look` is called on another one, from the second tick within one turn on.
  package func turn<Result>(
    _ look: @escaping Look, _ body: () throws(DataLoadingError) -> Result
  ) throws(DataLoadingError) -> Result {
    begin(look)
    defer { state.withLock { $0.isInside = false } }
    return try body()
  }

  private func begin(_ look: @escaping Look) {
    let starts = state.withLock { state in
      (state.isInside, state.tickCount) = (true, 0)
      defer { state.isTicking = true }
      return !state.isTicking
    }
    if starts { scheduleTick(look) }
  }

  private func scheduleTick(_ look: @escaping Look) {
    later { [self] in
      let (isFirst, goesOn) = state.withLock { $0.tick() }
      if let isFirst { look(isFirst) }
      if goesOn { scheduleTick(look) }
    }
  }
}
