import Streams
import StreamsTesting
import Testing

@Suite("`merge`", .leavesNothing)
struct MergeTests {
  @Test("`merge` forwards the values of all publishers in the order of arrival")
  func merges() {
    let scripts = (0..<3).map { _ in Script(Int.self, failure: Problem.self) }
    let recorder = scripts[0].merge(with: scripts[1], scripts[2]).record()

    for value in [2, 0, 1, 1, 2] { scripts[value].say(value) }

    #expect(recorder.values == [2, 0, 1, 1, 2])
  }

  @Test("`merge` finishes when all publishers have, and fails with the first failure")
  func ends() {
    let scripts = (0..<4).map { _ in Script(Int.self, failure: Problem.self) }
    let finishing = scripts[0].merge(with: scripts[1]).record(demand: .none)
    let failing = scripts[2].merge(with: scripts[3]).record(demand: .none)

    scripts[0].end()
    let early = finishing.completions
    scripts[1].end()
    scripts[3].end(.failure(Problem(code: 1)))

    #expect(early.isEmpty)
    #expect(finishing.completions == [.finished])
    #expect(failing.completions == [.failure(Problem(code: 1))])
    #expect(scripts[2].cancellations == 1)
  }

  @Test("`merge` requests one value ahead from each publisher, and buffers it")
  func prefetches() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.merge(with: second).record(demand: .none)
    let ahead = [first.demands, second.demands]

    second.say(2)
    first.say(1)
    first.end()
    second.end()
    let early = recorder.events
    recorder.request(.max(1))
    recorder.request(.max(1))

    #expect(ahead == [[.max(1)], [.max(1)]])
    #expect(early == [.subscription])
    #expect(recorder.events == [.subscription, .value(2), .value(1), .completion(.finished)])
  }

  @Test("`merge` drops its buffered values when it fails")
  func failsFast() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.merge(with: second).record(demand: .none)

    first.say(1)
    second.end(.failure(Problem(code: 1)))
    recorder.request(.max(1))

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 1)))])
  }

  @Test("`merge` requests one more after each delivered value, and forwards unlimited demand")
  func demand() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.merge(with: second).record(demand: .max(2))

    let answer = first.say(1)
    recorder.request(.unlimited)

    #expect(answer == .max(1))
    #expect(first.demands == [.max(1), .unlimited])
    #expect(second.demands == [.max(1), .unlimited])
  }

  @Test("A merge of merged publishers is a single stage")
  func chains() {
    let one = Just(1)

    #expect("\(type(of: one.merge(with: [2].publisher).merge(with: one)))".hasPrefix("Merge3<"))
    #expect("\(type(of: one.merge(with: [2].publisher, one).merge(with: one, one)))".hasPrefix("Merge5<"))
    #expect(
      "\(type(of: one.merge(with: [2].publisher, one, one, one, one).merge(with: one, one)))".hasPrefix(
        "Merge8<"))
    #expect(one.merge(with: one).merge(with: one).publishers.count == 3)
  }

  @Test("A merge of merged publishers forwards all values, in the publishers' order")
  func chainedValues() {
    let publishers = (0..<8).map { [$0].publisher }
    let (a, b, c, d) = (publishers[0], Just(1), publishers[2], Just(3))
    let (e, f, g, h) = (publishers[4], Just(5), publishers[6], Just(7))

    let chained = a.merge(with: b).merge(with: c).merge(with: d).merge(with: e).merge(with: f).merge(with: g)
      .merge(with: h)
    let grouped = a.merge(with: b, c, d).merge(with: e, f, g, h)

    #expect(chained.record().values == Array(0..<8))
    #expect(grouped.record().values == Array(0..<8))
    #expect(a.merge(with: b, c, d, e, f, g, h).record().values == Array(0..<8))
  }

  @Test("A merge of no publishers finishes at once")
  func none() {
    let recorder = Publishers.MergeMany<Just<Int>>().record(demand: .none)

    #expect(recorder.events == [.subscription, .completion(.finished)])
  }
}
