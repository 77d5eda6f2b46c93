import Streams
import StreamsExtras
import Testing

/// Where tests with real time-outs wait for their turn: one at a time, and when the others leave them a thread.
///
/// Tests that run at the same time are tasks of one pool with few threads, and all begin at once: who awaits something
/// goes on when all others have had their turn, which may be minutes later. No time-out of a loader is as long.
enum RealTime {
  @TaskLocal private static var hasTurn = false
  private static let line = WaitingLine()

  /// Runs `body` when it is its turn. Inside another one's turn that is at once.
  static func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    if hasTurn { return try await body() }
    await line.enter()
    defer { line.leave() }
    await untilOthersLeaveRoom()
    return try await $hasTurn.withValue(true) { try await body() }
  }

  private static func untilOthersLeaveRoom() async {
    let clock = ContinuousClock()
    var quickTurns = 0
    while quickTurns < 3 {
      let took = await clock.measure { await Task.yield() }
      quickTurns = took < .milliseconds(50) ? quickTurns + 1 : 0
    }
  }
}

extension Testing.Trait where Self == InRealTime {
  /// What talks to a server, or has another clock than the test's: see ``RealTime``.
  static var inRealTime: InRealTime { InRealTime() }
}

struct InRealTime: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for _: Test, testCase _: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await RealTime.run { try await body() }
  }
}

/// Lets one in at a time, in the order in which they came.
private final class WaitingLine: Sendable {
  private struct State {
    var isTaken = false
    var waiting = RingQueue<CheckedContinuation<Void, Never>>()
  }

  private let state = Guarded(State())

  func enter() async {
    await withCheckedContinuation { continuation in
      let isFirst = state.withLock { state in
        if state.isTaken { state.waiting.append(continuation) }
        defer { state.isTaken = true }
        return !state.isTaken
      }
      if isFirst { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      state.isTaken = next != nil
      return next
    }
    next?.resume()
  }
}
