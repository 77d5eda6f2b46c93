import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`flatMap`", .leavesNothing)
struct FlatMapTests {
  @Test("`flatMap` passes on its subscription first, and requests as many publishers as allowed")
  func subscribesLate() {
    let journal = Journal()
    let outer = Script(Int.self, failure: Never.self, journal: journal)

    _ = outer.flatMap(maxPublishers: .max(3)) { Just($0) }.record(demand: .none) { $0.journal = journal }

    #expect(journal.lines == ["downstream: subscription", "upstream: subscribe", "upstream: request max(3)"])
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
