import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`OperatorCore`: upstreams", .leavesNothing)
struct OperatorCoreUpstreamTests {
  private typealias Source = Script<Int, Problem>

  @Test("Cancelling a core cancels all its upstreams, in its order", arguments: [false, true])
  func cancels(_ isReversed: Bool) {
    let stand = CoreStand(latestFirst: isReversed)
    let sources = sources(["a", "b", "c"], stand)
    for source in sources { stand.join(source) }

    stand.recorder.cancel()
    stand.recorder.cancel()

    let cancellations = stand.lines.filter { $0.hasSuffix("cancel") }
    let expected = ["a: cancel", "b: cancel", "c: cancel"]
    #expect(cancellations == (isReversed ? expected.reversed() : expected))
  }

  @Test("All upstreams are cancelled as soon as it is decided how the stream ends")
  func cancelsEarly() {
    let stand = CoreStand(demand: .none)
    let sources = sources(["a", "b"], stand)
    for source in sources { stand.join(source) }
    sources[0].say(1)

    stand.core.perform { [core = stand.core] in core.finish(.finished) }
    let early = sources.map(\.cancellations)
    for source in sources {
      source.say(2)
      source.end()
    }
    stand.recorder.request(.unlimited)

    #expect(early == [1, 1])
    #expect(stand.recorder.events == [.subscription, .value(1), .completion(.finished)])
    #expect(!stand.lines.contains { $0.hasSuffix("ended") })
  }

  @Test("A core subscribes to nothing more once it is decided how the stream ends, or after the end")
  func subscribesToNothing() {
    let (ending, over) = (CoreStand(demand: .none), CoreStand())
    let sources = sources(["a", "b", "c"], ending)

    ending.core.perform { [core = ending.core] in
      core.emit(1)
      core.finish(.finished)
    }
    ending.join(sources[0])
    ending.lead(sources[1])
    over.core.cancel()
    over.core.subscribe(to: sources[2], UpstreamHandle()) { _ in
    } onCompletion: { _ in
    }

    #expect(sources.allSatisfy { $0.sessions.isEmpty })
  }

  @Test(
    "A core keeps neither the handle of an upstream that has ended or was cancelled, nor of the primary one",
    arguments: [false, true], [false, true])
  func forgets(_ isPrimary: Bool, isCancelled: Bool) {
    let stand = CoreStand()
    let (source, other) = (Source(name: "a"), Source(name: "b"))
    source.keepsSubscribers = false
    let leaked = Lifetimes.leaks { lifetimes in
      let handle = lifetimes.track(UpstreamHandle(requesting: .max(1)), as: "handle")
      if isPrimary { stand.lead(source, handle) } else { stand.join(source, handle) }
      stand.join(other)
      if isCancelled {
        stand.core.perform { [core = stand.core] in core.cancel(handle) }
      } else {
        source.end()
      }
    }

    #expect(leaked.isEmpty)
    #expect(other.cancellations == 0)
  }

  @Test("A core keeps no handle of a primary upstream once it is decided how the stream ends")
  func forgetsEarly() {
    let stand = CoreStand(demand: .none)
    let source = Source(name: "a")
    source.keepsSubscribers = false
    let leaked = Lifetimes.leaks { lifetimes in
      stand.lead(source, lifetimes.track(UpstreamHandle(), as: "handle"))
      stand.core.perform { [core = stand.core] in
        core.emit(1)
        core.finish(.finished)
      }
    }

    #expect(leaked.isEmpty)
    #expect(stand.recorder.completions.isEmpty)
  }

  @Test("The primary upstream receives further requests after another upstream has ended")
  func staysPrimary() {
    let stand = CoreStand(demand: .max(1))
    let (primary, other) = (Source(name: "a"), Source(name: "b"))
    stand.lead(primary)
    stand.join(other)

    other.end()
    stand.recorder.request(.max(2))

    #expect(primary.demands == [.max(1), .max(2)])
    #expect(stand.lines == ["b ended"])
  }

