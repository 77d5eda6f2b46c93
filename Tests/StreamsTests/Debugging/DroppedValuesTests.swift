import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// One after another: the tools see the drops of the whole process.
@Suite("Dropped values", .serialized, .leavesNothing)
struct DroppedValuesTests {
  @Test(
    "Each operator and subject reports what it drops, with the value and the reason", arguments: Dropper.all)
  func everywhere(dropper: Dropper) {
    let look = DropLook()

    dropper.provoke(look)

    let expected = dropper.drops.map { "drop \($0)" }
    #expect(look.handled == expected)
    #expect(look.debugged == expected)
    #expect(look.printed == dropper.drops.map { $0.printedDrop })
    #expect(look.recorded == expected.map { $0.replacing(#/ by .*: /#, with: ": ") })
    #expect(look.hooked == dropper.drops)
    #expect(look.counted >= expected.count)
  }

  @Test("A chain of stages, children and hops reports drops of its source", arguments: Route.all)
  func chains(route: Route) {
    let subject = PassthroughSubject<Int, Never>()
    var drops: [String] = []

    let recorder = route.build(subject.eraseToAnyPublisher()).handleDrops { drops.append("\($0)") }
      .record(demand: .none)
    subject.send(1)

    #expect(drops == ["drop 1 by PassthroughSubject: no demand"])
    withExtendedLifetime(recorder) {}
  }

  @Test("A subject reports a value that it sends without subscribers")
  func unheard() {
    let look = DropLook()
    let subject = PassthroughSubject<Int, Never>()

    look.watch { subject.send(1) }

    #expect(look.recorded == ["drop 1: PassthroughSubject has no subscriber"])
    #expect(look.hooked == ["1 by PassthroughSubject: no subscriber"])
  }

  @Test(
    "A subject that replays reports what leaves its buffer before anyone has subscribed, and nothing else")
  func unheardReplays() {
    let look = DropLook()
    let scheduler = VirtualScheduler.virtual
    let (two, none) = (ReplaySubject<Int, Never>(bufferSize: 2), ReplaySubject<Int, Never>(bufferSize: 0))
    let young = ReplaySubject<Int, Never>(maxAge: 1, scheduler: scheduler)

    look.watch {
      for value in 1...3 { two.send(value) }
      let recorder = two.record()
      for value in 4...5 { two.send(value) }
      recorder.cancel()
      for value in 6...8 { two.send(value) }
      none.send(9)
      let present = none.record()
      none.send(10)
      present.cancel()
      young.send(11)
      scheduler.advance(by: 2)
      young.send(12)
    }

    #expect(
      look.hooked == [
        "1 by ReplaySubject: the buffer is full", "6 by ReplaySubject: the buffer is full",
        "9 by ReplaySubject: the buffer is full", "11 by ReplaySubject: older than what is replayed",
      ])
  }

  @Test("An iteration reports what it has no room for or did not request, and nothing after its end")
  func iterations() {
    let look = DropLook()
    let script = Script(Int.self, failure: Never.self)
    let full = script.values(buffering: .bufferingOldest(1)).makeAsyncIterator()
    let counting = script.values(buffering: .prefetching(1)).makeAsyncIterator()
    script.handsOverAtOnce = false
    let early = script.values(buffering: .unbounded).makeAsyncIterator()

    look.watch {
      for (number, session) in script.sessions.enumerated() {
        session.say(number * 10 + 1)
        session.say(number * 10 + 2)
        session.end()
        session.say(number * 10 + 3)
      }
    }

    #expect(
      look.hooked.map { $0.replacing(#/ by .*: /#, with: ": ") } == [
        "2: the buffer is full", "12: more than requested", "21: more than requested",
        "22: more than requested",
      ])
    withExtendedLifetime((full, counting, early)) {}
  }

  @Test("Nothing is reported after the end, after a cancellation, or for another chain")
  func quiet() {
    let subject = PassthroughSubject<Int, Never>()
    let other = PassthroughSubject<Int, Never>()
    var drops: [String] = []
    let recorders = (0..<3).map { _ in
      subject.handleDrops { drops.append("\($0)") }.record(demand: .none)
    }
    let stranger = other.record(demand: .none)

    other.send(1)
    recorders[0].cancel()
    recorders[1].cancel()
    let before = drops
    subject.send(2)
    subject.send(completion: .finished)
    subject.send(3)

    #expect(before == [])
    #expect(drops == ["drop 2 by PassthroughSubject: no demand"])
    withExtendedLifetime(stranger) {}
  }

  @Test("A sink that keeps up causes no report")
  func none() {
    let look = DropLook()
    let subject = CurrentValueSubject<Int, Never>(0)

    look.watch(subject.combineLatest(subject).map { $0 + $1 }.eraseToAnyPublisher(), demand: .unlimited) {
      for value in 1...3 { subject.send(value) }
    }

    #expect(look.handled == [])
    #expect(look.recorded == [])
  }
}

