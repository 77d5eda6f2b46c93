import Interleavings
import Synchronization
import Testing

final class Waiter: Sendable {
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

  func wait() async {
    await withTaskCancellationHandler {
      if Task.isCancelled { return }
      await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
    } onCancel: {
      waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }?.resume()
    }
  }
}

@Test func aCancelledTaskEnds() throws {
  try explore {
    Waiter()
  } run: {
    let task = $0.task { await $0.wait() }
    $0.cancels(task)
  }
}
