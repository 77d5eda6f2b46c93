import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Re-entrancy beyond Combine", .leavesNothing)
struct ReentrancyTests {
  @Test("`withLatestFrom` does not trap if the release of a replaced value sends a value")
  func withLatestFrom() async {
    await #expect(processExitsWith: .success) {
      let (source, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<OnRelease, Never>())
      let recorder = source.withLatestFrom(other) { number, _ in number }.record()
      other.send(OnRelease { source.send(1) })
      other.send(OnRelease())
      precondition(recorder.values == [1])
      recorder.cancel()
    }
  }

  @Test("`sample` does not trap if the release of a replaced value triggers it")
  func sample() async {
    await #expect(processExitsWith: .success) {
      let (source, trigger) = (PassthroughSubject<OnRelease, Never>(), PassthroughSubject<Void, Never>())
      let recorder = source.sample(trigger).record()
      source.send(OnRelease { trigger.send() })
      source.send(OnRelease())
      precondition(recorder.values.count == 1)
      recorder.cancel()
    }
  }

  @Test("`throttle` with a reduction does not trap if the release of a replaced result sends a value")
  func throttle() async {
    await #expect(processExitsWith: .success) {
      let (source, scheduler) = (PassthroughSubject<OnRelease, Never>(), VirtualScheduler.virtual)
      let recorder = source.throttle(for: .seconds(1), scheduler: scheduler) { $1 }.record()
      source.send(OnRelease { source.send(OnRelease()) })
      source.send(OnRelease())
      await scheduler.advance(by: .seconds(1))
      precondition(recorder.values.count == 1)
    }
  }

  @Test("`collect(by:)` does not trap if the release of a collected value sends a signal")
  func collect() async {
    await #expect(processExitsWith: .success) {
      let (source, signal) = (PassthroughSubject<OnRelease, Problem>(), PassthroughSubject<Void, Problem>())
      let recorder = source.collect(by: signal).record()
      source.send(OnRelease { signal.send() })
      source.send(completion: .failure(Problem(code: 1)))
      precondition(recorder.events.count == 2)
    }
  }

  @Test("Values that the closure of `scan(into:)` sends wait until it returns, and so does the completion")
  func scan() async {
    await #expect(processExitsWith: .success) {
      let subject = PassthroughSubject<Int, Never>()
      let recorder = subject.scan(into: 0) { sum, number in
        if number == 1 {
          subject.send(2)
          subject.send(completion: .finished)
        }
        sum += number
      }.record()
      subject.send(1)
      precondition(recorder.events == [.subscription, .value(1), .value(3), .completion(.finished)])
    }
  }

  @Test("`collect(by:)` sends the remaining values once, also if the signal arrives meanwhile")
  func collectRest() {
    let (script, signal) = (Script(Int.self, failure: Never.self), PassthroughSubject<Void, Never>())
    let recorder = script.collect(by: signal).record { $0.onValue = { _, _ in signal.send() } }
    script.say(1)
    script.end()

    #expect(recorder.events == [.subscription, .value([1]), .completion(.finished)])
  }

  @Test("A window has as many values as requested if its subscriber sends the next one", arguments: [1, 2])
  func window(count: Int) {
    let subject = PassthroughSubject<Int, Never>()
    var windows: [Recorder<Int, Never>] = []
    let recorder = subject.window(count: count).record {
      $0.onValue = { _, window in
        windows.append(
          window.record { $0.onValue = { _, value in if value < 4 { subject.send(value + 1) } } })
      }
    }

    subject.send(1)
    recorder.cancel()

    let contents = windows.map(\.values).sorted { $0[0] < $1[0] }
    #expect(contents == (count == 1 ? [[1], [2], [3], [4]] : [[1, 2], [3, 4]]))
    #expect(windows.map(\.completions) == windows.map { _ in [.finished] })
  }

  @Test("Each group finishes, also if a group that makes room sends a value with the new key")
  func group() {
    let subject = PassthroughSubject<Int, Never>()
    var groups: [Recorder<Int, Never>] = []
    var next: Int? = 12
    let recorder = subject.groupBy(maxGroups: 1) { $0 % 10 }.record {
      $0.onValue = { _, group in
        groups.append(group.record { $0.onCompletion = { _, _ in next.take().map { subject.send($0) } } })
      }
    }

    subject.send(1)
    subject.send(2)
    recorder.cancel()

    #expect(groups.map(\.values) == [[1], [2, 12]])
    #expect(groups.map(\.completions) == [[.finished], [.finished]])
  }

  @Test("`sample` keeps a value that its subscriber sends with the completion for the next trigger")
  func sampleAtTheEnd() {
    let (source, trigger) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
    let recorder = source.sample(trigger).record {
      $0.onValue = { _, value in
        guard value == 1 else { return }
        source.send(2)
        source.send(completion: .finished)
      }
    }

    source.send(1)
    trigger.send()
    let before = recorder.events
    trigger.send()

    #expect(before == [.subscription, .value(1)])
    #expect(recorder.events == [.subscription, .value(1), .value(2), .completion(.finished)])
  }

  @Test("`scan(into:)` requests as much as its subscriber, also if its closure sends a value")
  func scanDemand() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.scan(into: 0) { sum, number in
      if number == 1 { script.say(2) }
      sum += number
    }.record(demand: .max(2))

    script.say(1)
    let before = script.session?.outstanding
    recorder.request(.max(3))

    #expect(recorder.values == [1, 3])
    #expect(before == Subscribers.Demand.none)
    #expect(script.session?.outstanding == .max(3))
  }

  @Test("`withLatestFrom` requests as much as its subscriber, also if its closure sends a value")
  func withLatestFromDemand() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.withLatestFrom(Just(10)) { number, other in
      if number == 1 { script.say(2) }
      return number + other
    }.record(demand: .max(2))

    script.say(1)
    let before = script.session?.outstanding
    recorder.request(.max(3))

    #expect(recorder.values == [12, 11])
    #expect(before == Subscribers.Demand.none)
    #expect(script.session?.outstanding == .max(3))
  }

  @Test("`throttle` reduces a value that its closure sends after the one before, and then finishes")
  func throttleInside() {
    let (source, scheduler) = (PassthroughSubject<Int, Never>(), VirtualScheduler.virtual)
    let reduce = { (numbers: [Int]?, number: Int) in
      if number == 1 {
        source.send(2)
        source.send(completion: .finished)
      }
      return (numbers ?? []) + [number]
    }
    let recorder = source.throttle(for: .seconds(1), scheduler: scheduler, reducing: reduce).record()
    source.send(1)
    scheduler.advance(by: .seconds(1))

    #expect(recorder.events == [.subscription, .value([1, 2]), .completion(.finished)])
  }

  @Test("`throttle` on an immediate scheduler loses no value if its closure sends one and finishes")
  func throttleAtOnce() {
    let source = PassthroughSubject<Int, Never>()
    let recorder = source.throttle(for: .zero, scheduler: ImmediateScheduler.shared) {
      (numbers: [Int]?, number: Int) in
      if number == 1 {
        source.send(2)
        source.send(completion: .finished)
      }
      return (numbers ?? []) + [number]
    }.record()
    source.send(1)

    #expect(recorder.values.flatMap { $0 } == [1, 2])
    #expect(recorder.completions == [.finished])
  }

  @Test("`removeAllDuplicates` also compares with a value that the comparison sends", arguments: [2, 3])
  func allDuplicates(sent: Int) {
    let subject = PassthroughSubject<Int, Never>()
    var next: Int? = sent
    let recorder = subject.removeAllDuplicates { earlier, new in
      if new == 2 { next.take().map { subject.send($0) } }
      return earlier == new
    }.record()

    for value in 1...3 { subject.send(value) }
    recorder.cancel()

    #expect(recorder.values == (sent == 2 ? [1, 2, 3] : [1, 3, 2]))
  }

  @Test("`collect(until:)` sends no empty array if its closure sends a value that ends the array")
  func collectUntil() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.collect { number in
      if number == 1 { subject.send(2) }
      return true
    }.record()

    subject.send(1)
    subject.send(3)
    recorder.cancel()

    #expect(recorder.values == [[1, 2], [3]])
  }

  @Test("A group is sent, also if a group that makes room for it ends upstream")
  func groupAtTheEnd() {
    let subject = PassthroughSubject<Int, Never>()
    var groups: [Recorder<Int, Never>] = []
    let recorder = subject.groupBy(maxGroups: 1) { $0 }.record {
      $0.onValue = { _, group in
        groups.append(group.record { $0.onCompletion = { _, _ in subject.send(completion: .finished) } })
      }
    }

    subject.send(1)
    subject.send(2)

    #expect(groups.map(\.values) == [[1], [2]])
    #expect(groups.map(\.completions) == [[.finished], [.finished]])
    #expect(recorder.completions == [.finished])
  }
}
