import Dispatch
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("`DispatchQueue` as a scheduler")
struct DispatchQueueTests {
  let queue = DispatchQueue(label: "tested")
  let done = DispatchSemaphore(value: 0)

  @Test("A dispatch queue runs scheduled actions on itself in order")
  func order() {
    let line = Line<Int>()
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)

    for number in 0..<1000 {
      queue.schedule { if DispatchQueue.getSpecific(key: key) == true { line.add(number) } }
    }
    queue.sync {}

    #expect(line.all == Array(0..<1000))
  }

  @Test("Immediate and delayed actions belong to the dispatch group of their options")
  func group() {
    let group = DispatchGroup()
    let line = Line<Int>()

    queue.schedule(options: .init(group: group)) { line.add(1) }
    queue.schedule(
      after: queue.now.advanced(by: .milliseconds(20)), tolerance: 0,
      options: .init(qos: .userInitiated, group: group)
    ) { line.add(2) }
    let isOver = group.wait(timeout: .now() + 600) == .success

    #expect(isOver)
    #expect(line.all == [1, 2])
  }

  @Test("A barrier action runs after the actions scheduled before it")
  func flags() {
    let concurrent = DispatchQueue(label: "tested", attributes: .concurrent)
    let line = Line<Int>()
    let gate = DispatchSemaphore(value: 0)

    for number in 0..<3 {
      concurrent.schedule {
        _ = gate.comes()
        line.add(number)
      }
    }
    concurrent.schedule(options: .init(flags: .barrier)) { line.add(3) }
    concurrent.schedule { self.done.signal() }
    for _ in 0..<3 { gate.signal() }

    #expect(done.comes())
    #expect(line.all.last == 3 && line.count == 4)
  }

  @Test("A delayed action does not block the dispatch queue or run before its date")
  func delay() {
    let line = Line<Int>()
    let due = queue.now.advanced(by: .milliseconds(50))

    queue.schedule(after: due) {
      line.add(due <= queue.now ? 2 : -1)
      done.signal()
    }
    queue.schedule { line.add(1) }

    #expect(done.comes())
    #expect(line.all == [1, 2])
  }

  @Test("A dispatch queue runs an action with a past date at once")
  func past() {
    queue.schedule(after: queue.now.advanced(by: -3600)) { done.signal() }
    queue.schedule(after: queue.now.advanced(by: .nanoseconds(.min)), tolerance: -1) { done.signal() }

    #expect(done.comes(2))
  }

  @Test("A dispatch queue never runs a repeated action before its date")
  func repeating() {
    let line = Line<DispatchQueue.SchedulerTimeType>()
    let start = queue.now.advanced(by: .milliseconds(10))

    let repetition = queue.schedule(after: start, interval: .milliseconds(10), tolerance: .milliseconds(1)) {
      line.add(queue.now)
      done.signal()
    }
    let have = done.comes(5)
    repetition.cancel()

    #expect(have)
    for (number, time) in line.all.prefix(5).enumerated() {
      #expect(time >= start.advanced(by: .milliseconds(10 * number)))
    }
  }

  @Test("A repeated action cancelled on its dispatch queue does not run again")
  func cancelling() {
    let line = Line<Int>()
    let held = Held()

    queue.sync {
      held.hold(
        queue.schedule(after: queue.now, interval: .milliseconds(1)) {
          line.add(line.count)
          if line.count == 3 {
            held.cancel()
            done.signal()
          }
        })
    }
    let have = done.comes()
    let later = queue.schedule(after: queue.now, interval: .milliseconds(1)) { done.signal() }
    let haveLater = done.comes(10)
    later.cancel()

    #expect(have && haveLater)
    #expect(line.all == [0, 1, 2])
  }

  @Test("Dropping the cancellable stops the repetition, and the dispatch queue releases all actions")
  func releasing() {
    let lifetimes = Lifetimes()

    do {
      let probe = lifetimes.probe("repeating")
      let repetition = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
        withExtendedLifetime(probe) { _ = done.signal() }
      }
      let once = lifetimes.probe("once")
      queue.schedule { withExtendedLifetime(once) {} }
      let delayed = lifetimes.probe("delayed")
      queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) {
        withExtendedLifetime(delayed) { _ = done.signal() }
      }
      #expect(done.comes(5))
      withExtendedLifetime(repetition) {}
    }

    // The queue lets go of a timer in a job of its own.
    #expect(lifetimes.end())
  }

  @Test("A dispatch queue accepts an interval or tolerance of zero or less", arguments: [0, -1] as [Int])
  func degenerate(nanoseconds: Int) {
    let stride = DispatchQueue.SchedulerTimeType.Stride.nanoseconds(nanoseconds)

    let repetition = queue.schedule(after: queue.now, interval: stride, tolerance: stride) { done.signal() }

    #expect(done.comes(3))
    repetition.cancel()
  }

  @Test("A dispatch queue never runs an action scheduled for the distant future")
  func never() {
    let line = Line<Int>()
    let future = DispatchQueue.SchedulerTimeType(.distantFuture)

    queue.schedule(after: future) { line.add(1) }
    let repetition = queue.schedule(after: future, interval: .nanoseconds(.max)) { line.add(2) }
    queue.schedule(after: queue.now.advanced(by: .milliseconds(20))) { done.signal() }

    #expect(done.comes())
    #expect(line.all.isEmpty)
    repetition.cancel()
  }

  @Test("The main dispatch queue delivers values under an asynchronous `main`")
  func mainQueue() async {
    let recorder = (0..<1000).publisher.receive(on: DispatchQueue.main).record()

    let completion = await recorder.ended()

    #expect(completion == .finished)
    #expect(recorder.values == Array(0..<1000))
  }
}
