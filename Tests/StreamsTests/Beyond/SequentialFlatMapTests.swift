import ScriptedModels
import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`flatMapSequential`", .leavesNothing)
struct SequentialFlatMapTests {
  @Test("`flatMapSequential` runs children concurrently, and sends in the order of the values")
  func order() {
    let children = (0..<3).map { _ in Script(Int.self, failure: Never.self) }
    let recorder = [0, 1, 2].publisher.flatMapSequential { children[$0] }.record()

    children[2].say(2)
    children[2].end()
    children[1].say(1)
    let before = recorder.values
    children[0].say(0)
    children[0].end()
    let middle = recorder.values
    children[1].end()

    #expect(before.isEmpty)
    #expect(middle == [0, 1])
    #expect(recorder.events.suffix(2) == [.value(2), .completion(.finished)])
  }

  @Test("`flatMapSequential` limits its prefetch from each child and its demand upstream")
  func demand() {
    let script = Script(Int.self, failure: Never.self)
    let child = Script(Int.self, failure: Never.self)
    let recorder = script.flatMapSequential(maxConcurrent: 2, prefetch: 3) { _ in child }.record(
      demand: .max(1))

    script.say(0)
    child.say(1)
    child.say(2)

    #expect(script.demands == [.max(2)])
    #expect(child.session?.outstanding == .max(2))
    #expect(recorder.values == [1])
    #expect([1, 2].publisher.concatMapEager { Just($0) }.record().values == [1, 2])
  }

