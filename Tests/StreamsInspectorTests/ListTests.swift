import Foundation
import Streams
import StreamsExtras
import StreamsInspector
import Testing

/// In processes of their own, since the subscriptions of other tests would be in the lists.
@Suite("Lists of the inspector")
struct ListTests {
  @Test("The list has the counts of each subscription, in the order in which values pass")
  func counts() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start()
      let (terms, child) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let sink = terms.flatMap(maxPublishers: .max(1)) { _ in child }
        .named("search", fileID: "App/Search.swift", line: 40).sink { _ in }
      terms.send(1)
      terms.send(2)
      for value in 1...3 { child.send(value) }
      PassthroughSubject<Int, Never>().send(0)

      let list = try inspector.list()
      let events = try inspector.events(of: list.rows[1].id)
      precondition(
        list.rows.map(\.publisher) == ["PassthroughSubject", "PassthroughSubject", "FlatMap", "Named"])
      precondition(list.rows.map(\.subscriber) == ["FlatMap", "FlatMap", "Sink", "Sink"])
      precondition(list.rows.map(\.lane) == [0, 1, 0, 0])
      precondition(list.rows.map(\.values) == [1, 3, 3, 3])
      precondition(list.rows.map(\.drops) == [1, 0, 0, 0])
      precondition(list.rows.map(\.demand) == [.limited(0), .unlimited, .unlimited, .unlimited])
      precondition(list.rows.map(\.root) == [false, false, false, true])
      precondition(list.rows.map(\.parent) == [list.rows[2].id, list.rows[2].id, list.rows[3].id, nil])
      precondition(
        list.rows.allSatisfy { $0.name == "search" && $0.place == "App/Search.swift:40" && !$0.found })
      precondition(
        [list.subscriptions, list.chains, list.matching, list.shownChains, list.shown] == [4, 1, 1, 1, 4])
      precondition(list.kinds.reduce(0) { $0 + $1.count } == 4)
      precondition(list.unheard == 1)
      precondition(events.events.map(\.text).prefix(3) == ["value 3", "value 2", "value 1"])
      precondition(Set(events.events.map(\.thread)).count == 1)
      precondition(events.events.allSatisfy { $0.time <= list.time })