  @Test("A value of another upstream is taken from the demand for the primary one")
  func sharesDemand() {
    let stand = CoreStand(demand: .max(2))
    let (primary, other) = (Source(name: "a"), Source(name: "b"))
    stand.lead(primary)
    stand.join(other)

    other.say(1)
    primary.say(2)
    stand.recorder.request(.max(2))

    #expect(primary.demands == [.max(2), .max(1)])
  }

  @Test("The primary upstream is asked for what is left of the demand when all waiting values are sent")
  func spares() {
    let (little, much, all) = (CoreStand(demand: .none), CoreStand(demand: .none), CoreStand(demand: .none))
    let demands: [Subscribers.Demand] = [.max(1), .max(4), .unlimited]
    let primaries = ["a", "b", "c"].map { Source(name: $0) }
    var early: [[Subscribers.Demand]] = []
    for (number, stand) in [little, much, all].enumerated() {
      stand.lead(primaries[number])
      stand.onValue = { [unowned stand] value in
        guard value == 1 else { return }
        stand.recorder.request(demands[number])
        early.append(primaries[number].demands)
      }
      stand.emit(1, 2, 3)
      stand.recorder.request(.max(1))
    }

    #expect(early == [[], [.max(2)], [.unlimited]])
    #expect([little, much, all].map(\.values) == [[1, 2], [1, 2, 3], [1, 2, 3]])
    #expect(primaries.map(\.demands) == early)
  }

  @Test("A primary value that is left out is replaced, by the return value of its delivery")
  func replaces() {
    let stand = CoreStand(demand: .max(2))
    let primary = Source(name: "a")
    stand.core.perform { [core = stand.core] in
      core.subscribePrimary(to: primary) { [unowned core] in
        if $0 > 1 { core.emit($0) }
      } onCompletion: { _ in
      }
    }

    let answers = [primary.say(1), primary.say(2), primary.say(3)]

    #expect(answers == [.max(1), .none, .none])
    #expect(primary.asks == [.request(.max(2))])
    #expect(stand.values == [2, 3])
  }

  @Test("Demand that a nested delivery returns goes to the upstream once")
  func answersNested() {
    let stand = CoreStand(demand: .max(2), answering: .max(1))
    let primary = Source(name: "a")
    let answers = Journal()
    stand.lead(primary)
    stand.onValue = { value in
      if value == 1 { answers.note("inner \(primary.say(2))") }
    }

    answers.note("outer \(primary.say(1))")

    #expect(answers.lines == ["inner max(1)", "outer max(1)"])
    #expect(primary.asks == [.request(.max(2))])
  }

  @Test("Demand for an upstream that a delivery cancels is not returned", arguments: [false, true])
  func answersNone(_ endsAll: Bool) {
    let stand = CoreStand(demand: .max(1))
    let (primary, handle) = (Source(name: "a"), UpstreamHandle())
    stand.lead(primary, handle)
    stand.onValue = { [unowned stand] _ in
      stand.recorder.request(.max(1))
      if endsAll { stand.recorder.cancel() } else { stand.core.cancel(handle) }
    }

    let answer = primary.say(1)

    #expect(answer == .none)
    #expect(primary.asks == [.request(.max(1)), .cancel])
  }

  @Test("A value that was not requested is dropped, and reported as such")
  func surplus() {
    let source = Source(name: "a")
    var drops: [String] = []
    let recorder = source.prefix(untilOutputFrom: Empty<Int, Problem>(completeImmediately: false))
      .handleDrops { drops.append("\($0)") }
      .record(demand: .max(1))

    source.say(1, 2)
    recorder.request(.max(1))
    source.say(3)

    #expect(recorder.values == [1, 3])
    #expect(drops == ["drop 2 by PrefixUntilOutput: more than requested"])
  }

  @Test("A value before the subscription of its upstream, or after its end, is ignored")
  func ignores() {
    let stand = CoreStand()
    let (early, late, other) = (Source(name: "a"), Source(name: "b"), Source(name: "c"))
    early.handsOverAtOnce = false
    for source in [early, late, other] { stand.join(source) }
    late.end()
    stand.onValue = { _ in
      early.say(2)
      late.say(3)
    }

    early.say(4)
    late.say(5)
    late.end(.failure(Problem(code: 1)))
    other.say(1)

    #expect(stand.recorder.events == [.subscription, .value(1)])
    #expect(stand.lines.count { $0.hasSuffix("ended") } == 1)
  }

