internal import Foundation
internal import StreamImages
internal import Streams

/// One load of a ``ScriptedLoader``.
final class ScriptedLoad: DataChunks {
  private struct State {
    var pieces: ArraySlice<Data> = []
    var failure: DataLoadingError?
    var permits = 0
    var isOver = false
    var isCancelled = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Guarded(State())
  private let onDeparture: @Sendable () -> Void

  init(onDeparture: @escaping @Sendable () -> Void) { self.onDeparture = onDeparture }

  func begin(_ script: ScriptedLoader.Script) {
    state.withLock { state in
      state.pieces = script.pieces[...]
      state.failure = script.failure
      if !script.isOnDemand { state.permits = 1 << 30 }
    }
  }

  func permit(_ count: Int) {
    let waiting = state.withLock { state in
      state.permits += count
      return state.waiting.take()
    }
    waiting?.resume()
  }

  func next() async throws(DataLoadingError) -> Data? {
    await waitForPermit { $0.permits > 0 }
    return try take()
  }

  /// Waits until the load is cancelled.
  func waitForEver() async throws(DataLoadingError) {
    await waitForPermit { _ in false }
    throw .cancelled
  }

  func cancel() {
    let (waiting, isEarly) = state.withLock { state in
      let isEarly = !state.isOver && !state.isCancelled
      state.isCancelled = true
      return (state.waiting.take(), isEarly)
    }
    waiting?.resume()
    if isEarly { onDeparture() }
  }

  private func waitForPermit(_ isGiven: @escaping @Sendable (borrowing State) -> Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          let goesOn = state.isCancelled || state.isOver || isGiven(state)
          if !goesOn { state.waiting = continuation }
          return goesOn
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      cancel()
    }
  }

  private func take() throws(DataLoadingError) -> Data? {
    let result = state.withLock { state -> Result<Data?, DataLoadingError> in
      if state.isCancelled { return .failure(.cancelled) }
      state.permits -= 1
      if let piece = state.pieces.popFirst() { return .success(piece) }
      state.isOver = true
      return state.failure.map { .failure($0) } ?? .success(nil)
    }
    return try result.get()
  }
}
