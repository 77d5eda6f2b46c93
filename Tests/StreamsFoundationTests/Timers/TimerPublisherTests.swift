import Dispatch
import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("`Timer.TimerPublisher`")
struct TimerPublisherTests {
  let thread = LoopThread()
  let done = DispatchSemaphore(value: 0)

  @Test("A connected timer publisher sends dates on its run loop until cancelled")
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

  @Test("A timer publisher sends on its run loop, also while another thread subscribes")
  func subscribing() {
    let (line, passed) = (Line<Bool>(), DispatchSemaphore(value: 0))
    let publisher = Timer.publish(every: 0.001, on: thread.loop, in: .default)
    let first = publisher.sink(
      receiveValue: { _ in
        line.add(thread.isCurrent)
        done.signal()
      }, isolation: nil)

    let second = publisher.handleEvents(receiveSubscription: { _ in
      thread.loop.schedule {
        let connection = publisher.connect()
        thread.loop.schedule(after: thread.loop.now.advanced(by: 0.02)) {
          connection.cancel()
          passed.signal()
        }
      }
      #expect(passed.comes())
    }).sink(receiveValue: { _ in }, isolation: nil)
    #expect(done.comes())
    #expect(thread.stop())

    #expect(line.all.allSatisfy { $0 })
    for cancellable in [first, second] { cancellable.cancel() }
  }

  @Test("A timer publisher sends nothing before it is connected")
  func unconnected() {
    let recorder = Timer.publish(every: 0.001, on: thread.loop, in: .default).record()
    defer { recorder.cancel() }

    thread.loop.schedule(after: thread.loop.now.advanced(by: 0.02)) { done.signal() }
    #expect(done.comes())

    #expect(recorder.values.isEmpty)
    #expect(thread.stop())
  }

  @Test("A timer publisher accepts a request for no values and drops unrequested dates")
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

  @Test("`autoconnect` connects a timer publisher with its first subscriber")
  func autoconnect() {
    let sink = Timer.publish(every: 0.005, on: thread.loop, in: .default).autoconnect().sink { _ in
      done.signal()
    }

    #expect(done.comes())
    sink.cancel()
    #expect(thread.stop())
  }

  @Test("A deallocated timer publisher releases its subscribers")
  func lifetimes() {
    let leaked = Lifetimes.leaks { lifetimes in
      let publisher = lifetimes.track(
        Timer.publish(every: 1000, on: thread.loop, in: .default), as: "the timer")
      lifetimes.track(publisher.record(), as: "the subscriber")
    }

    #expect(leaked.isEmpty)
    #expect(thread.stop())
  }

  @Test("A connected timer publisher keeps sending when nothing else retains it")
  func keepsItself() {
    let (sink, connection) = {
      let publisher = Timer.publish(every: 0.001, on: thread.loop, in: .default)
      return (publisher.sink { _ in done.signal() }, publisher.connect())
    }()

    #expect(done.comes(3))

    connection.cancel()
    sink.cancel()
    #expect(thread.stop())
  }

  @Test("Cancelling one connection of a timer publisher keeps the others running")
  func connections() {
    let publisher = Timer.publish(every: 0.001, on: thread.loop, in: .default)
    let sink = publisher.sink { _ in done.signal() }
    let connections = [publisher.connect(), publisher.connect()]

    connections[0].cancel()
    #expect(done.comes(10))

    connections[1].cancel()
    sink.cancel()
    #expect(thread.stop())
  }

  @Test("A timer publisher stores its tolerance")
  func tolerance() {
    let publisher = Timer.publish(every: 1, tolerance: 0.5, on: thread.loop, in: .default)

    #expect(publisher.tolerance == 0.5)
    #expect(thread.stop())
  }

  @Test("A timer publisher on the main run loop accepts a tolerance that is negative or NaN")
  func strangeTolerance() async {
    await #expect(processExitsWith: .success) {
      for tolerance in [-1, -.infinity, .nan] as [TimeInterval] {
        Timer.publish(every: 1, tolerance: tolerance, on: .main, in: .default).connect().cancel()
      }
    }
  }

  @Test(
    "A timer publisher accepts an interval that is zero, negative or NaN",
    arguments: [0, -1, .nan] as [TimeInterval])
  func degenerate(seconds: TimeInterval) {
    let sink = Timer.publish(every: seconds, on: thread.loop, in: .default).autoconnect().sink { _ in
      done.signal()
    }

    #expect(done.comes(3))
    sink.cancel()
    #expect(thread.stop())
  }
}
