internal import Streams

/// Counts bytes that wait for something, and lets nobody bring more while there are too many.
///
/// Bytes count as long as somebody holds their ``Charge``: also those that nobody wants any more are given back.
package final class ByteBudget: Sendable {
  /// So many bytes that count, until the last reference is gone.
  package final class Charge: Sendable {
    private let byteCount: Int
    private let budget: ByteBudget

    fileprivate init(_ byteCount: Int, to budget: ByteBudget) {
      (self.byteCount, self.budget) = (byteCount, budget)
    }

    deinit { budget.count(-byteCount) }
  }

  private struct State {
    var byteCount = 0
    var lastNumber: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Guarded(State())
  private let limit: Int

  /// - Parameter limit: Above so many bytes there is no room.
  package init(limit: Int) { self.limit = limit }

  package var byteCount: Int { state.withLock { $0.byteCount } }

  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  package func charge(_ byteCount: Int) -> Charge {
    count(byteCount)
    return Charge(byteCount, to: self)
  }

  /// Returns when there is room, or when the task is cancelled.
  package func waitForRoom() async {
    // All who wait are woken at once; room may be gone again by the time that one of them runs.
    repeat { await waitForChange() } while byteCount > limit && !Task.isCancelled
  }

  private func waitForChange() async {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasRoom = state.withLock { state in
          if state.byteCount > limit { state.waiting[number] = continuation }
          return state.byteCount <= limit
        }
        if hasRoom { continuation.resume() }
        // If the task was cancelled before it waited, nobody has sent it away.
        if Task.isCancelled { giveUp(number) }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  private func giveUp(_ number: UInt64) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
  }

  private func count(_ change: Int) {
    let freed = state.withLock { state in
      state.byteCount += change
      guard state.byteCount <= limit, !state.waiting.isEmpty else {
        return [UInt64: CheckedContinuation<Void, Never>]()
      }
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in freed.values { continuation.resume() }
  }
}
