public import Dispatch
public import Foundation
internal import Streams
public import StreamsExtras
public import StreamsFoundation
internal import StreamsFoundationExtras

extension DispatchQueue {
  /// A scheduler for code that must not schedule, in place of a queue.
  @_disfavoredOverload
  public static var unimplemented: UnimplementedSchedulerOf<DispatchQueue> { unimplemented("DispatchQueue") }

  /// A scheduler for code that must not schedule. Its use stops the program with `prefix`, or calls `onUse`.
  @_disfavoredOverload
  public static func unimplemented(
    _ prefix: String, onUse: (@Sendable (UnimplementedSchedulerOf<DispatchQueue>.Use) -> Void)? = nil
  ) -> UnimplementedSchedulerOf<DispatchQueue> {
    UnimplementedScheduler(prefix, now: DispatchQueue.immediate.now, onUse: onUse)
  }
}

extension OperationQueue {
  /// A scheduler for code that must not schedule, in place of a queue.
  @_disfavoredOverload
  public static var unimplemented: UnimplementedSchedulerOf<OperationQueue> {
    unimplemented("OperationQueue")
  }

  /// A scheduler for code that must not schedule. Its use stops the program with `prefix`, or calls `onUse`.
  @_disfavoredOverload
  public static func unimplemented(
    _ prefix: String, onUse: (@Sendable (UnimplementedSchedulerOf<OperationQueue>.Use) -> Void)? = nil
  ) -> UnimplementedSchedulerOf<OperationQueue> {
    UnimplementedScheduler(prefix, now: OperationQueue.immediate.now, onUse: onUse)
  }
}

extension RunLoop {
  /// A scheduler for code that must not schedule, in place of a run loop.
  @_disfavoredOverload
  public static var unimplemented: UnimplementedSchedulerOf<RunLoop> { unimplemented("RunLoop") }

  /// A scheduler for code that must not schedule. Its use stops the program with `prefix`, or calls `onUse`.
  @_disfavoredOverload
  public static func unimplemented(
    _ prefix: String, onUse: (@Sendable (UnimplementedSchedulerOf<RunLoop>.Use) -> Void)? = nil
  ) -> UnimplementedSchedulerOf<RunLoop> {
    UnimplementedScheduler(prefix, now: RunLoop.immediate.now, onUse: onUse)
  }
}

extension UIScheduler {
  /// A scheduler for code that must not schedule, in place of the scheduler of the main actor.
  public static var unimplemented: UnimplementedSchedulerOf<UIScheduler> { unimplemented("UIScheduler") }

  /// A scheduler for code that must not schedule. Its use stops the program with `prefix`, or calls `onUse`.
  public static func unimplemented(
    _ prefix: String, onUse: (@Sendable (UnimplementedSchedulerOf<UIScheduler>.Use) -> Void)? = nil
  ) -> UnimplementedSchedulerOf<UIScheduler> {
    UnimplementedScheduler(prefix, now: immediate.now, onUse: onUse)
  }
}

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
