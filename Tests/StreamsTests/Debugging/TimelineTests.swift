import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Timeline", .serialized, .leavesNothing)
struct TimelineTests {
  @Test("An event has a time, a thread, the subscription below, the name and the place")
  func details() throws {
    let timeline = Timeline(onlyThisThread: true)
    timeline.enable()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.map { $0 * 2 }.named("search", fileID: "App/Search.swift", line: 31).prefix(2)
      .record()
    subject.send(1)
    timeline.disable()

    let event = try #require(timeline.events.last)
    let (subscription, subscriptions) = (try #require(event.subscription), timeline.subscriptions)
    let names = subscriptions.map(\.publisher)
    #expect(event.kind == .value("2"))
    #expect(
      names == ["Output", "Named", "Map", "PassthroughSubject"].map { names.contains($0) ? $0 : "missing" })
    #expect(subscriptions.map(\.parent) == [nil] + subscriptions.dropLast().map(\.id))
    #expect(subscription.id == subscriptions[0].id)
    #expect(subscriptions.map(\.name) == [nil, "search", "search", "search"])
    #expect(subscriptions[3].place == CallSite(fileID: "App/Search.swift", line: 31))
    #expect(Set(timeline.events.map(\.thread)).count == 1)
    #expect(timeline.events.map(\.time) == timeline.events.map(\.time).sorted())
    withExtendedLifetime(recorder) {}
  }

