internal import Dispatch
internal import Streams
internal import Synchronization

extension DispatchQueue {
  /// Does `work` on this queue while the caller's thread does something else.
  func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      async { continuation.resume(returning: work()) }
    }
  }
}

/// Tells work on another thread that nobody waits for it any more.
final class CancellationFlag: Sendable, Reflected {
  private let isCancelled = Atomic(false)

  var isSet: Bool { isCancelled.load(ordering: .relaxed) }

  func set() { isCancelled.store(true, ordering: .relaxed) }
}
