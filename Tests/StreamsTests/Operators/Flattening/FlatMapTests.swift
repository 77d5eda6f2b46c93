import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("flatMap", .leavesNothing)
struct FlatMapTests {
  @Test(
    "sends what the publishers that it makes send",
    arguments: [[], [0], [2], [1, 0, 3]], [Subscribers.Demand.max(1), .max(2), .unlimited])
  func flattens(_ sent: [Int], maxPublishers: Subscribers.Demand) {
    let recorder = sent.publisher
      .flatMap(maxPublishers: maxPublishers) { Array(repeating: $0, count: $0).publisher }
      .record()

    #expect(recorder.values == sent.flatMap { Array(repeating: $0, count: $0) })
    #expect(recorder.completions == [.finished])
  }

  @Test("sends one publisher's values after another's if they come at once")
  func example() {
    #expect([1, 2].publisher.flatMap { [$0, $0 * 10].publisher }.record().values == [1, 10, 2, 20])
  }

  @Test("keeps the order of each publisher's values, for every way to ask", arguments: 0...6)
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

  @Test("hands over its subscription before it subscribes to upstream, and asks for as many as it may open")
  func subscribesLate() {
    let journal = Journal()
    let outer = Script(Int.self, failure: Never.self, journal: journal)

    _ = outer.flatMap(maxPublishers: .max(3)) { Just($0) }.record(demand: .none) { $0.journal = journal }

    #expect(journal.lines == ["downstream: subscription", "upstream: subscribe", "upstream: request max(3)"])
  }

  @Test("asks each publisher for one value ahead of demand, or for everything if it is asked for everything")
  func prefetches() {
    let (modest, greedy) = (Stage(), Stage())
    let recorders = [modest.flat.record(demand: .none), greedy.flat.record(demand: .unlimited)]

    modest.outer.say(0)
    greedy.outer.say(0)

    #expect(modest.children[0].asks == [.request(.max(1))])
    #expect(greedy.children[0].asks == [.request(.unlimited)])
    #expect(recorders.allSatisfy { $0.values.isEmpty })
  }

  @Test("delivers within demand, and asks the sender for another")
  func delivers() {
    let stage = Stage()
    let recorder = stage.flat.record(demand: .max(1))
    stage.outer.say(0)

    let answers = [stage.children[0].say(1), stage.children[0].say(2)]

    #expect(answers == [.max(1), .none])
    #expect(recorder.values == [1])
  }

  @Test("delivers what waits in the order in which it came, and asks each sender for another")
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

  @Test(
    "asks every publisher for everything, once, when the demand becomes unlimited; what waits comes first")
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

  @Test("stays unlimited when it is asked for everything again")
  func staysUnlimited() {
    let stage = Stage()
    let recorder = stage.flat.record(demand: .unlimited)

    recorder.request(.unlimited)
    stage.outer.say(0)
    stage.children[0].say(1, 2)

    #expect(recorder.values == [1, 2])
  }

  @Test(
    "delivers what waits when the answer to a value makes room for it",
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

  @Test("asks upstream for another publisher when one has finished, if their number is limited")
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

  @Test("never has more publishers open than it may", arguments: 1...3)
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

  @Test("loses what an upstream sends that it did not ask for")
  func surplus() {
    let stage = Stage(maxPublishers: .max(1))
    let recorder = stage.flat.record()

    stage.outer.say(0, 1)
    stage.children[0].end()
    stage.outer.say(2)

    #expect(stage.opened == [0, 2])
    #expect(recorder.completions.isEmpty)
  }

  @Test("asks for nothing, and does nothing, if it may open no publisher")
  func noPublishers() {
    let stage = Stage(maxPublishers: .none)
    let recorder = stage.flat.record()

    stage.outer.say(0)

    #expect(stage.outer.asks.isEmpty)
    #expect(stage.opened.isEmpty)
    #expect(recorder.events == [.subscription])
  }

  @Test("may be asked before upstream has handed over its subscription")
  func earlyRequest() {
    let stage = Stage()
    stage.outer.handsOverAtOnce = false
    let recorder = stage.flat.record(demand: .max(1))

    if let session = stage.outer.session { session.handOver(session.subscription) }
    stage.outer.say(0)
    stage.children[0].say(1)

    #expect(recorder.values == [1])
  }

  @Test("delivers what is sent inside a delivery at once, within demand")
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
    "does not recurse for publishers that send at once", arguments: [Subscribers.Demand.max(1), .unlimited])
  func depth(maxPublishers: Subscribers.Demand) {
    let recorder = (0..<10_000).publisher.flatMap(maxPublishers: maxPublishers) { Just($0) }.record()

    #expect(recorder.values.count == 10_000)
    #expect(recorder.completions == [.finished])
  }

  @Test("fits publishers that fail and publishers that cannot")
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

  @Test("is known by its name, and traps when it is asked for nothing")
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
