import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`flatMap`", .leavesNothing)
struct FlatMapTests {
  @Test(
    "`flatMap` sends the values of the publishers it creates",
    arguments: [[], [0], [2], [1, 0, 3]], [Subscribers.Demand.max(1), .max(2), .unlimited])
  func flattens(_ sent: [Int], maxPublishers: Subscribers.Demand) {
    let recorder = sent.publisher
      .flatMap(maxPublishers: maxPublishers) { Array(repeating: $0, count: $0).publisher }
      .record()

    #expect(recorder.values == sent.flatMap { Array(repeating: $0, count: $0) })
    #expect(recorder.completions == [.finished])
  }

  @Test("`flatMap` sends the values of synchronous publishers one publisher after another")
  func example() {
    #expect([1, 2].publisher.flatMap { [$0, $0 * 10].publisher }.record().values == [1, 10, 2, 20])
  }

  @Test("`flatMap` keeps the order of each publisher's values, for any demand", arguments: 0...6)
  func keepsOrder(_ first: Int) {
    for second in [Subscribers.Demand.max(1), .max(2), .unlimited] {
      let recorder = [1, 2].publisher.flatMap { [$0, $0 + 10, $0 + 20].publisher }.record(demand: .max(first))

      recorder.request(second)
      recorder.request(.unlimited)

      #expect(recorder.values.filter { $0 % 10 == 1 } == [1, 11, 21])
      #expect(recorder.values.filter { $0 % 10 == 2 } == [2, 12, 22])
      #expect(recorder.completions == [.finished])
    }
  }

  @Test("`flatMap` passes on its subscription first, and requests as many publishers as allowed")
  func subscribesLate() {
    let journal = Journal()
    let outer = Script(Int.self, failure: Never.self, journal: journal)

    _ = outer.flatMap(maxPublishers: .max(3)) { Just($0) }.record(demand: .none) { $0.journal = journal }

    #expect(journal.lines == ["downstream: subscription", "upstream: subscribe", "upstream: request max(3)"])
  }

  @Test("`flatMap` requests one value ahead from each publisher, or unlimited demand")
  func prefetches() {
    let (modest, greedy) = (Stage(), Stage())
    let recorders = [modest.flat.record(demand: .none), greedy.flat.record(demand: .unlimited)]

    modest.outer.say(0)
    greedy.outer.say(0)

    #expect(modest.children[0].asks == [.request(.max(1))])
    #expect(greedy.children[0].asks == [.request(.unlimited)])
    #expect(recorders.allSatisfy { $0.values.isEmpty })
  }

  @Test("`flatMap` delivers values within demand, and requests another one of the sender")
  func delivers() {
    let stage = Stage()
    let recorder = stage.flat.record(demand: .max(1))
    stage.outer.say(0)

    let answers = [stage.children[0].say(1), stage.children[0].say(2)]

    #expect(answers == [.max(1), .none])
    #expect(recorder.values == [1])
  }

  @Test("`flatMap` delivers buffered values in the order of arrival, and requests replacements")
  func drains() {
    let stage = Stage()
    let recorder = stage.flat.record(demand: .none)
    stage.outer.say(0, 1, 2)
    for (number, child) in stage.children.enumerated().reversed() { child.say(number) }

    recorder.request(.max(2))
    let between = recorder.values
    recorder.request(.max(2))

    #expect(between == [2, 1])
    #expect(recorder.values == [2, 1, 0])
    #expect(stage.children.map(\.demands) == Array(repeating: [.max(1), .max(1)], count: 3))
  }

  @Test("`flatMap` delivers buffered values, and forwards unlimited demand to each publisher once")
  func becomesUnlimited() {
    let stage = Stage()
    let recorder = stage.flat.record(demand: .none)
    stage.outer.say(0, 1)
    for (number, child) in stage.children.prefix(2).enumerated() { child.say(number) }

    recorder.request(.unlimited)
    recorder.request(.max(1))
    stage.outer.say(2)

    #expect(recorder.values == [0, 1])
    #expect(stage.children.map { $0.demands.count { $0 == .unlimited } } == [1, 1, 1])
  }

  @Test("`flatMap` stays unlimited when unlimited demand is requested again")
  func staysUnlimited() {
    let stage = Stage()
    let recorder = stage.flat.record(demand: .unlimited)

    recorder.request(.unlimited)
    stage.outer.say(0)
    stage.children[0].say(1, 2)

    #expect(recorder.values == [1, 2])
  }

  @Test(
    "`flatMap` delivers a buffered value when a delivery returns more demand",
    arguments: [Subscribers.Demand.max(1), .unlimited])
  func answersMakeRoom(answer: Subscribers.Demand) {
    let stage = Stage()
    let recorder = Recorder<Int, Problem>(demand: .max(1), answering: { $0 == 1 ? answer : .none })
    recorder.onValue = { _, value in
      if value == 1 { stage.children[1].say(2) }
    }
    stage.flat.subscribe(recorder)
    stage.outer.say(0, 1)

    stage.children[0].say(1)
    for child in stage.children { child.end() }
    stage.outer.end()

    #expect(recorder.events == [.subscription, .value(1), .value(2), .completion(.finished)])
  }

