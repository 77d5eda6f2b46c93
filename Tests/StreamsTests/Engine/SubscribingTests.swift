import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`SubscriberList`: subscribing while another thread delivers", .leavesNothing)
struct SubscribingTests {
  private typealias Listener = Recorder<Int, Never>

  @Test(
    "A subscriber has the current value when subscribe returns, while another thread delivers it to others")
  func current() {
    let list = SubscriberList<Int, Never>("Test", replaying: 0)
    let (listener, newcomer) = (Listener(), Listener())
    let seen = Journal()
    list.add(listener)
    listener.onValue = { _, _ in
      elsewhere {
        list.add(newcomer)
        seen.note("\(newcomer.values)")
      }
    }

    list.send(1)

    #expect(seen.lines == ["[1]"])
    #expect(newcomer.values == [1])
  }

  @Test("A subscriber has the completion that was sent before, while another thread delivers a value")
  func completion() {
    let list = SubscriberList<Int, Never>("Test")
    let (listener, newcomer) = (Listener(), Listener())
    let seen = Journal()
    list.add(listener)
    listener.onValue = { _, _ in
      elsewhere {
        list.send(completion: .finished)
        list.add(newcomer)
        seen.note("\(newcomer.events)")
      }
    }

    list.send(1)

    #expect(seen.lines == ["\([Listener.Event.subscription, .completion(.finished)])"])
    #expect(listener.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("A cancellation during another thread's delivery delivers nothing that others have queued")
  func cancellation() {
    let list = SubscriberList<Int, Never>("Test")
    let (listener, passer) = (Listener(), Listener())
    let seen = Journal()
    for one in [listener, passer] { list.add(one) }
    listener.onValue = { _, value in
      guard value == 1 else { return }
      elsewhere {
        list.send(2)
        passer.cancel()
        seen.note("\(listener.values)")
      }
    }

    list.send(1)

    #expect(seen.lines == ["[1]"])
    #expect(listener.values == [1, 2])
    #expect(passer.values.isEmpty)
  }

  @Test(
    "Values of another thread wait until a subscriber has its subscription, and follow it within its demand")
  func arrival() {
    let list = SubscriberList<Int, Never>("Test")
    let newcomer = Listener(demand: .max(1))
    let seen = Journal()
    newcomer.onSubscription = { newcomer in
      newcomer.request(.max(1))
      elsewhere { for value in 1...3 { list.send(value) } }
      seen.note("\(newcomer.values)")
    }

    list.add(newcomer)

    #expect(seen.lines == ["[]"])
    #expect(newcomer.values == [1, 2])
  }

  @Test("A completion of another thread waits for the values before it, and for the subscription")
  func endOnArrival() {
    for list in [SubscriberList<Int, Never>("Test"), SubscriberList("Test", replaying: 0)] {
      let newcomer = Listener()
      newcomer.onSubscription = { newcomer in
        newcomer.request(.unlimited)
        elsewhere {
          list.send(1)
          list.send(completion: .finished)
        }
      }

      list.add(newcomer)

      #expect(newcomer.values.last == 1)
      #expect(newcomer.events.last == .completion(.finished))
    }
  }

  @Test("A call that subscribes delivers a burst of what others send, and a thread of the library the rest")
  func burst() {
    let list = SubscriberList<Int, Never>("Test", replaying: 0)
    let newcomer = Listener()
    let (here, calls) = (pthread_self(), Guarded(0))
    newcomer.onValue = { _, value in
      if value == 0 { elsewhere { for value in 1...500 { list.send(value) } } }
      if pthread_self() == here { calls.withLock { $0 += 1 } }
    }

    list.add(newcomer)
    waitForDeliveries()
    list.send(501)

    #expect(calls.withLock { $0 } <= 66)
    #expect(newcomer.values == Array(0...501))
  }

  @Test(
    "A subscriber that cancels in its first value, while others send, receives nothing more, and is released")
  func cancelledOnArrival() {
    let list = SubscriberList<Int, Never>("Test", replaying: 0)
    let leaked = Lifetimes.leaks { lifetimes in
      let newcomer = lifetimes.track(Listener(), as: "newcomer")
      newcomer.onValue = { newcomer, _ in
        elsewhere { list.send(1) }
        newcomer.cancel()
      }

      list.add(newcomer)

      #expect(newcomer.values == [0])
    }

    #expect(leaked.isEmpty)
    #expect(list.hasListeners == false)
  }

  @Test("`trySend` refuses a value while another thread attaches a subscriber, and sends nothing")
  func tried() {
    let subject = PassthroughSubject<Int, Never>()
    let newcomer = Listener()
    let seen = Journal()
    newcomer.onSubscription = { newcomer in
      newcomer.request(.unlimited)
      elsewhere { seen.note("\(subject.trySend(1))") }
      seen.note("\(subject.trySend(2))")
    }

    subject.subscribe(newcomer)
    elsewhere { seen.note("\(subject.trySend(3))") }

    #expect(seen.lines == ["false", "true", "true"])
    #expect(newcomer.values == [2, 3])
  }

  @Test("The buffered values of a ReplaySubject arrive in order before those of another thread")
  func replay() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 2)
    for value in 1...3 { subject.send(value) }
    let newcomer = Listener(demand: .max(1), answering: .max(1))
    newcomer.onValue = { _, value in
      if value == 2 { elsewhere { subject.send(4) } }
    }

    subject.subscribe(newcomer)
    subject.send(completion: .finished)
    waitForDeliveries()

    #expect(newcomer.values == [2, 3, 4])
    #expect(newcomer.events.last == .completion(.finished))
  }

  @Test("The deinit of a replaced value may send: the newer value is the current one")
  func deinitOfValues() {
    let subject = CurrentValueSubject<Sending?, Never>(nil)
    let recorder = Recorder<Int, Never>()
    subject.compactMap { $0?.number }.subscribe(recorder)

    subject.send(Sending(1) { subject.send(Sending(3) {}) })
    subject.send(Sending(2) {})

    #expect(subject.value?.number == 3)
    #expect(recorder.values.last == 3)
    subject.send(nil)
    subject.send(completion: .finished)
  }
}

/// A value that does something when it is released.
private final class Sending {
  let number: Int
  private let onRelease: () -> Void

  init(_ number: Int, _ onRelease: @escaping () -> Void) {
    self.number = number
    self.onRelease = onRelease
  }

  deinit { onRelease() }
}
