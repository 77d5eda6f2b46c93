import Streams
import StreamsTesting
import Testing

@Suite("`CurrentValueSubject`", .leavesNothing)
struct CurrentValueSubjectTests {
  private typealias IntSubject = CurrentValueSubject<Int, Never>

  @Test("`CurrentValueSubject` stores a value before sending it")
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

  @Test("`CurrentValueSubject` sends nothing after its completion, but can still be set")
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

  @Test("`CurrentValueSubject` sends its last value last, even if several threads send")
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

  @Test("`CurrentValueSubject` sends another thread's waiting value before its completion")
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

  @Test("`CurrentValueSubject` requests unlimited upstream demand immediately")
  func asksUpstream() {
    let subject = IntSubject(0)
    let script = Script(Int.self, failure: Never.self)

    let feed = script.subscribe(subject)
    script.say(5)

    #expect(script.asks == [.request(.unlimited)])
    #expect(subject.value == 5)
    feed.cancel()
  }

  @Test("`CurrentValueSubject` releases a replaced value outside its lock")
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

  @Test("`CurrentValueSubject` that has ended releases a value that is replaced")
  func releasesAfterEnd() {
    let lifetimes = Lifetimes()
    let subject = CurrentValueSubject<Probe?, Never>(lifetimes.probe("the old value"))
    subject.send(completion: .finished)

    subject.value = nil

    #expect(lifetimes.living == [])
  }

  @Test("`CurrentValueSubject` releases its value when deallocated, even if a subscription is retained")
  func releasesWithSubscription() {
    let lifetimes = Lifetimes()
    var subject: CurrentValueSubject<Probe, Never>? = CurrentValueSubject(lifetimes.probe("the value"))
    let sink = subject!.sink { _ in }

    subject = nil

    #expect(lifetimes.living == [])
    sink.cancel()
  }

  @Test("`CurrentValueSubject` cancels its upstreams and releases its subscribers when deallocated")
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

  @Test("The value of `CurrentValueSubject` can be nil")
  func optionals() {
    let subject = CurrentValueSubject<Int?, Never>(nil)
    let recorder = subject.record()

    subject.send(1)
    subject.send(nil)

    #expect(recorder.values == [nil, 1, nil])
  }

  @Test("`CurrentValueSubject` has Combine's name, and traps on zero demand")
  func names() async {
    let subject = IntSubject(0)

    #expect("\(subject.record().subscriptions[0])" == "CurrentValueSubject")
    await #expect(processExitsWith: .failure) {
      let subject = CurrentValueSubject<Int, Never>(0)
      subject.record(demand: .none).request(.none)
    }
  }
}
