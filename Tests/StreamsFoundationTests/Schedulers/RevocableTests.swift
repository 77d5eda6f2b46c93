import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("`RevocableScheduler`")
struct RevocableTests {
  private let done = DispatchSemaphore(value: 0)

  @Test("`scheduleOnce` runs its action once and not before its date")
  func runs() {
    let thread = LoopThread()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1

    runs(on: DispatchQueue(label: "once"))
    runs(on: queue)
    runs(on: thread.loop)

    #expect(thread.stop())
  }

  @Test("`scheduleOnce` runs its action once on the main actor")
  func runsOnMainActor() async {
    let line = Line<Bool>()
    let scheduler = MainActorScheduler.shared
    let date = scheduler.now.advanced(by: .milliseconds(5))

    await withCheckedContinuation { continuation in
      let token = scheduler.scheduleOnce(after: date, tolerance: .zero) { line.add(date <= scheduler.now) }
      scheduler.schedule(after: date.advanced(by: .milliseconds(20))) {
        token.cancel()
        continuation.resume()
      }
    }

    #expect(line.all == [true])
  }

  @Test("Cancelling a scheduled action releases it without running it")
  func takenBack() {
    let thread = LoopThread()
    let lifetimes = Lifetimes()
    let queue = DispatchQueue(label: "once")

    takeBack(on: queue, lifetimes, "queue")
    takeBack(on: OperationQueue(), lifetimes, "operation queue")
    takeBack(on: thread.loop, lifetimes, "run loop")
    takeBack(on: MainActorScheduler.shared, lifetimes, "main actor")
    // A queue releases a timer's closure in a job of its own.

    #expect(lifetimes.end())
    #expect(thread.stop())
  }

  private func runs<Context: RevocableScheduler>(on scheduler: Context) {
    let line = Line<Bool>()
    let date = scheduler.now.advanced(by: .milliseconds(5))

    let token = scheduler.scheduleOnce(after: date, tolerance: scheduler.minimumTolerance) {
      line.add(date.distance(to: scheduler.now) > .milliseconds(-1))
    }
    scheduler.schedule(after: date.advanced(by: .milliseconds(20))) { done.signal() }

    #expect(done.comes())
    #expect(line.all == [true])
    token.cancel()
  }

  private func takeBack<Context: RevocableScheduler>(
    on scheduler: Context, _ lifetimes: Lifetimes, _ name: String
  ) {
    let object = lifetimes.track(Line<Int>(), as: name)
    let date = scheduler.now.advanced(by: .seconds(300))

    let token = scheduler.scheduleOnce(after: date, tolerance: scheduler.minimumTolerance) { object.add(1) }

    token.cancel()
  }
}
