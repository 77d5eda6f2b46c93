import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("`RunLoop` as a scheduler")
struct RunLoopTests {
  let thread = LoopThread()
  let done = DispatchSemaphore(value: 0)

  @Test("A run loop wakes up and runs actions on its thread in order")
  func order() {
    let line = Line<Int>()

    for number in 0..<100 {
      thread.loop.schedule {
        line.add(thread.isCurrent ? number : -1)
        done.signal()
      }
      // One at a time: the loop falls asleep in between.
      #expect(done.comes())
    }
    for number in 100..<1000 { thread.loop.schedule { line.add(thread.isCurrent ? number : -1) } }

    #expect(thread.stop())
    #expect(line.all == Array(0..<1000))
  }

  @Test("An action scheduled on the thread of the run loop runs later")
  func nested() {
    let line = Line<Int>()

    thread.loop.schedule {
      thread.loop.schedule {
        line.add(2)
        done.signal()
      }
      line.add(1)
    }

    #expect(done.comes())
    #expect(line.all == [1, 2])
    #expect(thread.stop())
  }

  @Test("A run loop runs an action only in the mode of its options")
  func mode() {
    let mode = RunLoop.Mode("particular")
    let particular = LoopThread(mode: mode)
    let line = Line<String>()
    let loop = particular.loop!

    loop.schedule { line.add("default") }
    loop.schedule(after: loop.now) { line.add("default, delayed") }
    loop.schedule(options: .init(mode: mode)) { line.add("particular") }
    loop.schedule(after: loop.now, tolerance: 0, options: .init(mode: mode)) {
      line.add("particular, delayed")
    }
    loop.schedule(
      after: loop.now.advanced(by: .milliseconds(20)), tolerance: 0, options: .init(mode: mode)
    ) { done.signal() }

    #expect(done.comes())
    #expect(line.all.sorted() == ["particular", "particular, delayed"])
    #expect(particular.stop(mode: mode))
  }
}