/// Something that drops values, and what it drops.
struct Dropper: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let drops: [String]
  let provoke: @Sendable (DropLook) -> Void

  static let all = [
    Dropper("PassthroughSubject", "2 by PassthroughSubject: no demand") { look in
      let subject = PassthroughSubject<Int, Never>()
      look.watch(subject.eraseToAnyPublisher()) { for value in 1...2 { subject.send(value) } }
    },
    Dropper("CurrentValueSubject", "1 by CurrentValueSubject: a newer value took its place") { look in
      let subject = CurrentValueSubject<Int, Never>(0)
      look.watch(subject.eraseToAnyPublisher()) { for value in 1...2 { subject.send(value) } }
    },
    Dropper("@Published", "1 by PublishedSubject: a newer value took its place") { look in
      let model = DroppingModel()
      look.watch(model.$number.eraseToAnyPublisher()) { for value in 1...2 { model.number = value } }
    },
    Dropper("PassthroughRelay", "2 by PassthroughSubject: no demand") { look in
      let relay = PassthroughRelay<Int>()
      look.watch(relay.eraseToAnyPublisher()) { for value in 1...2 { relay.accept(value) } }
    },
    Dropper("flatMap with a limit, above which is a subject", "2 by PassthroughSubject: no demand") { look in
      let (subject, open) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let publisher = subject.flatMap(maxPublishers: .max(1)) { open.prepend($0) }
      look.watch(publisher.eraseToAnyPublisher()) { for value in 1...2 { subject.send(value) } }
    },
    Dropper("flatMap whose child has no demand", "4 by PassthroughSubject: no demand") { look in
      let child = PassthroughSubject<Int, Never>()
      let publisher = Just(0).flatMap { _ in child }
      look.watch(publisher.eraseToAnyPublisher()) { for value in 2...4 { child.send(value) } }
    },
    Dropper("flatMap whose upstream sends more than requested", "2 by FlatMap: more than requested") { look in
      let script = Script(Int.self, failure: Never.self)
      let publisher = script.flatMap(maxPublishers: .max(1)) { _ in
        Empty<Int, Never>(completeImmediately: false)
      }
      look.watch(publisher.eraseToAnyPublisher()) { for value in 1...2 { script.say(value) } }
    },
    Dropper("flatMapFirst", "2 by FlatMap: other publishers are being merged") { look in
      let (subject, open) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      look.watch(subject.flatMapFirst { open.prepend($0) }.eraseToAnyPublisher()) {
        for value in 1...2 { subject.send(value) }
      }
    },
    Dropper("flatMapFirst whose closure sends", "2 by FlatMap: other publishers are being merged") { look in
      let subject = PassthroughSubject<Int, Never>()
      let publisher = subject.flatMapFirst { number in
        if number == 1 { subject.send(2) }
        return Empty<Int, Never>(completeImmediately: false)
      }
      look.watch(publisher.eraseToAnyPublisher()) { subject.send(1) }
    },
    Dropper("buffer that drops the newest", "3 by Buffer: the buffer is full") { look in
      let subject = PassthroughSubject<Int, Never>()
      let publisher = subject.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest)
      look.watch(publisher.eraseToAnyPublisher()) { for value in 1...3 { subject.send(value) } }
    },
    Dropper("buffer that drops the oldest", "2 by Buffer: the buffer is full") { look in
      let subject = PassthroughSubject<Int, Never>()
      let publisher = subject.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)
      look.watch(publisher.eraseToAnyPublisher()) { for value in 1...3 { subject.send(value) } }
    },
    Dropper("buffer without room", "2 by Buffer: the buffer is full") { look in
      let subject = PassthroughSubject<Int, Never>()
      let publisher = subject.buffer(size: 0, prefetch: .byRequest, whenFull: .dropOldest)
      look.watch(publisher.eraseToAnyPublisher()) { for value in 1...2 { subject.send(value) } }
    },
    Dropper("throttle", "2 by Throttle: a newer value took its place", "4 by Throttle: no demand") { look in
      let subject = PassthroughSubject<Int, Never>()
      let scheduler = VirtualScheduler.virtual
      let publisher = subject.throttle(for: 1, scheduler: scheduler, latest: true)
      look.watch(publisher.eraseToAnyPublisher(), demand: .max(2)) {
        for value in 1...3 {
          subject.send(value)
          if value == 1 { scheduler.advance() }
        }
        scheduler.advance(by: 1)
        subject.send(4)
      }
    },
    Dropper("debounce", "1 by Debounce: a newer value took its place", "3 by Debounce: no demand") { look in
      let subject = PassthroughSubject<Int, Never>()
      let scheduler = VirtualScheduler.virtual
      let publisher = subject.debounce(for: 1, scheduler: scheduler)
      look.watch(publisher.eraseToAnyPublisher()) {
        for value in 1...2 { subject.send(value) }
        scheduler.advance(by: 1)
        subject.send(3)
        scheduler.advance(by: 1)
      }
    },
    Dropper("combineLatest", "5 by CombineLatest: a newer value took its place") { look in
      let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let publisher = left.combineLatest(right).map { $0 + $1 }
      look.watch(publisher.eraseToAnyPublisher(), demand: .max(3)) {
        left.send(1)
        for value in 2...4 { right.send(value) }
        for value in 5...6 { left.send(value) }
      }
    },
    Dropper("combineLatest of a collection", "5 by CombineLatest: a newer value took its place") { look in
      let subjects = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
      let publisher = subjects.combineLatest().map(\.count)
      look.watch(publisher.eraseToAnyPublisher(), demand: .max(3)) {
        subjects[0].send(1)
        for value in 2...4 { subjects[1].send(value) }
        for value in 5...6 { subjects[0].send(value) }
      }
    },
    Dropper("sample", "3 by Sample: no demand") { look in
      let (subject, trigger) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
      look.watch(subject.sample(trigger).eraseToAnyPublisher()) {
        for value in 1...2 { subject.send(value) }
        trigger.send()
        subject.send(3)
        trigger.send()
      }
    },
    Dropper("groupBy", "1 by GroupBy: the buffer is full") { look in
      let subject = PassthroughSubject<Int, Never>()
      look.watch(subject.groupBy(maxGroups: 1, buffer: 2) { _ in 0 }.map(\.key).eraseToAnyPublisher()) {
        for value in 1...3 { subject.send(value) }
      }
    },
    Dropper("window", "1 by Window: the buffer is full") { look in
      let subject = PassthroughSubject<Int, Never>()
      look.watch(subject.window(count: 5, buffer: 2).map { _ in 0 }.eraseToAnyPublisher()) {
        for value in 1...3 { subject.send(value) }
      }
    },
    .create(bufferSize: 1, keepsNewest: true, drops: 2), .create(bufferSize: 1, keepsNewest: false, drops: 3),
    .create(bufferSize: 0, keepsNewest: true, drops: 2, 3),
    .create(bufferSize: 0, keepsNewest: false, drops: 2, 3),
    Dropper("append whose upstream sends more than requested", "2 by Concatenate: more than requested") {
      look in
      let script = Script(Int.self, failure: Never.self)
      look.watch(script.append(9).eraseToAnyPublisher()) { for value in 1...2 { script.say(value) } }
    },
  ]

  private static func create(bufferSize: Int, keepsNewest: Bool, drops values: Int...) -> Dropper {
    let name = "create with a buffer of \(bufferSize) that drops the \(keepsNewest ? "oldest" : "newest")"
    let drops = values.map { "\($0) by Create.Subscription<Int, Never>: the buffer is full" }
    return Dropper(testDescription: name, drops: drops) { look in
      var send: (Int) -> Void = { _ in }
      let publisher = MorePublishers.Create<Int, Never>(
        bufferSize: bufferSize, whenFull: keepsNewest ? .dropOldest : .dropNewest
      ) { subscriber in
        send = { subscriber.send($0) }
        return AnyCancellable {}
      }
      look.watch(publisher.eraseToAnyPublisher()) { for value in 1...3 { send(value) } }
    }
  }
}

