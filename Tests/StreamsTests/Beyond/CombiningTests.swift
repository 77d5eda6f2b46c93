import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`withLatestFrom`", .leavesNothing)
struct WithLatestFromTests {
  @Test("`withLatestFrom` combines each value with the other publisher's latest value, within demand")
  func combines() {
    let (script, other) = (
      Script(Int.self, failure: Problem.self), Script(String.self, failure: Problem.self)
    )
    let recorder = script.withLatestFrom(other) { "\($0)\($1)" }.record(demand: .max(2))

    let early = script.sessions.count
    other.say("a")
    script.say(1)
    other.say("b")
    script.say(2)

    #expect(early == 0)
    #expect(script.demands == [.max(2)])
    #expect(other.demands == [.unlimited])
    #expect(recorder.values == ["1a", "2b"])
  }

  @Test("`withLatestFrom` without a closure sends only the other publisher's latest value")
  func reference() {
    var saved: [String] = []

    let taps = PassthroughSubject<Void, Never>()
    let name = CurrentValueSubject<String, Never>("Ada")
    let subscription = taps.withLatestFrom(name).sink { saved.append($0) }
    taps.send()
    name.send("Grace")
    taps.send()

    subscription.cancel()
    #expect(saved == ["Ada", "Grace"])
  }

  @Test("`withLatestFrom` loses no value of a cold upstream before the other's first value")
  func cold() {
    let other = PassthroughSubject<String, Never>()
    let all = [1, 2].publisher.withLatestFrom(other) { "\($0)\($1)" }.record()
    let shared = [3, 4].publisher.share().withLatestFrom(other) { "\($0)\($1)" }.record()
    let limited = [5, 6].publisher.withLatestFrom(other) { "\($0)\($1)" }.record(demand: .max(1))

    let before = [all, shared, limited].map(\.events)
    other.send("a")
    other.send("b")
    limited.request(.max(1))

    #expect(before == [[.subscription], [.subscription], [.subscription]])
    #expect(all.events == [.subscription, .value("1a"), .value("2a"), .completion(.finished)])
    #expect(shared.values == ["3a", "4a"])
    #expect(limited.values == ["5a", "6b"])
  }

  @Test("`withLatestFrom` ignores the other's completion, fails with its failure, and ends with upstream")
  func endings() {
    let scripts = (0..<4).map { _ in Script(Int.self, failure: Problem.self) }
    let lasting = scripts[0].withLatestFrom(scripts[1]).record()
    let failing = scripts[2].withLatestFrom(scripts[3]).record()

    scripts[1].say(7)
    scripts[1].end()
    scripts[0].say(1)
    scripts[0].end()
    scripts[3].say(8)
    scripts[3].end(.failure(Problem(code: 1)))

    #expect(lasting.events == [.subscription, .value(7), .completion(.finished)])
    #expect(failing.completions == [.failure(Problem(code: 1))])
    #expect(scripts[2].cancellations == 1)
  }

  @Test("`withLatestFrom` sends only upstream's completion if the other publisher finishes empty")
  func otherIsEmpty() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.withLatestFrom(Empty<Int, Problem>()).record(demand: .max(1))

    let answer = script.say(1)
    script.end(.failure(Problem(code: 2)))

    #expect(answer == .max(1))
    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 2)))])
  }

  @Test("`withLatestFrom` sends once all of two or three other publishers have sent")
  func several() {
    let (script, a, b, c) = (
      PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(),
      PassthroughSubject<Int, Never>()
    )
    let two = script.withLatestFrom(a, b) { $0 + $1.0 + $1.1 }.record()
    let three = script.withLatestFrom(a, b, c) { $0 + $1.0 + $1.1 + $1.2 }.record()

    script.send(1)
    for (subject, value) in [(a, 10), (b, 100)] { subject.send(value) }
    script.send(2)
    c.send(1000)
    script.send(3)

    #expect(two.values == [112, 113])
    #expect(three.values == [1113])
    withExtendedLifetime((two, three)) {}
  }
}

@Suite("Collections of publishers", .leavesNothing)
struct CollectionTests {
  @Test("`combineLatest` of a collection sends rows in the order of its publishers", arguments: [2, 3, 70])
  func latest(count: Int) {
    let scripts = (0..<count).map { _ in Script(Int.self, failure: Problem.self) }
    let recorder = scripts.combineLatest().record()

    for (index, script) in scripts.enumerated() { script.say(index) }
    scripts[1].say(100)
    for script in scripts { script.end() }

    var second = Array(0..<count)
    second[1] = 100
    #expect(recorder.values == [Array(0..<count), second])
    #expect(recorder.completions == [.finished])
  }

  @Test(
    "`zip` of a collection sends rows, and no more after a publisher has finished", arguments: [2, 3, 70])
  func rows(count: Int) {
    let scripts = (0..<count).map { _ in Script(Int.self, failure: Problem.self) }
    let recorder = scripts.zip().record(demand: .max(1))

    let greedy = scripts.zip().record()

    for (index, script) in scripts.enumerated() {
      for session in script.sessions {
        session.say(index)
        session.say(index + 100)
      }
    }
    for session in scripts[0].sessions { session.end() }
    recorder.request(.max(1))
    for script in scripts { script.say(-1) }

    for recorder in [recorder, greedy] {
      #expect(recorder.values == [Array(0..<count), Array(100..<100 + count)])
      #expect(recorder.completions == [.finished])
    }
    for session in scripts.dropFirst().flatMap(\.sessions) {
      #expect(session.subscription.cancellations == 1)
    }
  }

