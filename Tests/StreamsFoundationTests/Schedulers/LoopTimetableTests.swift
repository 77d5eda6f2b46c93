import CoreFoundation
import Dispatch
import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("`RunLoop`: delayed actions")
struct LoopTimetableTests {
  private let done = DispatchSemaphore(value: 0)

  @Test("A run loop runs delayed actions by date, then in scheduling order")
  func order() {
    let thread = LoopThread()
    let line = Line<Int>()

    // On the thread of the loop, so none runs before all are scheduled.
    thread.loop.schedule {
      let loop = thread.loop!
      let start = loop.now.advanced(by: .milliseconds(1))
      for number in (0..<500).reversed() {
        for part in 0..<2 {
          loop.schedule(after: start.advanced(by: .microseconds(number))) { line.add(2 * number + part) }
        }
      }
      loop.schedule(after: start.advanced(by: .milliseconds(1))) { done.signal() }
    }

    #expect(done.comes())
    #expect(line.all == Array(0..<1000))
    #expect(thread.stop())
  }

  @Test("A run loop uses one timer for all delayed actions")
  func oneTimer() {
    let thread = LoopThread()
    let loop = thread.loop!

    let before = mentionsOfTimers(of: thread)
    for number in 0..<1_000 { loop.schedule(after: loop.now.advanced(by: .seconds(1_000 - number % 500))) {} }
    let after = mentionsOfTimers(of: thread)

    // Before, there is the one with which the thread keeps its loop running. A description may mention each several times.
    #expect(before > 0)
    #expect(after == 2 * before)
    #expect(thread.stop())
  }

  @Test("A run loop runs concurrently scheduled actions once, unless they are cancelled")
  func concurrent() {
    let thread = LoopThread()
    let line = Line<Int>()
    let tokens = Guarded<[any Cancellable]>([])

    DispatchQueue.concurrentPerform(iterations: 4) { part in
      let loop = thread.loop!
      for number in 0..<250 {
        let date = loop.now.advanced(by: .microseconds(number * 7919 % 3000))
        loop.schedule(after: date) {
          line.add(part * 1000 + number)
          done.signal()
        }
        let token = loop.scheduleOnce(after: date.advanced(by: .seconds(300)), tolerance: 0) { line.add(-1) }
        if number % 2 == 0 { token.cancel() } else { tokens.withLock { $0.append(token) } }
      }
    }
    let have = done.comes(1000)
    for token in tokens.withLock({ $0 }) { token.cancel() }

    #expect(have)
    #expect(line.all.sorted() == (0..<4).flatMap { part in (0..<250).map { part * 1000 + $0 } })
    #expect(thread.stop())
  }

  @Test("A delayed action runs while another one runs the run loop")
  func nestedRun() {
    let thread = LoopThread()
    let loop = thread.loop!
    let line = Line<Int>()
    let date = loop.now.advanced(by: .milliseconds(2))

    loop.schedule(after: date) {
      line.add(1)
      while line.count < 2 {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
      }
      line.add(3)
      done.signal()
    }
    loop.schedule(after: date) { line.add(2) }

    #expect(done.comes())
    #expect(line.all == [1, 2, 3])
    #expect(thread.stop())
  }

  @Test("A run loop releases its delayed actions when its thread ends", arguments: [true, false])
  func threadEnds(onThread: Bool) {
    let lifetimes = Lifetimes()
    let hasEnded = DispatchSemaphore(value: 0)
    let isScheduled = DispatchSemaphore(value: 0)
    let schedule: @Sendable (RunLoop) -> Void = { loop in
      let object = lifetimes.track(Line<Int>(), as: "an object")
      loop.schedule(after: loop.now.advanced(by: .seconds(300))) { object.add(1) }
    }

    let loops = Guarded<RunLoop?>(nil)
    Thread.detachNewThread {
      loops.withLock { $0 = RunLoop.current }
      if onThread { schedule(.current) } else { isScheduled.wait() }
      _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
      hasEnded.signal()
    }
    if !onThread {
      while loops.withLock({ $0 }) == nil { sched_yield() }
      schedule(loops.withLock { $0! })
      isScheduled.signal()
    }
    let have = hasEnded.comes()
    loops.withLock { $0 = nil }

    #expect(have)
    #expect(lifetimes.end())
  }

  @Test("Cancelling the last delayed action removes the timer, so that the run loop returns")
  func returns() {
    let line = Line<Bool>()

    Thread.detachNewThread {
      let loop = RunLoop.current
      let tokens = (0..<3).map { number in
        loop.scheduleOnce(after: loop.now.advanced(by: .seconds(300 + number)), tolerance: 0) {}
      }
      line.add(loop.run(mode: .default, before: Date()))
      for token in tokens { token.cancel() }
      line.add(loop.run(mode: .default, before: Date()))
      done.signal()
    }

    #expect(done.comes())
    #expect(line.all == [true, false])
  }

  private func mentionsOfTimers(of thread: LoopThread) -> Int {
    let counts = Line<Int>()
    thread.loop.schedule {
      let text = CFCopyDescription(CFRunLoopGetCurrent())!
      var bytes = [CChar](repeating: 0, count: 4 * CFStringGetLength(text) + 1)
      CFStringGetCString(text, &bytes, bytes.count, CFStringBuiltInEncodings.UTF8.rawValue)
      let description = String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
      counts.add(description.components(separatedBy: "<CFRunLoopTimer").count - 1)
      done.signal()
    }
    _ = done.comes()
    return counts.all[0]
  }
}