  @Test("`flatMapSequential` traps on less than one child and less than one value, and works with one")
  func bounds() async {
    await #expect(processExitsWith: .failure) {
      _ = Just(1).flatMapSequential(maxConcurrent: 0) { Just($0) }
    }
    await #expect(processExitsWith: .failure) {
      _ = Just(1).flatMapSequential(maxConcurrent: -1) { Just($0) }
    }
    await #expect(processExitsWith: .failure) { _ = Just(1).flatMapSequential(prefetch: 0) { Just($0) } }
    await #expect(processExitsWith: .failure) { _ = Just(1).flatMapSequential(prefetch: -1) { Just($0) } }

    #expect(
      (1...3).publisher.flatMapSequential(maxConcurrent: 1, prefetch: 1) { (0..<$0).publisher }.record()
        .values
        == [0, 0, 1, 0, 1, 2])
  }

  @Test("`flatMapSequential` requests one more value for each child whose turn has ended")
  func replacements() {
    let script = Script(Int.self, failure: Never.self)
    let children = (0..<3).map { _ in Script(Int.self, failure: Never.self) }
    let recorder = script.flatMapSequential(maxConcurrent: 2) { children[$0] }.record()

    script.say(0, 1)
    children[1].end()
    let early = script.demands
    children[0].end()
    script.say(2)
    script.end()
    let before = recorder.events
    children[2].end()

    #expect(early == [.max(2)])
    #expect(script.demands == [.max(2), .max(1), .max(1)])
    #expect(before == [.subscription])
    #expect(recorder.events == [.subscription, .completion(.finished)])
  }

  @Test("`flatMapSequential` opens at most `maxConcurrent` children while the first one has not ended")
  func boundedBehindTheFirst() {
    var opened = 0
    let gate = PassthroughSubject<Int, Never>()
    let recorder = (0..<1000).publisher.flatMapSequential(maxConcurrent: 2, prefetch: 1) {
      number -> AnyPublisher<Int, Never> in
      opened += 1
      return number == 0 ? gate.eraseToAnyPublisher() : Just(number).eraseToAnyPublisher()
    }.record()
    let before = opened

    gate.send(completion: .finished)

    #expect(before == 2)
    #expect(opened == 1000)
    #expect(recorder.values == Array(1..<1000))
    #expect(recorder.completions == [.finished])
  }

  @Test("`flatMapSequential` opens at most `maxConcurrent` children whose values are not requested")
  func boundedWithoutDemand() {
    var opened = 0
    let recorder = (0..<1000).publisher.flatMapSequential(maxConcurrent: 3, prefetch: 1) { number in
      opened += 1
      return Just(number)
    }.record(demand: .none)
    let atFirst = opened

    recorder.request(.max(2))
    let later = opened
    recorder.request(.unlimited)

    #expect([atFirst, later] == [3, 5])
    #expect(recorder.values == Array(0..<1000))
    #expect(recorder.completions == [.finished])
  }

  @Test(
    "`flatMapSequential` keeps the order of a child that sends more when its first values are delivered",
    arguments: [Subscribers.Demand.unlimited, .max(6)])
  func refilling(demand: Subscribers.Demand) {
    let gate = PassthroughSubject<Int, Never>()
    let recorder = [0, 1].publisher.flatMapSequential(prefetch: 3) {
      $0 == 0 ? gate.eraseToAnyPublisher() : (1...10).publisher.eraseToAnyPublisher()
    }.record(demand: demand)

    gate.send(completion: .finished)

    #expect(recorder.values == Array(1...(demand.max ?? 10)))
  }

  @Test("`flatMapSequential` keeps at most `prefetch` values of each child, whatever is requested meanwhile")
  func prefetched() {
    let (gate, child) = (PassthroughSubject<Int, Never>(), Script(Int.self, failure: Never.self))
    let recorder = [0, 1].publisher.flatMapSequential(prefetch: 2) {
      $0 == 0 ? gate.eraseToAnyPublisher() : child.eraseToAnyPublisher()
    }.record(demand: .none)

    child.say(1, 2)
    gate.send(completion: .finished)
    let before = child.demands
    recorder.request(.max(1))
    let middle = child.demands
    recorder.request(.unlimited)

    #expect(before == [.max(2)])
    #expect(middle == [.max(2), .max(1)])
    #expect(child.demands == [.max(2), .max(1), .unlimited])
    #expect(recorder.values == [1, 2])
  }

  @Test("`flatMapSequential` with 100,000 synchronous children does not deepen the stack")
  func deep() {
    let counted = (0..<100_000).publisher.flatMapSequential(maxConcurrent: 2) { Just($0) }.count().record()
    let gate = PassthroughSubject<Int, Never>()
    let waiting = (0..<100_000).publisher.flatMapSequential(maxConcurrent: 2) { number in
      number == 0 ? gate.eraseToAnyPublisher() : Just(number).eraseToAnyPublisher()
    }.count().record()
    let single = (0..<100_000).publisher.flatMapSequential(maxConcurrent: 2) { Just($0) }
      .record(demand: .max(1)) { $0.onValue = { recorder, _ in recorder.request(.max(1)) } }

    gate.send(completion: .finished)

    #expect(counted.values == [100_000])
    #expect(waiting.values == [99_999])
    #expect(single.values.count == 100_000)
  }

  @Test("`flatMapSequential` fails with any child at once, and cancels the others")
  func failure() {
    for failing in 0..<3 {
      let children = (0..<3).map { _ in Script(Int.self, failure: Problem.self) }
      let recorder = [0, 1, 2].publisher.setFailureType(to: Problem.self).flatMapSequential { children[$0] }
        .record()

      children[0].say(0)
      children[1].say(1)
      children[failing].end(.failure(Problem(code: 1)))

      #expect(recorder.events == [.subscription, .value(0), .completion(.failure(Problem(code: 1)))])
      for other in 0..<3 where other != failing { #expect(children[other].cancellations == 1) }
    }
  }

  @Test(
    "`flatMapSequential` sends the children's values one child after the other, whatever the order of arrival"
  )
  func arrivals() {
    var random = SplitMix64(seed: 48)
    for _ in 0..<50 {
      let children = (0..<4).map { _ in Script(Int.self, failure: Never.self) }
      // The end of a child is its last value, negative.
      var rest: [[Int]] = (0..<4).map { child in
        (0..<Int.random(in: 0..<4, using: &random)).map { child * 10 + $0 } + [-1]
      }
      let expected = rest.flatMap { $0.dropLast() }
      let recorder = (0..<4).publisher.flatMapSequential { children[$0] }.record()

      while let child = rest.indices.filter({ !rest[$0].isEmpty }).randomElement(using: &random) {
        let value = rest[child].removeFirst()
        if value < 0 { children[child].end() } else { children[child].say(value) }
      }

      #expect(recorder.values == expected)
      #expect(recorder.events.last == .completion(.finished))
    }
  }

  @Test(
    "`flatMapSequential` keeps the order of the values if its closure sends one, and ends its own publisher",
    arguments: [[], [2]])
  func sendsInside(values: [Int]) {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.flatMapSequential { number in
      if number == 1 {
        for value in values { subject.send(value) }
        subject.send(completion: .finished)
      }
      return Just(number)
    }.record()

    subject.send(1)

    #expect(recorder.values == [1] + values)
    #expect(recorder.completions == [.finished])
  }
}
