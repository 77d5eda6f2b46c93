internal import Streams

/// What is on its way to the disk. Until it is there, it is read from here.
final class Backlog: Sendable {
  private struct State {
    /// Without bytes as long as they are still to be made.
    var entries: [DataCacheKey: EncodedImage?] = [:]
    var byteCount = 0
    var waitingForRoom: [CheckedContinuation<Void, Never>] = []
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Guarded(State())
  private let limit: Int

  /// - Parameter limit: Above so many bytes there is no room.
  init(limit: Int) { self.limit = limit }

  subscript(key: DataCacheKey) -> EncodedImage? { state.withLock { $0.entries[key] ?? nil } }

  /// - Returns: False if `key` is on its way already.
  func begin(_ key: DataCacheKey, _ byteCount: Int, _ encoded: EncodedImage?) -> Bool {
    state.withLock { state in
      guard state.entries[key] == nil else { return false }
      state.entries.updateValue(encoded, forKey: key)
      state.byteCount += byteCount
      return true
    }
  }

  func end(_ key: DataCacheKey, _ byteCount: Int) {
    let (waiting, gone) = state.withLock { state in
      let gone = state.entries.removeValue(forKey: key)
      state.byteCount -= byteCount
      var waiting: [CheckedContinuation<Void, Never>] = []
      if state.byteCount <= limit { swap(&waiting, &state.waitingForRoom) }
      if state.entries.isEmpty {
        waiting += state.waitingForEnd
        state.waitingForEnd = []
      }
      return (waiting, gone)
    }
    withExtendedLifetime(gone) {}
    for continuation in waiting { continuation.resume() }
  }

  /// Ends in any case: what is on its way arrives or fails, also if the task that waits is cancelled.
  func waitForRoom() async {
    await withCheckedContinuation { continuation in
      let hasRoom = state.withLock { state in
        if state.byteCount > limit { state.waitingForRoom.append(continuation) }
        return state.byteCount <= limit
      }
      if hasRoom { continuation.resume() }
    }
  }

  func waitUntilEmpty() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if !state.entries.isEmpty { state.waitingForEnd.append(continuation) }
        return state.entries.isEmpty
      }
      if isEmpty { continuation.resume() }
    }
  }
}
