internal import Dispatch
internal import Streams
internal import Synchronization

extension DispatchQueue {
  /// Runs `work` on this queue without blocking the caller's thread.
  func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      async { continuation.resume(returning: work()) }
    }
  }
}

/// Signals work on another thread that its result is not needed any more.
final class CancellationFlag: Sendable, Reflected {
  private let isCancelled = Atomic(false)

  var isSet: Bool { isCancelled.load(ordering: .relaxed) }

  func set() { isCancelled.store(true, ordering: .relaxed) }
}
