internal import Dispatch
internal import Synchronization

extension DispatchQueue {
  /// Does `work` on this queue while the caller's thread does something else.
  func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      async { continuation.resume(returning: work()) }
    }
  }

  /// The same; if the task is cancelled before its turn comes, nothing is done.
  func perform<Value: Sendable>(
    ifCancelled fallback: Value, _ work: @escaping @Sendable () -> Value
  ) async -> Value {
    let flag = CancellationFlag()
    return await withTaskCancellationHandler {
      await perform { flag.isSet ? fallback : work() }
    } onCancel: {
      flag.set()
    }
  }
}

/// Tells work on another thread that nobody waits for it any more.
final class CancellationFlag: Sendable {
  private let isCancelled = Atomic(false)

  var isSet: Bool { isCancelled.load(ordering: .relaxed) }

  func set() { isCancelled.store(true, ordering: .relaxed) }
}
