import Foundation

/// A value for several threads. `Synchronization.Mutex` raises false reports under the thread sanitizer.
///
/// Unchecked, since the compiler does not see that the lock is around every use of the value.
final class Shared<Value>: @unchecked Sendable {
  private var value: Value
  private let lock = NSLock()

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
