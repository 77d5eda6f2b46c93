internal import Interleavings

/// In place of the runtime's, whose cancellation the explorer cannot see: the flag is an atomic of the explorer, and
/// handlers run under a lock of the task, as in the runtime.
package struct Task<Success: Sendable, Failure: Error>: Sendable {
  private let task: _Concurrency.Task<Success, Failure>
  private let context: TaskContext

  /// Cancels the task: calls its cancellation handlers, once.
  package func cancel() { context.cancel() }

  package var isOver: Bool { context.isOver }
}

extension Task where Failure == Never {
  /// - Parameter fiber: The fiber that it runs on, or `nil` for a servant.
  package init(on fiber: Int?, _ operation: @escaping @Sendable () async -> Success) {
    let context = TaskContext()
    self.context = context
    task = TaskFibers.shared.create(on: fiber) {
      _Concurrency.Task.detached {
        let result = await TaskContext.$current.withValue(context) { await operation() }
        context.end()
        return result
      }
    }
  }

  @discardableResult
  package init(priority _: TaskPriority? = nil, operation: @escaping @Sendable () async -> Success) {
    self.init(on: nil, operation)
  }

  @discardableResult
  package static func detached(
    priority _: TaskPriority? = nil, operation: @escaping @Sendable () async -> Success
  ) -> Task {
    Task(on: nil, operation)
  }

  package var value: Success {
    get async {
      let value = await task.value
      context.joinEnd()
      return value
    }
  }
}

extension Task where Success == Never, Failure == Never {
  package static var isCancelled: Bool { TaskContext.current?.isCancelled ?? false }
}

/// What a task has besides its body: whether it is cancelled, and its cancellation handlers.
final class TaskContext: @unchecked Sendable {  // fibers share one thread
  @TaskLocal static var current: TaskContext?

  private let token = Token()
  private let explorer = Explorer.shared
  /// One bit for the cancellation, and the number of handlers. The runtime accesses it without an order, too.
  private let status = Atomic<UInt64>(0)
  private let lock = Explorer.shared.newObject()
  private var owner: Int?
  private var past = VectorClock()
  private var handlers: [(number: UInt64, body: () -> Void)] = []
  private var lastNumber: UInt64 = 0
  private(set) var isOver = false
  private var ending = VectorClock()

  var isCancelled: Bool { status.load(ordering: .relaxed) & 1 != 0 }

  func end() {
    ending = explorer.publish()
    isOver = true
  }

  func joinEnd() { explorer.join(ending) }

  func cancel() {
    let earlier = status.bitwiseOr(1, ordering: .relaxed).oldValue
    guard earlier & 1 == 0, earlier > 0 else { return }
    acquire()
    let handlers = handlers
    for handler in handlers.reversed() { handler.body() }
    release()
  }

  /// - Returns: The number of the handler, or `nil` if the task is cancelled already; then it was called.
  func add(_ handler: @escaping () -> Void) -> UInt64? {
    acquire()
    lastNumber += 1
    let number = lastNumber
    handlers.append((number, handler))
    let isCancelled = status.add(2, ordering: .relaxed).oldValue & 1 != 0
    if isCancelled { handlers.removeLast() }
    release()
    if !isCancelled { return number }
    handler()
    return nil
  }

  func remove(_ number: UInt64) {
    acquire()
    handlers.removeAll { $0.number == number }
    status.subtract(2, ordering: .relaxed)
    release()
  }

  // Not a lock of the explorer: it is held while handlers run, which is no fault of theirs.
  private func acquire() {
    explorer.point(lock)
    explorer.wait(for: lock) { [unowned self] in owner == nil }
    owner = explorer.runner
    explorer.join(past)
  }

  private func release() {
    owner = nil
    past = explorer.publish()
    explorer.touch(lock)
  }
}

package func withTaskCancellationHandler<Value>(
  operation: () async throws -> Value, onCancel handler: @Sendable () -> Void,
  isolation: isolated (any Actor)? = #isolation
) async rethrows -> Value {
  guard let context = TaskContext.current else { fatalError("There is no task of the explorer.") }
  // Removed before this returns, as the runtime's is.
  nonisolated(unsafe) let operation = operation
  return try await withoutActuallyEscaping(handler) { handler in
    let number = context.add(handler)
    defer { if let number { context.remove(number) } }
    return try await operation()
  }
}
