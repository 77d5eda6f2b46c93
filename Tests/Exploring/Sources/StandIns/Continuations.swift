internal import Interleavings

/// In place of the runtime's continuations, of which the explorer cannot see what they order: what resumes a task
/// happens before what follows in the task.
///
/// Resuming a task twice is reported, not trapped, and so is resuming one while a lock is held. A task that is never
/// resumed is found as a deadlock.
package struct UnsafeContinuation<Value, Failure: Error>: Sendable {
  fileprivate final class Resumption: @unchecked Sendable {  // fibers share one thread
    let object = Explorer.shared.newObject()
    var past: VectorClock?
  }

  fileprivate let continuation: _Concurrency.UnsafeContinuation<Value, Never>
  fileprivate let resumption: Resumption

  package func resume(returning value: sending Value) {
    let explorer = Explorer.shared
    explorer.checkNoLockIsHeld("resuming a task")
    explorer.point(resumption.object)
    guard resumption.past == nil else { return explorer.fail("X06: a task is resumed twice") }
    resumption.past = explorer.publish()
    continuation.resume(returning: value)
  }
}

extension UnsafeContinuation where Value == Void {
  package func resume() { resume(returning: ()) }
}

package typealias CheckedContinuation = UnsafeContinuation

package func withUnsafeContinuation<Value>(
  isolation: isolated (any Actor)? = #isolation, _ body: (UnsafeContinuation<Value, Never>) -> Void
) async -> sending Value {
  let resumption = UnsafeContinuation<Value, Never>.Resumption()
  let value = await _Concurrency.withUnsafeContinuation(isolation: isolation) {
    body(UnsafeContinuation(continuation: $0, resumption: resumption))
  }
  Explorer.shared.join(resumption.past ?? VectorClock())
  return value
}

package func withCheckedContinuation<Value>(
  isolation: isolated (any Actor)? = #isolation, _ body: (CheckedContinuation<Value, Never>) -> Void
) async -> sending Value {
  await withUnsafeContinuation(isolation: isolation, body)
}
