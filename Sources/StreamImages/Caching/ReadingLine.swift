internal import Dispatch
internal import Foundation
internal import Streams

/// Reads entries on threads of its own, several at a time, in the order of arrival.
///
/// A thread goes on to the next read by itself, so that few reads pay for waking one. As many threads as there are
/// processors are woken at once. More are woken only when those are stuck: a thread more would only take their place.
final class ReadingLine: Sendable {
  private struct State {
    var waiting = Fifo<Read>()
    var idle: [Int]
    /// How many reads have begun.
    var begun = 0
    /// Whether somebody is going to look whether the threads are stuck.
    var isWatched = false
  }

  /// For how long reads wait behind threads that are stuck.
  private static let patience = DispatchTimeInterval.milliseconds(1)

  private let width: Int
  private let state: Guarded<State>
  // A serial queue each: a concurrent one would take its threads from the pool on which tasks run.
  private let lanes: [DispatchQueue]
  private let watching = DispatchQueue(label: "StreamImages.DataCache.watching")
  private let eagerWidth: Int

  init(width: Int) {
    self.width = width
    eagerWidth = min(width, ProcessInfo.processInfo.activeProcessorCount)
    state = Guarded(State(idle: Array((0..<width).reversed())))
    lanes = (0..<width).map { DispatchQueue(label: "StreamImages.DataCache.reading.\($0)") }
  }

  /// How many wait, and how many threads read.
  var counts: (waiting: Int, running: Int) { state.withLock { ($0.waiting.count, width - $0.idle.count) } }

  /// - Returns: `nil` as well if the task is cancelled before its turn.
  func read(_ key: DataCacheKey, in folder: DiskFolder) async -> CachedData? {
    let read = Read(key: key, folder: folder)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard read.wait(continuation) else { return continuation.resume(returning: nil) }
        let (lane, watch) = state.withLock { state in
          state.waiting.append(read)
          if width - state.idle.count < eagerWidth { return (state.idle.popLast(), Int?.none) }
          return (nil, mustWatch(&state))
        }
        if let lane { start(lane) }
        if let watch { self.watch(from: watch) }
      }
    } onCancel: {
      read.cancel()?.resume(returning: nil)
    }
  }

  private func start(_ lane: Int) {
    lanes[lane].async { [self] in work(lane) }
  }

  /// - Returns: How many reads have begun, if nobody is watching yet, and there is another thread.
  private func mustWatch(_ state: inout State) -> Int? {
    guard !state.isWatched, !state.idle.isEmpty, !state.waiting.isEmpty else { return nil }
    state.isWatched = true
    return state.begun
  }

  /// Wakes one more thread if no read has begun for a while.
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
      guard let continuation = read.begin() else { continue }
      continuation.resume(returning: read.folder.read(read.key))
    }
  }

  /// Lets others run once before the thread goes to sleep: who got the last result may read on, and waking a thread costs
  /// more than a miss.
  private func lastChance(_ lane: Int) -> Read? {
    yieldProcessor()
    return next(lane, mayStop: true)
  }

  private func next(_ lane: Int, mayStop: Bool) -> Read? {
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

/// One read, from the call to the moment its turn comes.
private final class Read: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<CachedData?, Never>)
    case over
  }

  let key: DataCacheKey
  let folder: DiskFolder
  private let state = Guarded(State.new)

  init(key: DataCacheKey, folder: DiskFolder) { (self.key, self.folder) = (key, folder) }

  /// - Returns: `false` if it is cancelled already.
  func wait(_ continuation: CheckedContinuation<CachedData?, Never>) -> Bool {
    state.withLock { state in
      guard case .new = state else { return false }
      state = .waiting(continuation)
      return true
    }
  }

  /// - Returns: `nil` if it was cancelled meanwhile.
  func begin() -> CheckedContinuation<CachedData?, Never>? { end() }

  func cancel() -> CheckedContinuation<CachedData?, Never>? { end() }

  private func end() -> CheckedContinuation<CachedData?, Never>? {
    state.withLock { state in
      defer { state = .over }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
  }
}
