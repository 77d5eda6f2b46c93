import Dispatch
import Foundation
import Streams
import StreamsFoundation
import Testing

/// A scheduler of Foundation, and what a test needs of it beyond the protocol.
protocol SchedulerStand {
  associatedtype Context: Scheduler

  var scheduler: Context { get }
  /// How much earlier than its date an action may run.
  var slack: Context.SchedulerTimeType.Stride { get }
  /// Dates that are over or invalid, and dates that never come.
  var past: [Context.SchedulerTimeType] { get }
  var never: [Context.SchedulerTimeType] { get }
  /// Runs `body` while no action of the scheduler begins.
  func whileIdle(_ body: @escaping () -> Void)
  /// Waits until all actions that are due have run.
  func stop() -> Bool
}

/// One of the schedulers.
enum SchedulerKind: String, CaseIterable {
  case dispatchQueue, serialOperationQueue, operationQueue, runLoop

  func stand() -> any SchedulerStand {
    switch self {
    case .dispatchQueue: DispatchQueueStand()
    case .serialOperationQueue: OperationQueueStand(width: 1)
    case .operationQueue: OperationQueueStand(width: 4)
    case .runLoop: RunLoopStand()
    }
  }
}

private struct DispatchQueueStand: SchedulerStand {
  let scheduler = DispatchQueue(label: "tested")
  let slack = DispatchQueue.SchedulerTimeType.Stride.zero

  var past: [DispatchQueue.SchedulerTimeType] {
    [scheduler.now.advanced(by: -3600), scheduler.now.advanced(by: .nanoseconds(.min))]
  }
  var never: [DispatchQueue.SchedulerTimeType] { [.init(.distantFuture)] }

  func whileIdle(_ body: @escaping () -> Void) { scheduler.sync(execute: body) }

  func stop() -> Bool {
    scheduler.sync {}
    return true
  }
}

private struct OperationQueueStand: SchedulerStand {
  let scheduler = OperationQueue()
  let slack = OperationQueue.SchedulerTimeType.Stride.milliseconds(1)
  let past = WallClock.past.map { OperationQueue.SchedulerTimeType($0) }
  let never = WallClock.never.map { OperationQueue.SchedulerTimeType($0) }

  init(width: Int) { scheduler.maxConcurrentOperationCount = width }

  func whileIdle(_ body: @escaping () -> Void) {
    scheduler.isSuspended = true
    body()
    scheduler.isSuspended = false
  }

  func stop() -> Bool {
    scheduler.cancelAllOperations()
    scheduler.waitUntilAllOperationsAreFinished()
    return true
  }
}

private struct RunLoopStand: SchedulerStand {
  private let thread = LoopThread()
  let slack = RunLoop.SchedulerTimeType.Stride.milliseconds(1)
  let past = WallClock.past.map { RunLoop.SchedulerTimeType($0) }
  let never = WallClock.never.map { RunLoop.SchedulerTimeType($0) }

  var scheduler: RunLoop { thread.loop }

  func whileIdle(_ body: @escaping () -> Void) { scheduler.schedule(body) }
  func stop() -> Bool { thread.stop() }
}

private enum WallClock {
  static let past = [-3600, -.infinity, .nan, -1e300].map { Date(timeIntervalSinceReferenceDate: $0) }
  static let never = [Date.distantFuture, Date(timeIntervalSinceReferenceDate: .infinity)]
}
