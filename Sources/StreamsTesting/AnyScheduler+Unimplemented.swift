public import Dispatch
public import Foundation
public import StreamsExtras
public import StreamsFoundation

extension AnySchedulerOf<DispatchQueue> {
  /// A scheduler for code that must not schedule, in place of a queue.
  @_disfavoredOverload
  public static var unimplemented: Self { DispatchQueue.unimplemented.eraseToAnyScheduler() }

  /// A scheduler for code that must not schedule. Its use stops the program with `prefix`, or calls `onUse`.
  @_disfavoredOverload
  public static func unimplemented(
    _ prefix: String, onUse: (@Sendable (UnimplementedSchedulerOf<DispatchQueue>.Use) -> Void)? = nil
  ) -> Self {
    DispatchQueue.unimplemented(prefix, onUse: onUse).eraseToAnyScheduler()
  }
}

extension AnySchedulerOf<OperationQueue> {
  /// A scheduler for code that must not schedule, in place of a queue.
  @_disfavoredOverload
  public static var unimplemented: Self { OperationQueue.unimplemented.eraseToAnyScheduler() }

  /// A scheduler for code that must not schedule. Its use stops the program with `prefix`, or calls `onUse`.
  @_disfavoredOverload
  public static func unimplemented(
    _ prefix: String, onUse: (@Sendable (UnimplementedSchedulerOf<OperationQueue>.Use) -> Void)? = nil
  ) -> Self {
    OperationQueue.unimplemented(prefix, onUse: onUse).eraseToAnyScheduler()
  }
}

extension AnySchedulerOf<RunLoop> {
  /// A scheduler for code that must not schedule, in place of a run loop.
  @_disfavoredOverload
  public static var unimplemented: Self { RunLoop.unimplemented.eraseToAnyScheduler() }

  /// A scheduler for code that must not schedule. Its use stops the program with `prefix`, or calls `onUse`.
  @_disfavoredOverload
  public static func unimplemented(
    _ prefix: String, onUse: (@Sendable (UnimplementedSchedulerOf<RunLoop>.Use) -> Void)? = nil
  ) -> Self {
    RunLoop.unimplemented(prefix, onUse: onUse).eraseToAnyScheduler()
  }
}

extension AnySchedulerOf<UIScheduler> {
  /// A scheduler for code that must not schedule, in place of the scheduler of the main actor.
  public static var unimplemented: Self { UIScheduler.unimplemented.eraseToAnyScheduler() }

  /// A scheduler for code that must not schedule. Its use stops the program with `prefix`, or calls `onUse`.
  public static func unimplemented(
    _ prefix: String, onUse: (@Sendable (UnimplementedSchedulerOf<UIScheduler>.Use) -> Void)? = nil
  ) -> Self {
    UIScheduler.unimplemented(prefix, onUse: onUse).eraseToAnyScheduler()
  }
}