extension Dropper {
  fileprivate init(
    _ name: String, _ drops: String..., provoke: @escaping @Sendable (DropLook) -> Void
  ) {
    self.init(testDescription: name, drops: drops, provoke: provoke)
  }
}

/// A chain below a subject.
struct Route: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let build: @Sendable (AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never>

  static let all = [
    Route(testDescription: "stages") { $0.map { $0 + 1 }.filter { $0 > 0 }.scan(0, +).eraseToAnyPublisher() },
    Route(testDescription: "prefix(while:)") { $0.prefix { _ in true }.handleEvents().eraseToAnyPublisher() },
    Route(testDescription: "receive(on:)") {
      $0.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher()
    },
    Route(testDescription: "append") { $0.append(1).eraseToAnyPublisher() },
    Route(testDescription: "zip") {
      $0.zip(Empty<Int, Never>(completeImmediately: false)).map { $0 + $1 }.eraseToAnyPublisher()
    },
    Route(testDescription: "timeout") {
      $0.timeout(.seconds(60), scheduler: VirtualScheduler.virtual).eraseToAnyPublisher()
    },
    Route(testDescription: "retry and catch") {
      $0.setFailureType(to: TestFailure.self).retry(1).catch { _ in Just(1) }.eraseToAnyPublisher()
    },
  ]
}

