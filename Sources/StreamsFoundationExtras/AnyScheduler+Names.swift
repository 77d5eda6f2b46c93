public import Dispatch
public import Foundation

extension AnySchedulerOf<DispatchQueue> {
  /// The main queue.
  public static var main: Self { DispatchQueue.main.eraseToAnyScheduler() }

  /// The system's queue for work of `qos`.
  public static func global(qos: DispatchQoS.QoSClass = .default) -> Self {
    DispatchQueue.global(qos: qos).eraseToAnyScheduler()
  }

  /// Runs everything immediately.
  public static var immediate: Self { DispatchQueue.immediate.eraseToAnyScheduler() }
}

extension AnySchedulerOf<OperationQueue> {
  /// The main queue.
  public static var main: Self { OperationQueue.main.eraseToAnyScheduler() }

  /// Runs everything immediately.
  public static var immediate: Self { OperationQueue.immediate.eraseToAnyScheduler() }
}

extension AnySchedulerOf<RunLoop> {
  /// The run loop of the main thread.
  public static var main: Self { RunLoop.main.eraseToAnyScheduler() }

  /// Runs everything immediately.
  public static var immediate: Self { RunLoop.immediate.eraseToAnyScheduler() }
}

extension RunLoop {
  /// Erases the type of the run loop, and keeps its time and options. Any thread may schedule on the result.
  @_disfavoredOverload
  public func eraseToAnyScheduler() -> AnySchedulerOf<RunLoop> { AnyScheduler(usableFromAnyThread: self) }
}
