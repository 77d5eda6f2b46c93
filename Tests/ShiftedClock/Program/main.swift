import Foundation
import Streams
import StreamsExtras
import StreamsFoundation

// ShiftedClock
//
// Prints how many seconds each scheduler and timer takes for twelve ticks of 100 ms, while the wall clock is set forward by a
// day, and back; and by how many seconds it was set.

let schedulers: [(name: String, start: @Sendable (@escaping @Sendable () -> Void) -> AnyCancellable)] = [
  ("queue", { every(DispatchQueue(label: "ticks"), $0) }),
  ("task", { every(ClockScheduler(clock: ContinuousClock()), $0) }),
  ("main queue", { every(DispatchQueue.main, $0) }),
  ("operation queue", { every(OperationQueue(), $0) }),
  ("run loop", { every(BackgroundLoop.start(), $0) }),
  ("main run loop", { every(RunLoop.main, $0) }),
  (
    "timer",
    { tick in
      Timer.publish(every: Ticks.interval, on: .main, in: .common).autoconnect().sink { _ in tick() }
    }
  ),
]

func every<S: Scheduler>(_ scheduler: S, _ tick: @escaping @Sendable () -> Void) -> AnyCancellable {
  let cancellable = scheduler.schedule(
    after: scheduler.now.advanced(by: .seconds(Ticks.interval)), interval: .seconds(Ticks.interval),
    tolerance: .zero, options: nil, tick)
  return AnyCancellable { cancellable.cancel() }
}

enum BackgroundLoop {
  static func start() -> RunLoop {
    // Written before the semaphore is signalled, and read after.
    nonisolated(unsafe) var loop: RunLoop?
    let isThere = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      loop = RunLoop.current
      // A loop without a timer ends at once.
      RunLoop.current.add(
        Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }, forMode: .default)
      isThere.signal()
      RunLoop.current.run()
    }
    isThere.wait()
    return loop!
  }
}

// A scheduler that follows the clock back would tick again in a day.
DispatchQueue.global().asyncAfter(deadline: .now() + 60) { exit(1) }
var running: [AnyCancellable] = []
let times = await withCheckedContinuation { ended in
  let ticks = Ticks(schedulers.map(\.name), ended)
  for (name, start) in schedulers { running.append(start { ticks.tick(name) }) }
}
for (name, seconds) in times.sorted(by: { $0.key < $1.key }) { print("\(name)\t\(seconds)") }
