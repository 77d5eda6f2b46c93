internal import Streams
internal import Synchronization

/// A task that is suspended until it is resumed with a result, or a closure that is called with it.
///
/// Waiting tasks are part of the state behind a lock. The thread that takes one out of its queue resumes it, after
/// unlocking.
package struct WaitingTask<Output: Sendable, Info: Sendable>: Sendable {
  /// Information for the owner of the queue.
  let info: Info
  private let resumption: @Sendable (Output) -> Void

  init(info: Info, _ resumption: @escaping @Sendable (Output) -> Void) {
    self.info = info
    self.resumption = resumption
  }

  func resume(returning output: Output) { resumption(output) }
}

/// The queue of tasks that wait for the same.
package typealias WaitingTasks<Output: Sendable, Info: Sendable> = PriorityQueue<WaitingTask<Output, Info>>

/// IDs of waiting tasks. A task has one before it is in a queue, so that it can be cancelled at any time.
enum WaitingTaskID {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

extension WaitingTask where Output == Void {
  func resume() { resume(returning: ()) }
}

extension Sequence {
  func resumeAll<Info>() where Element == WaitingTask<Void, Info> { for task in self { task.resume() } }
}

extension Guarded {
  /// Suspends the calling task until it is taken out of a queue and resumed.
  ///
  /// - Parameters:
  ///   - queue: Passes the queue in which the task waits to a closure. A key path would be looked up at run time.
  ///   - id: Its ID there.
  ///   - info: Information for the owner of the queue.
  ///   - priority: The priority in the queue. Called under the lock, so that the value read last is the latest.
  ///   - cancelled: The result if the task is cancelled before or while it waits. `nil` if it waits nevertheless.
  ///   - immediate: Returns the result if there is no need to wait. Called under the lock.
  ///   - enqueued: Called without the lock once the task is in the queue.
  package func wait<Output, Info>(
    in queue: @escaping @Sendable (inout Value, (inout WaitingTasks<Output, Info>) -> Void) -> Void,
    id: UInt64 = WaitingTaskID.next(),
    info: Info,
    priority: () -> Int = { 0 }, ifCancelled cancelled: Output?,
    unless immediate: (inout Value) -> Output? = { _ in nil }, enqueued: () -> Void = {}
  ) async -> Output where Value: Sendable {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let output = withLock { state -> Output? in
          if let output = immediate(&state) { return output }
          let task = WaitingTask<Output, Info>(info: info) { continuation.resume(returning: $0) }
          queue(&state) { $0.append(task, id: id, priority: priority()) }
          return nil
        }
        if let output { return continuation.resume(returning: output) }
        enqueued()
        // A task that was cancelled before it was in the queue has missed its cancellation handler.
        if Task.isCancelled { cancel(id, in: queue, cancelled) }
      }
    } onCancel: {
      cancel(id, in: queue, cancelled)
    }
  }

  private func cancel<Output, Info>(
    _ id: UInt64, in queue: (inout Value, (inout WaitingTasks<Output, Info>) -> Void) -> Void,
    _ output: Output?
  ) {
    guard let output else { return }
    let task = withLock { state in
      var task: WaitingTask<Output, Info>?
      queue(&state) { task = $0.remove(id) }
      return task
    }
    task?.resume(returning: output)
  }
}

/// A value that is set once, and that at most one task awaits.
final class Promise<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case pending
    case awaited(CheckedContinuation<Void, Never>)
    case fulfilled(Value)
  }

  private let state = Guarded(State.pending)

  var isFulfilled: Bool { state.withLock { if case .fulfilled = $0 { true } else { false } } }

  /// Suspends the calling task until there is a value. Calls `waiting` once the task waits.
  ///
  /// Cancelling the task fulfils the promise with `cancelled`.
  func value(ifCancelled cancelled: Value, waiting: () -> Void) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        setWaiting(continuation)
        waiting()
      }
    } onCancel: {
      fulfil(cancelled)
    }
    // The thread sanitizer sees the order of threads in the lock, and not always in a continuation.
    return state.withLock { state in
      if case .fulfilled(let value) = state { value } else { cancelled }
    }
  }

  private func setWaiting(_ continuation: CheckedContinuation<Void, Never>) {
    let isFulfilled = state.withLock { state in
      if case .fulfilled = state { return true }
      state = .awaited(continuation)
      return false
    }
    if isFulfilled { continuation.resume() }
  }

  /// Sets the value, unless it is set already.
  func fulfil(_ value: Value) {
    let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
      let earlier = state
      switch earlier {
      case .fulfilled: return nil
      case .pending, .awaited: state = .fulfilled(value)
      }
      if case .awaited(let continuation) = earlier { return continuation }
      return nil
    }
    waiting?.resume()
  }
}
