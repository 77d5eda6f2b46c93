import NIOCore
import NIOEmbedded
import Streams
import StreamsNIO
import StreamsTesting

/// A scheduler in virtual time whose actions an event loop runs, so that the laws are checked on that.
struct EmbeddedTime: Scheduler {
  let loop: EmbeddedEventLoop
  let time: VirtualScheduler

  var now: VirtualTime { time.now }
  var minimumTolerance: VirtualTime.Stride { .zero }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    loop.scheduler.schedule(options: nil, action)
    time.schedule { loop.run() }
  }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    loop.scheduler.schedule(after: deadline(of: date), action)
    time.schedule(after: date) { loop.advanceTime(to: deadline(of: date).deadline) }
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let onLoop = loop.scheduler.schedule(
      after: deadline(of: date), interval: .nanoseconds(interval.nanoseconds), action)
    let turning = time.schedule(after: date, interval: interval) {
      loop.advanceTime(to: deadline(of: time.now).deadline)
    }
    return AnyCancellable {
      onLoop.cancel()
      turning.cancel()
    }
  }

  private func deadline(of date: VirtualTime) -> EventLoopScheduler.SchedulerTimeType {
    EventLoopScheduler.SchedulerTimeType(.uptimeNanoseconds(UInt64(max(0, date.elapsed.nanoseconds))))
  }
}
