import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation

let clockTimers = timers("clock", "n timers of a ClockScheduler, a timer", sizes: powersOfTen) {
  size, fired in
  let scheduler = TaskScheduler()
  let now = scheduler.now
  for number in 0..<size { scheduler.schedule(after: now.advanced(by: .microseconds(number))) { fired() } }
}

let queueTimers = timers("queue", "n timers of a DispatchQueue, a timer", sizes: powersOfTen) { size, fired in
  let queue = DispatchQueue(label: "growth")
  let now = DispatchQueue.SchedulerTimeType(.now())
  for number in 0..<size { queue.schedule(after: now.advanced(by: .microseconds(number))) { fired() } }
}

let loopTimers = timers(
  "loop", "n timers of a run loop, a timer", sizes: [1, 10, 100, 1000, 10_000]
) { size, fired in
  let loop = Thread {
    let now = RunLoop.current.now
    for number in 0..<size {
      RunLoop.current.schedule(after: now.advanced(by: .microseconds(number))) { fired() }
    }
    while RunLoop.current.run(mode: .default, before: .distantFuture) {}
  }
  loop.start()
}

/// Schedules timers that are due one after the other, and waits for all.
private func timers(
  _ name: String, _ title: String, sizes: [Int],
  _ schedule: @escaping @Sendable (_ size: Int, _ fired: @escaping @Sendable () -> Void) -> Void
) -> Series {
  Series(name: name, title: title, share: { $0 }, sizes: sizes, events: { _ in (0, 1) }) { size, count in
    guard count > 0 else { return 0 }
    let (left, isOver) = (Guarded(size), DispatchSemaphore(value: 0))
    schedule(size) {
      let isLast = left.withLock { left in
        left -= 1
        return left == 0
      }
      if isLast { isOver.signal() }
    }
    isOver.wait()
    return size
  }
}

private final class Guarded: @unchecked Sendable {  // under its lock only
  private let lock = NSLock()
  private var value: Int

  init(_ value: Int) { self.value = value }

  func withLock<Result>(_ body: (inout Int) -> Result) -> Result { lock.withLock { body(&value) } }
}
