import Foundation
import Streams
import StreamsFoundation
import StreamsFoundationExtras
import StreamsTesting

extension Scheduler {
  func timerPublisher(
    every interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil
  ) -> Publishers.Timer<Self> {
    note()
    return Publishers.Timer(every: interval, scheduler: self)
  }

  func eraseToAnyScheduler() -> String {
    note()
    return ""
  }

  func measure(_ work: () throws -> Void) rethrows -> String {
    note()
    return ""
  }
}

extension DispatchQueue {
  static var immediate: String {
    note()
    return ""
  }

  static var test: String {
    note()
    return ""
  }

  static func unimplemented(_ prefix: String = "") -> String {
    note()
    return ""
  }
}

extension RunLoop {
  static var immediate: String {
    note()
    return ""
  }
}

func schedulers() {
  show("schedulers") {
    _ = ImmediateScheduler.shared.timerPublisher(every: .init(1))
    _ = DispatchQueue.main.eraseToAnyScheduler()
    _ = RunLoop.main.eraseToAnyScheduler()
    _ = ImmediateScheduler.shared.measure {}
    _ = (DispatchQueue.immediate, DispatchQueue.test, DispatchQueue.unimplemented("x"), RunLoop.immediate)
  }
}