      sink.cancel()
      try check(inspector.list().rows.isEmpty)
      try check(inspector.events(of: list.rows[1].id).events.isEmpty)
    }
  }

  @Test("A silent subscription has the reason: what has no demand, and what that waits for")
  func reasons() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start()
      let (terms, child) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let search = terms.map { $0 }
        .flatMap(maxPublishers: .max(1)) { _ in child.named("Child", fileID: "App/Search.swift", line: 31) }
        .named("search", fileID: "App/Search.swift", line: 40).sink { _ in }
      let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let pairs = left.zip(right).sink { _ in }
      terms.send(1)
      try check(inspector.list().rows.allSatisfy { $0.reason.isEmpty || $0.silent >= 1 })
      usleep(1_100_000)

      let reasons = Dictionary(
        try inspector.list().rows.map { ("\($0.publisher) → \($0.subscriber)", $0.reason) },
        uniquingKeysWith: { first, _ in first })
      precondition(
        reasons["Map → FlatMap"] == "no demand from FlatMap, which waits for Child at Search.swift:31")
      precondition(reasons["FlatMap → Sink"] == "waits for Child at Search.swift:31")
      precondition(reasons["PassthroughSubject → Map"] == "no demand from Map, which has none from FlatMap")
      precondition(reasons["PassthroughSubject → Zip"] == "PassthroughSubject has sent nothing since")
      precondition(reasons["Zip → Sink"] == "waits for PassthroughSubject")
      withExtendedLifetime((search, pairs)) {}
    }
  }

  @Test("An inspector attaches to what already runs above `print`, and to what drops a value")
  func attaching() async {
    await #expect(processExitsWith: .success) {
      let subjects = (0..<2).map { _ in PassthroughSubject<Int, Never>() }
      let printed = subjects[0].prefix(5).print("", to: Nowhere()).sink { _ in }
      let blocked = subjects[1].flatMap(maxPublishers: .max(1)) { _ in
        Empty<Int, Never>(completeImmediately: false)
      }
      .sink { _ in }
      subjects[1].send(1)
      let inspector = try StreamInspector.start()

      subjects[0].send(1)
      subjects[1].send(2)
      usleep(1_100_000)

      let rows = try inspector.list().rows
      precondition(rows.count(where: { $0.publisher == "PassthroughSubject" && $0.found }) == 2)
      precondition(rows.contains { $0.publisher == "Output" && $0.found })
      precondition(rows.allSatisfy { $0.reason.isEmpty })
      precondition(rows.contains { $0.drops == 1 })
      withExtendedLifetime((printed, blocked)) {}
    }
  }

  @Test("Signals after the end of a subscription are not kept")
  func afterwards() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start()
      let subject = PassthroughSubject<Int, Never>()
      var received: (any Subscription)?
      subject.subscribe(
        AnySubscriber<Int, Never>(
          receiveSubscription: { subscription in
            received = subscription
            subscription.request(.max(1))
          },
          receiveValue: { _ in
            received?.cancel()
            return .max(1)
          }))
      let id = try inspector.list().rows[0].id

      subject.send(1)

      try check(inspector.list().rows.isEmpty)
      try check(inspector.events(of: id).events.isEmpty)
    }
  }

  @Test("A filter, a kind and an order select whole chains")
  func selections() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start()
      let subject = PassthroughSubject<Int, Never>()
      let first = subject.map { $0 }.named("Müller & Söhne").sink { _ in }
      let second = subject.filter { $0 > 0 }.sink { _ in }
      let blocked = subject.flatMap(maxPublishers: .max(1)) { _ in
        Empty<Int, Never>(completeImmediately: false)
      }
      .sink { _ in }
      subject.send(1)
      subject.send(2)

      try check(
        inspector.list("?find=m%C3%BCller%20%26").rows.map(\.publisher) == [
          "PassthroughSubject", "Map", "Named",
        ])
      try check(inspector.list("?find=FILTER").chains == 3)
      try check(inspector.list("?find=FILTER").matching == 1)
      try check(inspector.list("?kind=dropping").rows.map(\.subscriber).contains("FlatMap"))
      try check(inspector.list("?kind=blocked").matching == 1)
      try check(inspector.list("?kind=silent").matching == 0)
      try check(inspector.list("?order=newest").rows[0].subscriber == "FlatMap")
      try check(inspector.list("?order=drops").rows[0].subscriber == "FlatMap")
      try check(inspector.list("?rows=3").shown == 3)
      withExtendedLifetime((first, second, blocked)) {}
    }
  }

  @Test("A list of 10,000 subscriptions with long names is bounded, and counts them all")
  func size() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start()
      let subject = PassthroughSubject<Int, Never>()
      let name = String(repeating: "\u{1F9F5}\"<\\\n", count: 1_000)
      let sinks = (0..<2_500).map { _ in
        subject.map { $0 }.filter { $0 > 0 }.named(name, fileID: name).sink { _ in }
      }
      let merged = Publishers.MergeMany((0..<3_000).map { _ in subject.map { $0 } }).sink { _ in }
      subject.send(1)

      for order in ["oldest", "newest"] {
        let body = Visitor.ask(inspector, "live.json?order=\(order)").body
        let list = try JSONDecoder().decode(List.self, from: Data(body.utf8))
        precondition(body.utf8.count < 600 << 10)
        precondition(list.subscriptions == 4 * sinks.count + 6_001)
        precondition(list.chains == 2_501)
        precondition((100...1_000).contains(list.shown))
        precondition(list.shown == list.rows.count)
      }
      withExtendedLifetime((sinks, merged)) {}
    }
  }
}

private struct Nowhere: TextOutputStream {
  mutating func write(_ text: String) {}
}