private final class DroppingModel: ObservableObject {
  @Published var number = 0
}

/// Looks at one chain with every tool that shows drops.
final class DropLook: _Introspection {
  private(set) var handled: [String] = []
  private(set) var debugged: [String] = []
  private(set) var printed: [String] = []
  private(set) var recorded: [String] = []
  private(set) var hooked: [String] = []
  private(set) var counted = 0

  /// Subscribes with `demand`, runs `body`, and cancels.
  func watch(
    _ publisher: AnyPublisher<Int, Never> = Empty().eraseToAnyPublisher(),
    demand: Subscribers.Demand = .max(1), _ body: () -> Void
  ) {
    let (timeline, counter, paper) = (Timeline(onlyThisThread: true), SubscriptionCounter(), Lines())
    for tool in [timeline, counter, self] as [any _Introspection] { tool.enable() }
    let recorder = publisher.print("", to: paper).debug { self.debugged.append($0.signal) }
      .handleDrops { self.handled.append("\($0)") }
      .record(demand: demand)
    body()
    for tool in [timeline, counter, self] as [any _Introspection] { tool.disable() }
    recorder.cancel()
    debugged = debugged.filter { $0.hasPrefix("drop") }
    printed = paper.lines.filter { $0.hasPrefix("drop") }
    recorded = timeline.events.map(\.kind.drawnWords).filter { $0.hasPrefix("drop") }
    counted = counter.drops
  }

  func didDrop<Value>(_ value: Value, by dropper: AnyObject, because reason: String) {
    hooked.append("\(value) by \(dropper): \(reason)")
  }
}

private final class Lines: TextOutputStream {
  var lines: [String] = []

  func write(_ string: String) { lines.append(String(string.dropLast())) }
}

extension Timeline.Event.Kind {
  fileprivate var drawnWords: String {
    if case .dropped(let value, let reason) = self { "drop \(value): \(reason)" } else { "" }
  }
}

extension String {
  /// What `print()` writes.
  fileprivate var printedDrop: String {
    let parts = split(separator: " by ", maxSplits: 1)
    return "drop value: (\(parts[0])) by \(parts[1])"
  }
}
