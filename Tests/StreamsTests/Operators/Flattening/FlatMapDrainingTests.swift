import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// What happens while a value that waited is being delivered.
@Suite("`flatMap`: signals inside a delivery", .leavesNothing)
struct FlatMapDrainingTests {
  private typealias Stage = FlatMapTests.Stage

  @Test("A child's value inside the delivery of one that waited comes after that")
  func drainsInTurn() {
    let look = Look()
    let recorder = look.watch(demand: .none)
    look.stage.outer.say(0, 1)
    look.stage.children[0].say(1)
    look.onValue = { look, value in
      if value == 1 { look.stage.children[1].say(2) }
    }

    recorder.request(.max(2))

    #expect(look.lines == ["value 1", "taken 1", "value 2", "taken 2"])
  }

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

  @Test("A stream that is done inside the delivery of a value that waited finishes after it")
  func finishesAfter() {
    let look = Look()
    let recorder = look.watch(demand: .none)
    look.stage.outer.say(0)
    look.stage.children[0].say(1)
    look.onValue = { look, _ in
      look.stage.children[0].end()
      look.stage.outer.end()
    }

    recorder.request(.max(1))

    #expect(look.lines == ["value 1", "taken 1", "finished"])
  }

  @Test("A request inside the delivery of a value that waited only adds to the demand")
  func requestsInside() {
    let look = Look()
    let recorder = look.watch(demand: .none)
    look.stage.outer.say(0, 1)
    for (number, child) in look.stage.children.prefix(2).enumerated() { child.say(number) }
    look.onValue = { _, value in
      if value == 0 { recorder.request(.max(1)) }
    }

    recorder.request(.max(1))

    #expect(look.lines == ["value 0", "taken 0", "value 1", "taken 1"])
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

  @Test("Cancelling inside the delivery of a value that waited sends neither the rest nor a completion")
  func cancelsInside() {
    let look = Look()
    let recorder = look.watch(demand: .none)
    look.stage.outer.say(0, 1)
    for (number, child) in look.stage.children.prefix(2).enumerated() {
      child.say(number)
      child.end()
    }
    look.stage.outer.end()
    look.onValue = { _, _ in recorder.cancel() }

    recorder.request(.unlimited)

    #expect(look.lines == ["value 0", "taken 0"])
  }

  @Test("A nested value waits behind another thread's queued value")
  func mailFirst() {
    let look = Look()
    let recorder = look.watch(demand: .unlimited)
    look.stage.outer.say(0, 1)
    let (first, second) = (look.stage.children[0], look.stage.children[1])
    look.onValue = { _, value in
      guard value == 1 else { return }
      elsewhere { second.say(2) }
      first.say(3)
    }

    first.say(1)

    #expect(look.lines == ["value 1", "taken 1", "value 2", "taken 2", "value 3", "taken 3"])
    withExtendedLifetime(recorder) {}
  }

  @Test("Another thread's queued value is delivered within demand, and replaced once it is")
  func queuedDemand() {
    let look = Look()
    let recorder = look.watch(demand: .max(2))
    look.stage.outer.say(0, 1)
    let (first, second) = (look.stage.children[0], look.stage.children[1])
    look.onValue = { _, value in
      if value == 1 { elsewhere { second.say(2, 3) } }
    }

    first.say(1)
    let between = (recorder.values, second.demands)
    recorder.request(.max(1))

    #expect(between.0 == [1, 2])
    #expect(between.1 == [.max(1), .max(1)])
    #expect(recorder.values == [1, 2, 3])
    #expect(second.demands == [.max(1), .max(1), .max(1)])
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

  @Test("`flatMap` cancels a second subscription of a child, and one after the child's end")
  func children() {
    let stage = Stage()
    let (surplus, late) = (SubscriptionRecorder(), SubscriptionRecorder())
    let recorder = stage.flat.record()
    stage.outer.say(0)

    stage.children[0].session?.handOver(surplus)
    stage.children[0].end()
    stage.children[0].session?.handOver(late)

    #expect(surplus.asks == [.cancel])
    #expect(late.asks == [.cancel])
    #expect(stage.children[0].asks == [.request(.unlimited)])
    withExtendedLifetime(recorder) {}
  }

  @Test("`flatMap` ignores a child's values before its subscription and after its end")
  func ignores() {
    let stage = Stage()
    let recorder = stage.flat.record()
    stage.children[0].handsOverAtOnce = false
    stage.outer.say(0, 1)

    stage.children[0].say(1)
    stage.children[1].end()
    stage.children[1].say(2)
    stage.children[1].end(.failure(Problem(code: 1)))

    #expect(recorder.events == [.subscription])
    #expect(stage.children[0].demands.isEmpty)
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

  @Test("`flatMap` with a limit of one asks for the next child whenever one has ended")
  func replenishes() {
    let stage = Stage(maxPublishers: .max(1))
    let recorder = stage.flat.record()

    for number in 0..<3 {
      stage.outer.say(number)
      stage.children[number].end()
    }

    #expect(stage.outer.asks == Array(repeating: .request(.max(1)), count: 4))
    #expect(stage.opened == [0, 1, 2])
    #expect(recorder.completions.isEmpty)
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