  @Test("An upstream subscribed to inside a delivery opens, ends and is replaced within it")
  func nests() {
    let stand = CoreStand()
    let (first, second) = (Source(name: "a"), Source(name: "b"))
    stand.join(first)
    stand.onValue = { [unowned stand] value in
      guard value == 1 else { return }
      stand.join(second)
      second.say(2)
      second.end()
    }

    first.say(1)

    #expect(second.asks == [.request(.unlimited)])
    #expect(stand.lines == ["value 1", "value 2", "taken 2", "b ended", "taken 1"])
  }

  @Test("Only a core with unlimited demand requests everything of its children, and of all of them")
  func opensUp() {
    let (limited, unlimited) = (CoreStand(demand: .max(1)), CoreStand())
    for (number, stand) in [limited, unlimited].enumerated() {
      let sources = ["a", "b", "c"].map { Source(name: $0) }
      for (source, isChild) in zip(sources, [true, true, false]) {
        let handle = UpstreamHandle()
        handle.isChild = isChild
        stand.join(source, handle)
      }

      stand.core.perform { [core = stand.core] in
        core.requestAllIfUnlimited()
        core.requestAllIfUnlimited()
      }

      #expect(sources.map(\.demands) == (number == 0 ? [[], [], []] : [[.unlimited], [.unlimited], []]))
    }
  }

  @Test("An upstream's demand adds up to unlimited, is raised only to more, and is requested on arrival")
  func demand() {
    let stand = CoreStand()
    let (source, handle) = (Source(name: "a"), UpstreamHandle(requesting: .none))
    source.handsOverAtOnce = false
    stand.join(source, handle)

    for demand in [Subscribers.Demand.max(2), .max(1), .none] { handle.requestMore(demand) }
    handle.raiseDemand(to: .max(3))
    handle.raiseDemand(to: .max(2))
    let early = source.asks
    source.session?.handOver(source.session!.subscription)
    handle.raiseDemand(to: .max(5))
    let owed = handle.owed
    handle.requestMore(.max(.max - 2))
    handle.requestMore(.max(1))
    handle.raiseDemand(to: .unlimited)

    #expect(early.isEmpty)
    #expect(owed == 5)
    #expect(handle.owed == .max)
    #expect(source.demands == [.max(3), .max(2), .max(.max - 2)])
  }

  @Test("An upstream of which nothing is wanted receives no request on arrival")
  func wantsNothing() {
    let stand = CoreStand(demand: .none)
    let source = Source(name: "a")

    stand.lead(source)

    #expect(source.asks.isEmpty)
  }

  @Test("The subscriber of an upstream passes requests and cancellations on, as a subscription")
  func twoSided() throws {
    let stand = CoreStand(demand: .none)
    let (keeper, source) = (Keeper(), Source(name: "a"))
    stand.lead(source)
    stand.core.perform { [core = stand.core] in
      core.subscribe(to: keeper, UpstreamHandle()) { _ in
      } onCompletion: { _ in
      }
    }

    let subscription = try #require(keeper.subscriber as? any Subscription)
    subscription.request(.max(2))
    let demands = source.demands
    subscription.cancel()
    let event = stand.recorder.events

    #expect(demands == [.max(2)])
    #expect(source.asks == [.request(.max(2)), .cancel])
    #expect(event == [.subscription])
    keeper.subscriber = nil
  }

  private func sources(_ names: [String], _ stand: CoreStand) -> [Source] {
    names.map { Source(name: $0, journal: stand.journal) }
  }
}

/// A publisher that keeps its subscriber, and sends nothing.
private final class Keeper: Publisher {
  typealias Output = Int
  typealias Failure = Problem

  var subscriber: Any?

  func receive<Downstream: Subscriber<Int, Problem>>(subscriber: Downstream) { self.subscriber = subscriber }
}
