import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`flatMap(maxConcurrent:)`", .leavesNothing)
struct QueuedFlatMapTests {
  @Test("`flatMap(maxConcurrent:)` limits the open children, and queues the values of a subject")
  func queue() {
    let subject = PassthroughSubject<Int, Never>()
    let children = (0..<4).map { _ in Script(Int.self, failure: Never.self) }
    let recorder = subject.flatMap(maxConcurrent: 2) { children[$0] }.record()

    for number in 0..<4 { subject.send(number) }
    let atFirst = children.map(\.sessions.count)
    children[1].say(1)
    children[1].end()
    let later = children.map(\.sessions.count)
    children[0].say(0)

    #expect(atFirst == [1, 1, 0, 0])
    #expect(later == [1, 1, 1, 0])
    #expect(recorder.values == [1, 0])
    withExtendedLifetime(subject) {}
  }

  @Test("`concatMap` runs one child at a time, in order, with the demand of downstream")
  func concatMap() {
    let subject = PassthroughSubject<Int, Never>()
    let children = (0..<2).map { _ in Script(Int.self, failure: Never.self) }
    let recorder = subject.concatMap { children[$0] }.record(demand: .max(3))

    subject.send(0)
    subject.send(1)
    subject.send(completion: .finished)
    children[0].say(1)
    children[0].end()
    children[1].say(2)
    children[1].end()

    #expect(children.map(\.demands) == [[.max(3)], [.max(2)]])
    #expect(recorder.events == [.subscription, .value(1), .value(2), .completion(.finished)])
  }

  @Test("`concatMap` with a bounded queue requests no more values than may wait")
  func bounded() {
    let script = Script(Int.self, failure: Never.self)
    let child = Script(Int.self, failure: Never.self)
    let recorder = script.concatMap(waiting: .max(2)) { _ in child }.record()

    for value in 1...3 { script.say(value) }
    let before = script.demands
    child.end()

    #expect(before == [.max(3)])
    #expect(script.session?.outstanding == .max(1))
    withExtendedLifetime(recorder) {}
  }

  @Test("`flatMapFirst` drops values while a child is open, separately for each subscription")
  func first() {
    let subject = PassthroughSubject<Int, Never>()
    var opened: [Int] = []
    let child = PassthroughSubject<Int, Never>()
    let publisher = subject.flatMapFirst { number -> PassthroughSubject<Int, Never> in
      opened.append(number)
      return child
    }
    let (one, two) = (publisher.record(), publisher.record())

    subject.send(1)
    subject.send(2)
    child.send(10)
    child.send(completion: .finished)
    subject.send(3)

    #expect(opened == [1, 1, 3, 3])
    #expect(one.values == [10])
    #expect(two.values == [10])
    #expect(subject.exhaustMap { Just($0) }.record().completions.isEmpty)
  }

  @Test("`flatMapFirst` drops a value that its closure sends, and `concatMap` keeps it")
  func sendsInside() {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let sending = { (index: Int) in
      { (number: Int) in
        if number == 1 { subjects[index].send(2) }
        return Just(number)
      }
    }
    let recorders = [
      subjects[0].flatMapFirst(sending(0)).record(), subjects[1].exhaustMap(sending(1)).record(),
      subjects[2].concatMap(sending(2)).record(),
    ]

    for subject in subjects {
      subject.send(1)
      subject.send(3)
      subject.send(completion: .finished)
    }

    #expect(recorders.map(\.values) == [[1, 3], [1, 3], [1, 2, 3]])
  }

  @Test("`mergeDelayingErrors` delays a failure until all publishers have ended")
  func delaysErrors() {
    let scripts = (0..<2).map { _ in Script(Int.self, failure: Problem.self) }
    let recorder = scripts.mergeDelayingErrors().record()

    scripts[0].end(.failure(Problem(code: 1)))
    scripts[1].say(2)
    let before = recorder.events
    scripts[1].end(.failure(Problem(code: 2)))

    #expect(before == [.subscription, .value(2)])
    #expect(recorder.completions == [.failure(Problem(code: 1))])
  }

  @Test("`concatMap` opens 100,000 synchronous children without deepening the stack")
  func deep() {
    let count = (0..<100_000).publisher.concatMap { Just($0) }.count().record().values
    let queued = PassthroughSubject<Int, Never>()
    let gate = PassthroughSubject<Int, Never>()
    let recorder = queued.concatMap { number in
      number == 0 ? gate.eraseToAnyPublisher() : Just(number).eraseToAnyPublisher()
    }.count().record()

    for number in 0..<100_000 { queued.send(number) }
    queued.send(completion: .finished)
    gate.send(completion: .finished)

    #expect(count == [100_000])
    #expect(recorder.values == [99_999])
  }

