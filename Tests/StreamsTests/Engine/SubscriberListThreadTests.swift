import Streams
import StreamsTesting
import Testing

@Suite("`SubscriberList`: threads", .leavesNothing)
struct SubscriberListThreadTests {
  private typealias Listener = Recorder<Int, Never>

  @Test("A subscriber list sends the next value to a subscriber added meanwhile by another thread")
  func joinsElsewhere() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let (listener, newcomer) = (Listener(), Listener())
    listener.onValue = { _, value in
      guard value == 1 else { return }
      elsewhere {
        subscribers.add(newcomer)
        subscribers.send(2)
      }
    }
    subscribers.add(listener)

    subscribers.send(1)

    #expect(newcomer.events == [.subscription, .value(2)])
  }

  @Test("A subscriber list sends its completion to a subscriber that another thread adds before it")
  func joinsBeforeTheEnd() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let (listener, newcomer) = (Listener(), Listener(demand: .none))
    listener.onValue = { _, _ in
      elsewhere {
        subscribers.add(newcomer)
        subscribers.send(completion: .finished)
      }
    }
    subscribers.add(listener)

    subscribers.send(1)

    #expect(newcomer.events == [.subscription, .completion(.finished)])
  }

  @Test("A subscriber list sends nothing more to a subscriber that another thread cancels meanwhile")
  func leavesElsewhere() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let (first, second) = (Listener(), Listener())
    first.onValue = { _, _ in elsewhere { second.cancel() } }
    subscribers.add(first)
    subscribers.add(second)

    subscribers.send(1)

    #expect(second.events == [.subscription])
  }

  @Test("A subscriber list sends nothing to a subscriber that another thread adds and cancels meanwhile")
  func comesAndGoes() {
    let subscribers = SubscriberList<Int, Never>("Test")
    let listener = Listener()
    let leaked = Lifetimes.leaks { lifetimes in
      let passer = lifetimes.track(Listener(), as: "passer-by")
      listener.onValue = { [weak passer] _, value in
        guard value == 1, let passer else { return }
        elsewhere {
          subscribers.add(passer)
          passer.cancel()
        }
      }
      subscribers.add(listener)
      subscribers.send(1)
      subscribers.send(2)
      #expect(passer.values.isEmpty)
    }

    #expect(leaked.isEmpty)
  }
}
