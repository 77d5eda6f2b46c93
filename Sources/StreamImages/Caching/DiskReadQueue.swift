internal import Dispatch
internal import Foundation
internal import Streams

/// Reads entries on its own threads, several at a time, in order of arrival.
///
/// A thread continues with the next read by itself, so that few reads have to wake one. As many threads as there are
/// processors are woken immediately. More are woken only when those block; an additional running thread would not
/// help.
final class DiskReadQueue: Sendable {
  private struct Read: Sendable {
    let key: DataCacheKey
    let folder: DiskFolder
  }

  private struct State {
    var waiting = WaitingTasks<CachedData?, Read>()
    var idle: [Int]
    /// The number of reads that have started.
    var begun = 0
    /// Whether a check for blocked threads is scheduled.
    var isWatched = false
  }

  /// How long reads wait for blocked threads.
  private static let patience = DispatchTimeInterval.milliseconds(1)

  private let width: Int
  private let state: Guarded<State>
  // Serial queues: a concurrent queue would take its threads from the pool that tasks run on.
  private let lanes: [DispatchQueue]
  private let watching = DispatchQueue(label: "StreamImages.DataCache.watching")
  private let eagerWidth: Int

  init(width: Int) {
    self.width = width
    eagerWidth = min(width, ProcessInfo.processInfo.activeProcessorCount)
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
        let (lane, watch) = state.withLock { state in
          // Another thread may have taken the read meanwhile.
          if state.waiting.isEmpty { return (Int?.none, Int?.none) }
          if width - state.idle.count < eagerWidth { return (state.idle.popLast(), Int?.none) }
          return (nil, mustWatch(&state))
        }
        if let lane { start(lane) }
        if let watch { self.watch(from: watch) }
      })
  }

  private func start(_ lane: Int) {
    lanes[lane].async { [self] in work(lane) }
  }

  /// - Returns: The number of started reads, if a check has to be scheduled: there are waiting reads and idle threads.
  private func mustWatch(_ state: inout State) -> Int? {
    guard !state.isWatched, !state.idle.isEmpty, !state.waiting.isEmpty else { return nil }
    state.isWatched = true
    return state.begun
  }

  /// Wakes one more thread if no read has started for a while.
  private func watch(from begun: Int) {
    watching.asyncAfter(deadline: .now() + Self.patience) { [self] in
      let (lane, watch) = state.withLock { state in
        state.isWatched = false
        let isStuck = state.begun == begun && !state.waiting.isEmpty
        return (isStuck ? state.idle.popLast() : nil, mustWatch(&state))
      }
      if let lane { start(lane) }
      if let watch { self.watch(from: watch) }
    }
  }

  private func work(_ lane: Int) {
    while let read = next(lane, mayStop: false) ?? lastChance(lane) {
      read.resume(returning: read.info.folder.read(read.info.key))
    }
  }

  /// Yields once before the thread becomes idle. The task that received the last result may read on, and waking a
  /// thread costs more than a miss.
  private func lastChance(_ lane: Int) -> WaitingTask<CachedData?, Read>? {
    yieldProcessor()
    return next(lane, mayStop: true)
  }

  private func next(_ lane: Int, mayStop: Bool) -> WaitingTask<CachedData?, Read>? {
    state.withLock { state in
      if let read = state.waiting.popFirst() {
        state.begun += 1
        return read
      }
      if mayStop { state.idle.append(lane) }
      return nil
    }
  }
}
