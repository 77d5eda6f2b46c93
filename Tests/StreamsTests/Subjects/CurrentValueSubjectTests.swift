import Streams
import StreamsTesting
import Testing

@Suite("CurrentValueSubject")
struct CurrentValueSubjectTests {
  private typealias IntSubject = CurrentValueSubject<Int, Never>

  @Test("gives a newcomer its value when it asks, then each change")
  func replays() {
    let subject = IntSubject(0)
    let recorder = subject.record(demand: .none)
    subject.send(1)

    recorder.request(.unlimited)
    subject.send(2)
    subject.value = 3

    #expect(recorder.values == [1, 2, 3])
    #expect(subject.value == 3)
  }

  @Test(
    "gives the newest value only to one who has not asked meanwhile",
    arguments: [
      (sent: [], asked: 1, received: [0]),
      (sent: [1], asked: 1, received: [0, 1]),
      (sent: [1, 2, 3], asked: 1, received: [0, 3]),
      (sent: [1, 2, 3], asked: 5, received: [0, 3]),
      (sent: [0], asked: 1, received: [0, 0]),
    ] as [(sent: [Int], asked: Int, received: [Int])])
  func conflates(_ row: (sent: [Int], asked: Int, received: [Int])) {
    let subject = IntSubject(0)
    let recorder = subject.record(demand: .max(1))

    for value in row.sent { subject.send(value) }
    recorder.request(.max(row.asked))

    #expect(recorder.values == row.received)
  }

  @Test("has the new value already while it sends it")
  func stored() {
    let subject = IntSubject(0)
    let seen = Guarded<[Int]>([])
    let recorder = subject.record { recorder in
      recorder.onValue = { [unowned subject] _, _ in
        let now = subject.value
        seen.withLock { $0.append(now) }
      }
    }

    subject.send(1)
    subject.send(2)
    let history = seen.withLock { $0 }

    #expect(history == [0, 1, 2])
    #expect(recorder.values == history)
  }

  @Test("sends nothing after the end, but can still be set")
  func setAfterTheEnd() {
    let subject = IntSubject(0)
    let recorder = subject.record()

    subject.send(completion: .finished)
    subject.send(1)
    let ignored = subject.value
    subject.value = 2

    #expect(ignored == 0)
    #expect(subject.value == 2)
    #expect(recorder.events == [.subscription, .value(0), .completion(.finished)])
    #expect(subject.record().events == [.subscription, .completion(.finished)])
  }

  @Test("shows everybody the last value last, also if it was sent inside a delivery")
  func depthFirst() {
    let subject = IntSubject(0)
    let first = subject.record { recorder in
      recorder.onValue = { [unowned subject] _, value in
        if value == 1 { subject.send(2) }
      }
    }
    let second = subject.record()

    subject.send(1)

    #expect(first.values == [0, 1, 2])
    #expect(second.values == [0, 2])
  }

  @Test("shows everybody the last value last, also if several threads send")
  func lastValueLast() {
    let subject = IntSubject(0)
    let recorder = subject.record { recorder in
      recorder.onValue = { [unowned subject] _, value in
        guard value == 1 else { return }
        let subject = Shared(subject)
        elsewhere { subject.value.send(2) }
        subject.value.send(3)
      }
    }

    subject.send(1)

    #expect(recorder.values == [0, 1, 2, 3])
    #expect(subject.value == 3)
  }

  @Test("shows everybody the last value before it ends, also if several threads send")
  func lastValueBeforeTheEnd() {
    let subject = IntSubject(0)
    let recorder = subject.record { recorder in
      recorder.onValue = { [unowned subject] _, value in
        guard value == 1 else { return }
        let subject = Shared(subject)
        elsewhere { subject.value.send(2) }
        subject.value.send(completion: .finished)
      }
    }

    subject.send(1)

    #expect(recorder.events == [.subscription, .value(0), .value(1), .value(2), .completion(.finished)])
  }

  @Test("gives who subscribes during a delivery the value that is delivered, once")
  func subscribesInside() {
    let subject = IntSubject(0)
    let newcomer = Recorder<Int, Never>()
    let recorder = subject.record { recorder in
      recorder.onValue = { [unowned subject] _, value in
        if value == 1 { subject.subscribe(newcomer) }
      }
    }

    subject.send(1)
    subject.send(2)

    #expect(recorder.values == [0, 1, 2])
    #expect(newcomer.values == [1, 2])
  }

  @Test("asks its upstreams for everything at once")
  func asksUpstream() {
    let subject = IntSubject(0)
    let script = Script(Int.self, failure: Never.self)

    let feed = script.subscribe(subject)
    script.say(5)

    #expect(script.asks == [.request(.unlimited)])
    #expect(subject.value == 5)
    feed.cancel()
  }

  @Test("lets go of the old value, outside its lock")
  func releasesValues() {
    final class Value: Sendable {
      let onGoing: @Sendable () -> Void
      init(_ onGoing: @escaping @Sendable () -> Void = {}) { self.onGoing = onGoing }
      deinit { onGoing() }
    }
    let journal = Journal()
    let box = Guarded<CurrentValueSubject<Value, Never>?>(nil)
    box.withLock { box in
      box = CurrentValueSubject(Value())
    }
    let subject = box.withLock { $0! }
    subject.value = Value { [weak subject] in
      _ = subject?.value  // would not return if the lock were held
      journal.note("gone")
    }

    subject.value = Value()

    #expect(journal.lines == ["gone"])
  }

  @Test("cancels its upstreams, and lets its subscribers go, when it goes")
  func goes() {
    let upstream = SubscriptionRecorder()
    let leaked = Lifetimes.leaks { lifetimes in
      let subject = lifetimes.track(IntSubject(0), as: "subject")
      subject.send(subscription: upstream)
      _ = lifetimes.track(subject.record(), as: "recorder")
    }

    #expect(leaked.isEmpty)
    #expect(upstream.asks == [.request(.unlimited), .cancel])
  }

  @Test("may be nil")
  func optionals() {
    let subject = CurrentValueSubject<Int?, Never>(nil)
    let recorder = subject.record()

    subject.send(1)
    subject.send(nil)

    #expect(recorder.values == [nil, 1, nil])
  }

  @Test("is known by its name, and traps when it is asked for nothing")
  func names() async {
    let subject = IntSubject(0)

    #expect("\(subject.record().subscriptions[0])" == "CurrentValueSubject")
    await #expect(processExitsWith: .failure) {
      let subject = CurrentValueSubject<Int, Never>(0)
      subject.record(demand: .none).request(.none)
    }
  }
}
