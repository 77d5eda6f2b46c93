import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("SubscriberList", .leavesNothing)
struct SubscriberListTests {
  private typealias Listener = Recorder<Int, Never>

  @Test("serves subscribers in the order in which they came")
  func order() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let journal = Journal()
    let listeners = ["a", "b", "c"].map { Listener(named: $0, in: journal) }

    for listener in listeners { subscribers.add(listener) }
    subscribers.send(1)
    subscribers.send(completion: .finished)

    #expect(
      journal.lines == [
        "a: subscription", "b: subscription", "c: subscription", "a: value 1", "b: value 1", "c: value 1",
        "a: finished", "b: finished", "c: finished",
      ])
  }

  @Test("keeps the order when most have left")
  func orderAfterLeaving() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let journal = Journal()
    let listeners = (0..<100).map { Listener(named: "\($0)", in: journal) }

    for listener in listeners { subscribers.add(listener) }
    for (number, listener) in listeners.enumerated() where number % 10 != 3 { listener.cancel() }
    let latecomer = Listener(named: "late", in: journal)
    subscribers.add(latecomer)
    subscribers.send(7)

    let heard = journal.lines.filter { $0.hasSuffix("value 7") }
    #expect(heard == stride(from: 3, to: 100, by: 10).map { "\($0): value 7" } + ["late: value 7"])
  }

  @Test("does not deliver a value to those who come while it is delivered")
  func joinsDuringDelivery() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let newcomer = Listener()
    let listener = Listener()
    listener.onValue = { _, value in
      if value == 1 { subscribers.add(newcomer) }
    }
    subscribers.add(listener)

    subscribers.send(1)
    subscribers.send(2)

    #expect(listener.values == [1, 2])
    #expect(newcomer.values == [2])
  }

  @Test("delivers nothing more to those who leave while a value is delivered")
  func leavesDuringDelivery() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let (first, second, third) = (Listener(), Listener(), Listener())
    first.onValue = { _, _ in second.cancel() }
    for listener in [first, second, third] { subscribers.add(listener) }

    subscribers.send(1)
    subscribers.send(2)

    #expect(first.values == [1, 2])
    #expect(second.events == [.subscription])
    #expect(third.values == [1, 2])
  }

  @Test("tells newcomers how it ended, without asking for their demand")
  func newcomersAfterTheEnd() {
    struct Broken: Error, Equatable {}
    let subscribers = SubscriberList<Int, Broken>("Test")

    subscribers.send(completion: .failure(Broken()))
    let newcomer = Recorder<Int, Broken>(demand: .none)
    subscribers.add(newcomer)

    #expect(newcomer.events == [.subscription, .completion(.failure(Broken()))])
    #expect("\(newcomer.subscriptions[0])" == "Empty")
  }

  @Test("ends once")
  func endsOnce() {
    struct Broken: Error, Equatable {}
    let subscribers = SubscriberList<Int, Broken>("Test")
    let listener = Recorder<Int, Broken>()
    subscribers.add(listener)

    subscribers.send(completion: .finished)
    subscribers.send(completion: .failure(Broken()))
    subscribers.send(1)

    #expect(listener.events == [.subscription, .completion(.finished)])
  }

  @Test("is over for everybody when the first is told so: what that one then sends, nobody gets")
  func sendsFromTheCompletion() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let (first, second) = (Listener(), Listener())
    first.onCompletion = { _, _ in subscribers.send(1) }
    subscribers.add(first)
    subscribers.add(second)

    subscribers.send(completion: .finished)

    #expect(second.events == [.subscription, .completion(.finished)])
  }

  @Test("counts each subscriber's demand by itself")
  func demand() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let (greedy, modest) = (Listener(), Listener(demand: .max(1)))
    subscribers.add(greedy)
    subscribers.add(modest)

    subscribers.send(1)
    subscribers.send(2)
    modest.request(.max(1))
    subscribers.send(3)
    subscribers.send(4)

    #expect(greedy.values == [1, 2, 3, 4])
    #expect(modest.values == [1, 3])
  }

  @Test("tells outside when somebody asks, and when somebody cancels")
  func tells() {
    let journal = Journal()
    let subscribers = SubscriberList<Int, Never>(
      "Test", onRequest: { journal.note("asked") }, onCancel: { journal.note("cancelled") })
    let listener = Listener(demand: .none)
    subscribers.add(listener)

    listener.request(.max(1))
    listener.cancel()
    listener.request(.max(1))
    listener.cancel()

    #expect(journal.lines == ["asked", "cancelled"])
  }

  @Test("lets everybody go without a word when it is abandoned")
  func abandons() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let leaked = Lifetimes.leaks { lifetimes in
      let listener = lifetimes.track(Listener(demand: .max(1)), as: "listener")
      subscribers.add(listener)
      subscribers.abandon()
      subscribers.send(1)
      #expect(listener.events == [.subscription])
    }

    #expect(leaked.isEmpty)
  }

  @Test("lets go of a subscriber that ended, while others stay")
  func releases() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let staying = Listener()
    subscribers.add(staying)
    let leaked = Lifetimes.leaks { lifetimes in
      let leaving = lifetimes.track(Listener(), as: "leaving")
      subscribers.add(leaving)
      leaving.cancel()
    }

    #expect(leaked.isEmpty)
  }
}

extension Recorder {
  /// A recorder that writes into `journal` under a name of its own.
  convenience init(named name: String, in journal: Journal) {
    self.init()
    self.name = name
    self.journal = journal
  }
}
