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

/// Does something for each number, as many at the same time as there are jobs.
func parallel<Value: Sendable>(
  _ count: Int, jobs: Int, _ body: @Sendable (Int) throws -> Value
) throws -> [Value] {
  let next = Shared(0), values = Shared<[Int: Value]>([:]), failure = Shared<(any Error)?>(nil)
  DispatchQueue.concurrentPerform(iterations: jobs) { _ in
    while failure.withLock({ $0 == nil }) {
      let index = next.withLock { number in
        defer { number += 1 }
        return number
      }
      guard index < count else { return }
      do {
        let value = try body(index)
        values.withLock { $0[index] = value }
      } catch {
        failure.withLock { $0 = error }
      }
    }
  }
  if let error = failure.withLock({ $0 }) { throw error }
  return values.withLock { values in (0..<count).map { values[$0]! } }
}
