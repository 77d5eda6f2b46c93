import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// What happens while a value that waited is being delivered.
@Suite("`flatMap`: signals inside a delivery", .leavesNothing)
struct FlatMapDrainingTests {
  private typealias Stage = FlatMapTests.Stage

  @Test("A single-value child inside the delivery of one that waited comes after that")
  func constants() {
    let look = Look()
    let outer = Script(Int.self, failure: Problem.self)
    let recorder = look.watch(outer.flatMap { Result<Int, Problem>.success($0).publisher }, demand: .none)
    outer.say(1)
    look.onValue = { _, value in
      if value == 1 { outer.say(2) }
    }

    recorder.request(.unlimited)

    #expect(look.lines == ["value 1", "taken 1", "value 2", "taken 2"])
  }

  @Test("A single-value child is not delivered if the closure that returned it cancels the stream")
  func cancelledConstant() {
    let outer = Script(Int.self, failure: Never.self)
    let recorder = Recorder<Int, Never>()
    outer.flatMap { [unowned recorder] in
      recorder.cancel()
      return Just($0)
    }.subscribe(recorder)

    outer.say(1)

    #expect(recorder.events == [.subscription])
    #expect(outer.cancellations == 1)
  }

  @Test("A child that opens while values drain is asked for one value first, and for all afterwards")
  func opensInside() {
    let look = Look()
    let recorder = look.watch(demand: .none)
    look.stage.outer.say(0)
    look.stage.children[0].say(1)
    var asks: [SubscriptionRecorder.Ask] = []
    look.onValue = { look, _ in
      look.stage.outer.say(1)
      asks = look.stage.children[1].asks
    }

    recorder.request(.unlimited)

    #expect(asks == [.request(.max(1))])
    #expect(look.stage.children[1].asks == [.request(.max(1)), .request(.unlimited)])
    #expect(look.stage.children[0].asks == [.request(.max(1)), .request(.unlimited)])
  }

  @Test("A single-value child leaves other threads free to deliver")
  func leaves() {
    let (outer, other) = (PassthroughSubject<Bool, Never>(), PassthroughSubject<Int, Never>())
    let recorder = outer.flatMap { isConstant in
      isConstant ? Just(1).eraseToAnyPublisher() : other.eraseToAnyPublisher()
    }.record()
    outer.send(false)

    outer.send(true)
    elsewhere { other.send(2) }

    #expect(recorder.values == [1, 2])
  }
}

@Suite("`flatMap`: subscriptions", .leavesNothing)
struct FlatMapSubscriptionTests {
  private typealias Stage = FlatMapTests.Stage

  @Test("`flatMap` cancels a second subscription of upstream, and one after cancellation")
  func outer() {
    let (stage, late) = (Stage(), Stage())
    let surplus = SubscriptionRecorder()
    late.outer.handsOverAtOnce = false
    let recorders = [stage.flat.record(), late.flat.record()]

    stage.outer.session?.handOver(surplus)
    recorders[1].cancel()
    if let session = late.outer.session { session.handOver(session.subscription) }

    #expect(surplus.asks == [.cancel])
    #expect(stage.outer.asks == [.request(.unlimited)])
    #expect(late.outer.asks == [.cancel])
  }

  @Test("`flatMap` reports an upstream value that it did not request")
  func surplus() {
    let stage = Stage(maxPublishers: .max(1))
    var drops: [String] = []
    let recorder = stage.flat.handleDrops { drops.append("\($0)") }.record()

    stage.outer.say(0, 1)
    recorder.cancel()
    stage.outer.say(2)

    #expect(drops == ["drop 1 by FlatMap: more than requested"])
  }

  @Test("`flatMap` releases the subscription of upstream when that finishes, and a child's when that does")
  func releases() {
    let lifetimes = Lifetimes()
    let (outer, child) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))
    outer.handsOverAtOnce = false
    child.handsOverAtOnce = false
    let recorder = outer.flatMap { _ in child }.record()
    outer.session?.handOver(lifetimes.track(SubscriptionRecorder(), as: "upstream"))
    outer.say(0)
    child.session?.handOver(lifetimes.track(SubscriptionRecorder(), as: "child"))

    let before = lifetimes.living
    outer.end()
    let between = lifetimes.living
    child.end()

    #expect(before == ["upstream", "child"])
    #expect(between == ["child"])
    #expect(lifetimes.living.isEmpty)
    #expect(recorder.completions == [.finished])
  }
}

/// `flatMap` with a recorder that notes when values come and when they are taken.
private final class Look {
  let stage = FlatMapTests.Stage()
  let journal = Journal()
  var onValue: (Look, Int) -> Void = { _, _ in }

  var lines: [String] { journal.lines }

  func watch(demand: Subscribers.Demand) -> Recorder<Int, Problem> { watch(stage.flat, demand: demand) }

  func watch(
    _ publisher: some Publisher<Int, Problem>, demand: Subscribers.Demand
  ) -> Recorder<Int, Problem> {
    let recorder = Recorder<Int, Problem>(demand: demand)
    recorder.onValue = { [unowned self] _, value in
      journal.note("value \(value)")
      onValue(self, value)
      journal.note("taken \(value)")
    }
    recorder.onCompletion = { [journal] _, _ in journal.note("finished") }
    publisher.subscribe(recorder)
    return recorder
  }
}
