package import Interleavings

/// In place of Dispatch's serial queue: a servant of the explorer does its work, in order.
///
/// It has one from its first work on.
package final class DispatchQueue: @unchecked Sendable {  // fibers share one thread
  private lazy var fiber = TaskFibers.shared.assign()

  package init(label _: String) {}

  func async(_ work: @escaping @Sendable () -> Void) { TaskFibers.shared.enqueue(on: fiber, work) }
}