  @Test("`flatMap` with a limit requests another publisher for each finished one")
  func replenishes() {
    let (limited, unlimited) = (Stage(maxPublishers: .max(2)), Stage())
    let recorders = [limited.flat.record(), unlimited.flat.record()]

    for stage in [limited, unlimited] {
      stage.outer.say(0, 1)
      stage.children[1].end()
    }

    #expect(limited.outer.demands == [.max(2), .max(1)])
    #expect(unlimited.outer.demands == [.unlimited])
    #expect(recorders.allSatisfy { $0.completions.isEmpty })
  }

  @Test("`flatMap` never has more publishers open than its limit", arguments: 1...3)
  func limits(_ limit: Int) {
    var open = 0
    var mostOpen = 0
    let subjects = (0..<6).map { _ in PassthroughSubject<Int, Never>() }
    let recorder = (0..<6).publisher.flatMap(maxPublishers: .max(limit)) { index in
      open += 1
      mostOpen = max(mostOpen, open)
      return subjects[index].handleEvents(receiveCompletion: { _ in open -= 1 })
    }.record()

    for subject in subjects {
      subject.send(open)
      subject.send(completion: .finished)
    }

    #expect(mostOpen == limit)
    #expect(
      recorder.values == [limit, limit, limit, limit, limit, limit].enumerated().map { min($1, 6 - $0) })
    #expect(recorder.completions == [.finished])
  }

  @Test("`flatMap` drops upstream values that it did not request")
  func surplus() {
    let stage = Stage(maxPublishers: .max(1))
    let recorder = stage.flat.record()

    stage.outer.say(0, 1)
    stage.children[0].end()
    stage.outer.say(2)

    #expect(stage.opened == [0, 2])
    #expect(recorder.completions.isEmpty)
  }

  @Test("`flatMap` with a limit of zero requests nothing")
  func noPublishers() {
    let stage = Stage(maxPublishers: .none)
    let recorder = stage.flat.record()

    stage.outer.say(0)

    #expect(stage.outer.asks.isEmpty)
    #expect(stage.opened.isEmpty)
    #expect(recorder.events == [.subscription])
  }

  @Test("`flatMap` keeps a request that precedes the subscription of upstream")
  func earlyRequest() {
    let stage = Stage()
    stage.outer.handsOverAtOnce = false
    let recorder = stage.flat.record(demand: .max(1))

    if let session = stage.outer.session { session.handOver(session.subscription) }
    stage.outer.say(0)
    stage.children[0].say(1)

    #expect(recorder.values == [1])
  }

  @Test("`flatMap` delivers values sent inside a delivery immediately, within demand")
  func reentrant() {
    let stage = Stage()
    let recorder = stage.flat.record(demand: .max(3)) { recorder in
      recorder.onValue = { _, value in
        if value < 5 { stage.children[(value + 1) % 2].say(value + 1) }
      }
    }
    stage.outer.say(0, 1)

    stage.children[0].say(0)
    let between = recorder.values
    recorder.request(.max(9))

    #expect(between == [0, 1, 2])
    #expect(recorder.values == [0, 1, 2, 3, 4, 5])
  }

  @Test(
    "`flatMap` does not recurse for publishers that send synchronously",
    arguments: [Subscribers.Demand.max(1), .unlimited])
  func depth(maxPublishers: Subscribers.Demand) {
    let recorder = (0..<10_000).publisher.flatMap(maxPublishers: maxPublishers) { Just($0) }.record()

    #expect(recorder.values.count == 10_000)
    #expect(recorder.completions == [.finished])
  }

  @Test("`flatMap` accepts any combination of failing and never-failing publishers")
  func overloads() {
    let failing = Script(Int.self, failure: Problem.self)
    let fine = Script(Int.self, failure: Never.self)

    let both = failing.flatMap { _ in Fail<String, Problem>(error: Problem(code: 1)) }
    let inner = fine.flatMap { _ in Fail<String, Problem>(error: Problem(code: 1)) }
    let outer = failing.flatMap { Just("\($0)") }
    let neither = fine.flatMap { Just("\($0)") }

    #expect("\(type(of: both))" == "FlatMap<Fail<String, Problem>, Script<Int, Problem>>")
    #expect(
      "\(type(of: inner))" == "FlatMap<Fail<String, Problem>, SetFailureType<Script<Int, Never>, Problem>>")
    #expect("\(type(of: outer))" == "FlatMap<SetFailureType<Just<String>, Problem>, Script<Int, Problem>>")
    #expect("\(type(of: neither))" == "FlatMap<Just<String>, Script<Int, Never>>")
  }

  @Test("`flatMap` has Combine's name, and traps on zero demand")
  func names() async {
    #expect("\(Stage().flat.record().subscriptions[0])" == "FlatMap")
    await #expect(processExitsWith: .failure) {
      [1].publisher.flatMap { Just($0) }.record(demand: .none).request(.none)
    }
  }
}

extension FlatMapTests {
  /// An outer publisher, and one inner publisher for each of its first values.
  final class Stage {
    let outer = Script(Int.self, failure: Problem.self, name: "outer")
    let children: [Script<Int, Problem>]
    let maxPublishers: Subscribers.Demand
    private(set) var opened: [Int] = []

    init(maxPublishers: Subscribers.Demand = .unlimited, journal: Journal? = nil) {
      self.maxPublishers = maxPublishers
      children = (0..<3).map {
        Script(Int.self, failure: Problem.self, name: "child \($0)", journal: journal)
      }
    }

    var flat: Publishers.FlatMap<Script<Int, Problem>, Script<Int, Problem>> {
      outer.flatMap(maxPublishers: maxPublishers) { [unowned self] index in
        opened.append(index)
        return children[index]
      }
    }
  }
}
