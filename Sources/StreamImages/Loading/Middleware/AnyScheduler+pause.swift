internal import Dispatch
internal import Streams
internal import StreamsFoundation

extension AnyScheduler where SchedulerTimeType == DispatchQueue.SchedulerTimeType {
  /// Waits in this scheduler's time; returns at once when the task is cancelled.
  func pause(for duration: Duration) async {
    let (seconds, attoseconds) = duration.components
    let stride = SchedulerTimeType.Stride.seconds(Double(seconds) + Double(attoseconds) / 1e18)
    let wait = Pause()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait.begin(continuation)
        schedule(after: now.advanced(by: stride), tolerance: .zero, options: nil) { wait.end() }
      }
    } onCancel: {
      wait.end()
    }
  }
}

/// One who waits, until the first who says that it is enough.
private final class Pause: Sendable {
  private struct State: Sendable {
    var isOver = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Guarded(State())

  func begin(_ continuation: CheckedContinuation<Void, Never>) {
    let isOver = state.withLock { state in
      if !state.isOver { state.waiting = continuation }
      return state.isOver
    }
    if isOver { continuation.resume() }
  }

  func end() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }
}