  @Test("`flatMap(maxConcurrent:)` agrees with `flatMap` of arrays", arguments: [1, 2, 5])
  func twin(limit: Int) {
    let values = [3, 0, 2, 1]
    let expected = values.flatMap { Array(repeating: $0, count: $0) }

    let publisher = values.publisher.flatMap(maxConcurrent: limit) {
      Array(repeating: $0, count: $0).publisher
    }

    #expect(publisher.record().values == expected)
    #expect(publisher.record(demand: .max(4)).values == Array(expected.prefix(4)))
  }
}

@Suite("`groupBy`", .leavesNothing)
struct GroupByTests {
  @Test("`groupBy` sends a publisher for each key, and each group receives all its values")
  func groups() {
    let script = Script(Int.self, failure: Problem.self)
    var seen: [Int: Recorder<Int, Problem>] = [:]
    let recorder = script.groupBy(maxGroups: 10) { $0 % 2 }.record {
      $0.onValue = { _, group in seen[group.key] = group.record() }
    }

    for value in 1...4 { script.say(value) }
    script.end(.failure(Problem(code: 1)))

    #expect(seen[1]?.values == [1, 3])
    #expect(seen[0]?.values == [2, 4])
    #expect(seen[0]?.completions == [.failure(Problem(code: 1))])
    #expect(recorder.completions == [.failure(Problem(code: 1))])
  }

  @Test("`groupBy` finishes the least recently active group to make room for another")
  func eviction() {
    let script = Script(Int.self, failure: Never.self)
    var seen: [Recorder<Int, Never>] = []
    let recorder = script.groupBy(maxGroups: 2) { $0 }.record {
      $0.onValue = { _, group in seen.append(group.record()) }
    }

    for value in [1, 2, 1, 3] { script.say(value) }

    #expect(seen.map(\.completions.count) == [0, 1, 0])
    recorder.cancel()
    #expect(seen.map(\.completions.count) == [1, 1, 1])
  }

  @Test(
    "`groupBy` finishes groups in the order of their last values, however often others were used meanwhile")
  func evictionOrder() {
    let script = Script(Int.self, failure: Never.self)
    var ended: [Int] = []
    let recorder = script.groupBy(maxGroups: 3) { $0 }.record {
      $0.onValue = { _, group in
        let key = group.key
        _ = group.record { $0.onCompletion = { _, _ in ended.append(key) } }
      }
    }

    for value in [1, 2, 3] { script.say(value) }
    for _ in 0..<100 { script.say(2, 1) }
    for value in [4, 5, 6, 7] { script.say(value) }

    #expect(ended == [3, 2, 1, 4])
    recorder.cancel()
  }

  @Test("`groupBy` loses no value of a group that is subscribed to late")
  func lateGroups() {
    let values = (0..<3000).publisher.groupBy(maxGroups: 100) { $0 % 7 }.concatMap { $0 }.record().values

    #expect(values.count == 3000)
    #expect(Set(values).count == 3000)
  }

  @Test("A group keeps values while it has no subscriber, and gives them to the next")
  func resubscribed() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.groupBy(maxGroups: 1, buffer: 2) { _ in 0 }.record()
    script.say(1, 2)
    let group = recorder.values[0]

    let first = group.record()
    script.say(3)
    let second = group.record()
    script.say(4)
    first.cancel()
    second.cancel()
    script.say(5, 6)
    let third = group.record()

    #expect(first.values == [1, 2, 3, 4])
    #expect(second.values == [4])
    #expect(third.values == [5, 6])
  }

  @Test("A group does not keep its stream's subscriber")
  func releases() {
    let script = Script(Int.self, failure: Never.self)
    var recorder: Recorder<GroupedPublisher<Int, Int, Never>, Never>? =
      script.groupBy(maxGroups: 1) { _ in 0 }.record()
    script.say(1)
    let group = recorder?.values[0]
    weak let weakly = recorder

    recorder?.cancel()
    recorder = nil

    #expect(weakly == nil)
    #expect(group?.record().values == [1])
  }
}

@Suite("`window`", .leavesNothing)
struct WindowTests {
  @Test("`window(count:)` loses no value of a window that is subscribed to after its end")
  func late() {
    let windows = (0..<2000).publisher.window(count: 1000).record().values

    #expect(windows.map { $0.record().values.count } == [1000, 1000])
  }
}