  @Test("The children of `flatMap` are above its own subscription, also when they come later")
  func children() {
    let timeline = Timeline(onlyThisThread: true)
    timeline.enable()
    let (terms, child) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = terms.flatMap { _ in child.map { $0 } }.record()
    terms.send(1)
    terms.send(2)
    timeline.disable()

    let all = timeline.subscriptions
    let ids = Dictionary(grouping: all, by: { $0.publisher + " " + $0.subscriber }).mapValues { $0.map(\.id) }
    let root = all.first { $0.publisher == "FlatMap" }?.id
    let maps = all.filter { $0.publisher == "Map" }
    #expect(maps.map(\.parent) == [root, root])
    #expect(
      all.filter { $0.publisher == "PassthroughSubject" && $0.subscriber == "Map" }.map(\.parent)
        == maps.map(\.id))
    #expect(ids["PassthroughSubject FlatMap"]?.count == 1)
    withExtendedLifetime(recorder) {}
  }

  @Test("A chain that a subscriber subscribes to does not belong to the chain that is being subscribed to")
  func apart() {
    let timeline = Timeline(onlyThisThread: true)
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let recorders = subjects.map { _ in Recorder<Int, Never>() }
    timeline.enable()
    let outer = Just(1).named("outer").record {
      $0.onSubscription = { _ in subjects[0].subscribe(recorders[0]) }
      $0.onValue = { _, _ in subjects[1].subscribe(recorders[1]) }
      $0.onCompletion = { _, _ in subjects[2].subscribe(recorders[2]) }
    }
    timeline.disable()

    let apart = timeline.subscriptions.filter { $0.publisher == "PassthroughSubject" }
    #expect(apart.map(\.parent) == [nil, nil, nil])
    #expect(apart.map(\.name) == [nil, nil, nil])
    #expect(timeline.subscriptions.count { $0.name == "outer" } == 2)
    withExtendedLifetime((outer, subjects, recorders)) {}
  }

  @Test("A publisher that subscribes to another when it is asked for values is below that one")
  func lazily() {
    let timeline = Timeline(onlyThisThread: true)
    let source = PassthroughSubject<Int, Never>()
    timeline.enable()
    let recorder = OnRequest(upstream: source).named("lazy").record()
    timeline.disable()

    let all = timeline.subscriptions
    #expect(all.last?.publisher == "PassthroughSubject")
    #expect(all.last?.parent == all.dropLast().last?.id)
    #expect(all.last?.name == "lazy")
    recorder.cancel()
  }

  @Test("A timeline attaches to subscriptions that another introspection has seen, and to those that drop")
  func late() {
    let (first, second) = (Timeline(onlyThisThread: true), Timeline(onlyThisThread: true))
    let (seen, unseen) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let early = unseen.map { $0 }.prefix(9).record(demand: .none)
    first.enable()
    let known = seen.record()
    first.disable()

    second.enable()
    seen.send(1)
    unseen.send(2)
    second.disable()

    let subscribers = second.subscriptions.map(\.publisher)
    #expect(second.events.map(\.kind) == [.value("1"), .found, .dropped("2", reason: "no demand")])
    #expect(subscribers == ["PassthroughSubject", "PassthroughSubject"])
    #expect(second.subscriptions[0] == first.subscriptions[0])
    withExtendedLifetime((early, known)) {}
  }

  @Test("A subscription that is released without an end is recorded")
  func released() {
    let timeline = Timeline(onlyThisThread: true)
    timeline.enable()
    do {
      let recorder = PassthroughSubject<Int, Never>().record()
      recorder.forget()
    }
    timeline.disable()

    #expect(timeline.events.last?.kind == .released)
  }

  @Test("A timeline keeps the newest events up to its capacity, and counts all drops")
  func capacity() {
    let timeline = Timeline(onlyThisThread: true, capacity: 3)
    let subject = PassthroughSubject<Int, Never>()
    timeline.enable()
    for value in 1...5 { subject.send(value) }
    timeline.disable()

    #expect(timeline.events.map(\.number) == [2, 3, 4])
    #expect(timeline.events.last?.kind == .dropped("5", reason: "PassthroughSubject has no subscriber"))
    #expect(timeline.dropCount == 5)
  }

  @Test(
    "The image has lanes, numbers for demand, the whole values as tooltips, a legend and a dark appearance")
  func image() {
    let timeline = Timeline(onlyThisThread: true)
    timeline.enable()
    let subject = PassthroughSubject<String, Never>()
    let recorder = subject.map { "page of \($0)" }.record(demand: .max(3))
    for number in 1...7 { subject.send("term \(number)") }
    timeline.disable()

    let svg = timeline.svg
    let width = svg.firstMatch(of: /width="(\d+)"/).flatMap { Int($0.1) } ?? 0
    #expect(svg.contains(">3</text>"))
    #expect(svg.contains("<title>value page of term 2\n+"))
    #expect(svg.contains("drop term 4: no demand"))
    #expect(svg.contains("request, ∞ unlimited"))
    #expect(svg.contains("prefers-color-scheme: dark"))
    #expect(timeline.events.filter { $0.kind != .subscribed }.count <= 40)
    #expect((720...1280).contains(width))
    #expect(XMLReader.isWellFormed(svg))
    withExtendedLifetime(recorder) {}
  }

  @Test("The log names the number, the subscription and the signal of each event")
  func log() {
    let timeline = Timeline(onlyThisThread: true)
    timeline.enable()
    let recorder = Just(7).record()
    timeline.disable()

    let lines = timeline.log.split(separator: "\n")
    #expect(lines.count == timeline.events.count)
    #expect(lines.last?.contains("Just → Recorder") == true)
    #expect(lines.contains { $0.hasSuffix("value 7") })
    withExtendedLifetime(recorder) {}
  }
}

/// Reads a document to its end.
private enum XMLReader {
  static func isWellFormed(_ text: String) -> Bool {
    var stack: [Substring] = []
    for match in text.matches(of: /<(\/?)(\w+)[^>]*?(\/?)>/) {
      if match.1 == "/" {
        guard stack.popLast() == match.2 else { return false }
      } else if match.3 != "/" {
        stack.append(match.2)
      }
    }
    return stack.isEmpty && !text.isEmpty
  }
}

/// Subscribes to its upstream when values are requested.
private struct OnRequest<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    subscriber.receive(subscription: Request(upstream: upstream))
  }

  final class Request: Subscription {
    private let upstream: Upstream
    private var sink: AnyCancellable?

    init(upstream: Upstream) { self.upstream = upstream }

    func request(_: Subscribers.Demand) {
      sink = upstream.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }

    func cancel() { sink?.cancel() }
  }
}
