import ScriptedModels
import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// In processes of their own: the list is that of the whole process.
@Suite("Live subscriptions", .leavesNothing)
struct LiveSubscriptionsTests {
  @Test("The list has counts, demand, waiting values, drops and events of each living subscription")
  func counts() async {
    await #expect(processExitsWith: .success) {
      let list = LiveSubscriptions()
      list.start()
      let (terms, child) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let recorder = terms.flatMap(maxPublishers: .max(1)) { _ in child }.named("search").record(
        demand: .max(2))
      for value in 1...2 { terms.send(value) }
      for value in 1...3 { child.send(value) }

      let entries = list.entries
      let (named, outer, inner) = (
        entries[0], entries.first { $0.subscription.subscriber == "FlatMap" && $0.dropCount > 0 },
        entries.last
      )
      precondition(named.subscription.name == "search")
      precondition(entries.count == 4)
      precondition(named.valueCount == 2)
      precondition(named.demand == Subscribers.Demand.none)
      precondition(entries[1].waitingCount == 1)
      precondition(outer?.dropCount == 1)
      precondition(inner?.valueCount == 3)
      precondition(inner?.subscription.parent == entries[1].id)
      precondition(named.events.last?.kind == .value("2"))
      precondition(named.lastEvent > .zero)

      recorder.cancel()
      precondition(list.entries.isEmpty)
    }
  }

  @Test("Starting the list again changes nothing")
  func startedTwice() async {
    await #expect(processExitsWith: .success) {
      let list = LiveSubscriptions()
      list.start()
      let recorder = PassthroughSubject<Int, Never>().record()
      let before = list.entries.map(\.events.count)

      list.start()

      precondition(!before.isEmpty)
      precondition(list.entries.map(\.events.count) == before)
      withExtendedLifetime(recorder) {}
    }
  }

  @Test("The list attaches to chains above `print`, to those passed to it, and to those that drop")
  func attaching() async {
    await #expect(processExitsWith: .success) {
      let list = LiveSubscriptions()
      let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
      var text = ""
      let printed = subjects[0].map { $0 }.prefix(5).print("", to: text).record()
      let passed = subjects[1].filter { $0 > 0 }.collect(2).record()
      let dropping = subjects[2].record(demand: .none)
      let unknown = subjects[3].record()
      text = ""

      list.start()
      for subscription in passed.subscriptions { list.attach(to: subscription) }
      subjects[2].send(1)

      let names = list.entries.map(\.subscription.publisher)
      precondition(names.count(where: { $0 == "PassthroughSubject" }) == 3)
      precondition(names.contains("CollectByCount"))
      precondition(names.contains("Output"))
      list.stop()
      precondition(!list.isStarted)
      withExtendedLifetime((printed, passed, dropping, unknown)) {}
    }
  }

  @Test("A subscription that began before the list is forgotten once it is released")
  func forgetting() async {
    await #expect(processExitsWith: .success) {
      let list = LiveSubscriptions()
      let id: Int
      do {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = subject.record(demand: .none)
        list.start()
        subject.send(1)
        id = list.entries[0].id
        precondition(list.events(of: id).map(\.kind) == [.found, .dropped("1", reason: "no demand")])
        recorder.cancel()
        recorder.forget()
      }

      precondition(list.entries.isEmpty)

      precondition(list.events(of: id).isEmpty)
    }
  }

  @Test(
    "A subscription that was found because it drops joins the chain below, and has its name, once that is found"
  )
  func joining() async {
    await #expect(processExitsWith: .success) {
      let timeline = Timeline()
      let (terms, child) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let plain = PassthroughSubject<Int, Never>()
      let unseen = plain.prefix(9).record(demand: .none)
      timeline.enable()
      let seen = terms.flatMap { _ in child.prefix(9) }.named("search").record(demand: .none)
      timeline.disable()
      terms.send(1)
      timeline.enable()
      plain.send(1)
      for value in 1...2 { child.send(value) }
      let alone = timeline.subscriptions.suffix(2)

      for subscription in unseen.subscriptions + seen.subscriptions { Attachments.adopt(subscription) }

      let all = timeline.subscriptions
      let flatMap = all.first { $0.publisher == "FlatMap" }
      let outputs = all.filter { $0.publisher == "Output" }
      let joined = all.filter { one in alone.contains { $0.id == one.id } }
      precondition(alone.map(\.publisher) == ["PassthroughSubject", "PassthroughSubject"])
      precondition(alone.map(\.parent) == [nil, nil] && alone.map(\.name) == [nil, nil])
      precondition(outputs.map(\.parent) == [nil, flatMap?.id] && flatMap != nil)
      precondition(joined.map(\.parent) == outputs.map(\.id))
      precondition(joined.map(\.name) == [nil, "search"])
      precondition(joined.map(\.subscriber) == ["Output", "Output"])
      timeline.disable()
      withExtendedLifetime((unseen, seen)) {}
    }
  }

  @Test("A subscription that ends while the list is started leaves nothing in it")
  func endingMeanwhile() async {
    await #expect(processExitsWith: .success) {
      let (list, ending) = (LiveSubscriptions(), EndingWhenForgetting())
      do {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = subject.record(demand: .none)
        ending.enable()
        subject.send(1)
        recorder.cancel()
        recorder.forget()
      }
      let subject = PassthroughSubject<Int, Never>()
      ending.recorder.withLock { $0 = subject.record() }
      let id = ending.newest.withLock { $0 }

      list.start()  // forgets the first one, after it has looked for those that live

      precondition(id > 0 && ending.recorder.withLock { $0 } == nil)
      precondition(list.entries.isEmpty)
      precondition(list.events(of: id).isEmpty)
      withExtendedLifetime(subject) {}
    }
  }

  @Test(
    "After 1,000 random subscriptions, cancellations and values, the list is that of the open subscriptions")
  func random() async {
    await #expect(processExitsWith: .success) {
      let list = LiveSubscriptions()
      list.start()
      let subject = PassthroughSubject<Int, Never>()
      var (open, random): ([AnyCancellable], SplitMix64) = ([], SplitMix64(seed: 7))
      for step in 0..<1_000 {
        switch random.next() % 3 {
        case 0: open.append(subject.map { $0 }.filter { $0 >= 0 }.sink { _ in })
        case 1: if !open.isEmpty { open.remove(at: Int(random.next() % UInt64(open.count))) }
        default: subject.send(step)
        }
      }

      precondition(list.entries.count == 3 * open.count)
      open = []
      precondition(list.entries.isEmpty)
    }
  }
}
