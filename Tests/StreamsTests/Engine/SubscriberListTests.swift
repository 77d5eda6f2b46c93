import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`SubscriberList`", .leavesNothing)
struct SubscriberListTests {
  private typealias Listener = Recorder<Int, Never>

  @Test("A subscriber list serves subscribers in the order of subscription")
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

  @Test("A subscriber list keeps its order after most subscribers have cancelled")
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

  @Test("A subscriber list does not send a value to subscribers added during its delivery")
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

  @Test("A subscriber list sends nothing to subscribers that are cancelled during a delivery")
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

  @Test("A subscriber list sends its completion to late subscribers without demand")
  func newcomersAfterTheEnd() {
    struct Broken: Error, Equatable {}
    let subscribers = SubscriberList<Int, Broken>("Test")

    subscribers.send(completion: .failure(Broken()))
    let newcomer = Recorder<Int, Broken>(demand: .none)
    subscribers.add(newcomer)

    #expect(newcomer.events == [.subscription, .completion(.failure(Broken()))])
    #expect("\(newcomer.subscriptions[0])" == "Empty")
  }

  @Test("A subscriber list completes once")
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

  @Test("A subscriber list sends no value that a subscriber sends inside the completion")
  func sendsFromTheCompletion() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let (first, second) = (Listener(), Listener())
    first.onCompletion = { _, _ in subscribers.send(1) }
    subscribers.add(first)
    subscribers.add(second)

    subscribers.send(completion: .finished)

    #expect(second.events == [.subscription, .completion(.finished)])
  }

  @Test("A subscriber list counts the demand of each subscriber separately")
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

  @Test("A subscriber list reports a request and a cancellation, but none after cancellation")
  func tells() {
    let journal = Journal()
    let subscribers = SubscriberList<Int, Never>("Test", delegate: ListDelegate(journal))
    let listener = Listener(demand: .none)
    subscribers.add(listener)

    listener.request(.max(1))
    listener.cancel()
    listener.request(.max(1))
    listener.cancel()

    #expect(journal.lines == ["requested", "left"])
  }

  @Test("An abandoned subscriber list releases its subscribers without a completion")
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

  @Test("A subscriber list releases a cancelled subscriber while others stay")
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

/// Notes what a list tells.
final class ListDelegate: SubscriberListDelegate {
  private let journal: Journal

  init(_ journal: Journal) { self.journal = journal }

  func subscriberDidRequest() { journal.note("requested") }
  func subscriberDidLeave() { journal.note("left") }
}
