import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`SubscriberList`", .leavesNothing)
struct SubscriberListTests {
  private typealias Listener = Recorder<Int, Never>

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

  @Test("A subscriber list passes requests and one cancellation to the connection that its subscribers share")
  func tells() {
    let connection = SharedConnection()
    let upstream = SubscriptionRecorder()
    let subscribers = SubscriberList<Int, Never>("Test", connection: connection)
    let listener = Listener(demand: .none)
    for _ in 1...2 { connection.join() }
    connection.newConnection()?.attach(upstream)
    subscribers.add(listener)

    listener.request(.max(1))
    listener.cancel()
    listener.request(.max(1))
    listener.cancel()
    let asks = upstream.asks
    connection.leave()

    #expect(asks == [.request(.unlimited)])
    #expect(upstream.asks == [.request(.unlimited), .cancel])
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
