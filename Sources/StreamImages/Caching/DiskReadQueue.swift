internal import Dispatch
internal import Streams

/// Reads entries on its own threads, several at a time, in order of arrival.
///
/// A thread continues with the next read by itself, so that few reads have to wake one: that costs more than a miss.
final class DiskReadQueue: Sendable {
  private struct Read: Sendable {
    let key: DataCacheKey
    let folder: DiskFolder
  }

  private struct State {
    var waiting = WaitingTasks<CachedData?, Read>()
    var idle: [Int]
  }

  private let width: Int
  private let state: Guarded<State>
  // Serial queues: a concurrent queue would take its threads from the pool that tasks run on.
  private let lanes: [DispatchQueue]

  init(width: Int) {
    self.width = width
    state = Guarded(State(idle: Array((0..<width).reversed())))
    lanes = (0..<width).map { DispatchQueue(label: "StreamImages.DataCache.reading.\($0)") }
  }

  /// The number of waiting reads, and of reading threads.
  var counts: (waiting: Int, running: Int) { state.withLock { ($0.waiting.count, width - $0.idle.count) } }

  /// - Returns: `nil` as well if the task is cancelled while it waits.
  func read(_ key: DataCacheKey, in folder: DiskFolder) async -> CachedData? {
    if Task.isCancelled { return nil }
    return await state.wait(
      in: { $1(&$0.waiting) }, info: Read(key: key, folder: folder), ifCancelled: .some(nil),
      enqueued: {
        // Another thread may have taken the read meanwhile.
        let lane = state.withLock { $0.waiting.isEmpty ? nil : $0.idle.popLast() }
        if let lane { lanes[lane].async { [self] in work(lane) } }
      })
  }

  private func work(_ lane: Int) {
    while let read = next(lane, mayStop: false) ?? lastChance(lane) {
      read.resume(returning: read.info.folder.read(read.info.key))
    }
  }

  /// Yields once before the thread becomes idle. The task that received the last result may read on.
  private func lastChance(_ lane: Int) -> WaitingTask<CachedData?, Read>? {
    yieldProcessor()
    return next(lane, mayStop: true)
  }

  private func next(_ lane: Int, mayStop: Bool) -> WaitingTask<CachedData?, Read>? {
    state.withLock { state in
      let read = state.waiting.popFirst()
      if read == nil, mayStop { state.idle.append(lane) }
      return read
    }
  }
}