  @Test("`zip`, `combineLatest` and `merge` of collections send Combine's values for synchronous publishers")
  func twins() {
    let (a, b) = ([1, 2, 3].publisher, [4, 5].publisher)

    #expect(a.zip(with: b).record().values == a.zip(b) { [$0, $1] }.record().values)
    #expect(a.combineLatest(with: b).record().values == a.combineLatest(b) { [$0, $1] }.record().values)
    #expect(a.merge(with: [b, b]).record().values == [1, 2, 3, 4, 5, 4, 5])
    #expect([a, a].merge().record().values == [1, 2, 3, 1, 2, 3])
  }

  @Test("`zip` and `combineLatest` of a collection subscribe to no more publishers once one has failed")
  func failsEarly() {
    let script = Script(Int.self, failure: Problem.self)
    let all = [
      Fail<Int, Problem>(error: Problem(code: 1)).eraseToAnyPublisher(), script.eraseToAnyPublisher(),
    ]

    for recorder in [all.zip().record(), all.combineLatest().record()] {
      #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 1)))])
    }

    #expect(script.sessions.isEmpty)
  }

  @Test("Operators on an empty collection of publishers finish at once")
  func none() {
    let nobody = [Just<Int>]()

    #expect(nobody.combineLatest().record().events == [.subscription, .completion(.finished)])
    #expect(nobody.zip().record().events == [.subscription, .completion(.finished)])
    #expect(nobody.merge().record().events == [.subscription, .completion(.finished)])
    #expect(nobody.concat().record().events == [.subscription, .completion(.finished)])
  }

  @Test("`concat` of 100,000 publishers does not deepen the stack")
  func deep() {
    let publishers = (0..<100_000).map { Just($0) }

    #expect(publishers.concat().count().record().values == [100_000])
  }

  @Test("`flatMapBatches` subscribes to the publishers in batches, one batch after another")
  func batches() {
    let scripts = (0..<3).map { _ in Script(Int.self, failure: Never.self) }
    let recorder = scripts.flatMapBatches(of: 2).record()

    let early = scripts.map(\.sessions.count)
    for script in scripts {
      script.say(1)
      script.end()
    }

    #expect(early == [1, 1, 0])
    #expect(recorder.values == [[1, 1], [1]])
  }
}

@Suite("`zip` and `combineLatest`: many publishers", .leavesNothing)
struct ArityTests {
  @Test("`zip` and `combineLatest` accept five to eight publishers")
  func arities() {
    let one = [1, 2].publisher

    #expect(one.zip(one, one, one, one).map { $0.4 }.record().values == [1, 2])
    #expect(one.zip(one, one, one, one, one).map { $0.5 }.record().values == [1, 2])
    #expect(one.zip(one, one, one, one, one, one).map { $0.6 }.record().values == [1, 2])
    #expect(one.zip(one, one, one, one, one, one, one).map { $0.7 }.record().values == [1, 2])
    #expect(one.combineLatest(one, one, one, one).map { $0.4 }.record().values == [1, 2])
    #expect(one.combineLatest(one, one, one, one, one).map { $0.5 }.record().values == [1, 2])
    #expect(one.combineLatest(one, one, one, one, one, one).map { $0.6 }.record().values == [1, 2])
    #expect(one.combineLatest(one, one, one, one, one, one, one).map { $0.7 }.record().values == [1, 2])
  }
}

@Suite("`sample`", .leavesNothing)
struct SampleTests {
  @Test("`sample` finishes at the next trigger after upstream has finished")
  func upstreamEnds() {
    let (script, trigger) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = script.sample(trigger).record()

    script.say(1)
    script.end()
    let before = recorder.events
    trigger.say(0)

    #expect(before == [.subscription])
    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
  }
}

@Suite("`switchIfEmpty`", .leavesNothing)
struct SwitchIfEmptyTests {
  @Test("`switchIfEmpty` replaces an empty upstream by the other publisher, with the remaining demand")
  func switches() {
    let (script, other) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = script.switchIfEmpty(to: other).record(demand: .max(2))

    script.end()
    other.say(1)

    #expect(other.demands == [.max(2)])
    #expect(recorder.values == [1])
    #expect([1].publisher.switchIfEmpty(to: [2].publisher).record().values == [1])
    #expect([Int]().publisher.defaultIfEmpty(3).record().values == [3])
  }

  @Test("`switchIfEmpty` forwards a failure without subscribing to the other publisher")
  func fails() {
    let other = Script(Int.self, failure: Problem.self)

    let recorder = Fail<Int, Problem>(error: Problem(code: 1)).switchIfEmpty(to: other).record()

    #expect(recorder.completions == [.failure(Problem(code: 1))])
    #expect(other.sessions.isEmpty)
  }
}
