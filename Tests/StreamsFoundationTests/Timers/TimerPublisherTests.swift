import Dispatch
import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("A timer's publisher")
struct TimerPublisherTests {
  let thread = LoopThread()
  let done = DispatchSemaphore(value: 0)

  @Test("sends dates on its run loop once connected, until that is cancelled")
  func ticks() {
    let line = Line<Bool>()
    let publisher = Timer.publish(every: 0.005, on: thread.loop, in: .default)
    let sink = publisher.sink { _ in
      line.add(thread.isCurrent)
      done.signal()
    }

    let connection = publisher.connect()
    for _ in 0..<3 { #expect(done.comes()) }
    thread.loop.schedule {
      connection.cancel()
      done.signal()
    }
    #expect(thread.stop())

    #expect(line.all.count >= 3)
    #expect(line.all.allSatisfy { $0 })
    withExtendedLifetime(sink) {}
  }

  @Test("sends nothing before it is connected")
  func unconnected() {
    let recorder = Timer.publish(every: 0.001, on: thread.loop, in: .default).record()
    defer { recorder.cancel() }

    thread.loop.schedule(after: thread.loop.now.advanced(by: 0.02)) { done.signal() }
    #expect(done.comes())

    #expect(recorder.values.isEmpty)
    #expect(thread.stop())
  }

  @Test("may be asked for nothing, and drops a date that was not asked for")
  func toleratesNothing() {
    let publisher = Timer.publish(every: 0.001, on: thread.loop, in: .default)
    let silent = publisher.record(demand: .none)
    defer { silent.cancel() }
    let sink = publisher.sink { _ in done.signal() }

    silent.request(.none)
    let connection = publisher.connect()
    for _ in 0..<2 { #expect(done.comes()) }
    thread.loop.schedule {
      connection.cancel()
      done.signal()
    }
    #expect(thread.stop())

    #expect(silent.values.isEmpty)
    withExtendedLifetime(sink) {}
  }

  @Test("connects with the first subscriber if told to")
  func autoconnect() {
    let sink = Timer.publish(every: 0.005, on: thread.loop, in: .default).autoconnect().sink { _ in
      done.signal()
    }

    #expect(done.comes())
    sink.cancel()
    #expect(thread.stop())
  }
}
