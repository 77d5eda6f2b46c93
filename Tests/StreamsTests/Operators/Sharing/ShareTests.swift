import Streams
import StreamsTesting
import Testing

@Suite("`share`", .leavesNothing)
struct ShareTests {
  @Test("`share` subscribes upstream once for all subscribers")
  func sharesOne() {
    let script = Script(Int.self, failure: Never.self)
    let shared = script.share()
    let (first, second) = (shared.record(), shared.record())

    script.say(1, 2)
    script.end()

    #expect(script.sessions.count == 1)
    #expect(script.asks == [.request(.unlimited)])
    #expect(first.events == [.subscription, .value(1), .value(2), .completion(.finished)])
    #expect(second.events == first.events)
  }

  @Test("`share` replays no values, but sends the completion to late subscribers")
  func late() {
    let script = Script(Int.self, failure: Never.self)
    let shared = script.share()
    let first = shared.record()

    script.say(1)
    let second = shared.record()
    script.say(2)
    script.end()
    let third = shared.record()

    #expect(first.values == [1, 2])
    #expect(second.values == [2])
    #expect(third.events == [.subscription, .completion(.finished)])
    #expect(script.sessions.count == 1)
  }

  @Test("`share` sends all values of a synchronous upstream to its first subscriber")
  func drained() {
    let shared = [1, 2, 3].publisher.share()

    let (first, second) = (shared.record(), shared.record())

    #expect(first.values == [1, 2, 3])
    #expect(second.events == [.subscription, .completion(.finished)])
  }

  @Test("`share` requests unlimited upstream demand at the first downstream request")
  func asks() {
    let script = Script(Int.self, failure: Never.self)
    let shared = script.share()
    let (first, second) = (shared.record(demand: .none), shared.record(demand: .none))
    let before = script.asks

    second.request(.max(1))
    first.request(.max(2))
    for value in 1...3 { script.say(value) }

    #expect(before.isEmpty)
    #expect(script.asks == [.request(.unlimited)])
    #expect(first.values == [1, 2])
    #expect(second.values == [1])
  }

  @Test("`share` cancels upstream with its last subscriber, and reconnects for the next")
  func reconnects() {
    let script = Script(Int.self, failure: Never.self)
    let shared = script.share()
    let (first, second) = (shared.record(), shared.record())

    first.cancel()
    first.cancel()
    let before = script.cancellations
    second.cancel()
    script.say(1)
    let third = shared.record()
    script.say(2)

    #expect(before == 0)
    #expect(script.sessions.map(\.subscription.cancellations) == [1, 0])
    #expect(third.values == [2])
    #expect(first.values.isEmpty)
  }

  @Test("`share` ignores what a connection sends that it has cancelled")
  func cancelledConnection() {
    let script = Script(Int.self, failure: Never.self)
    let shared = script.share()
    shared.record().cancel()
    let recorder = shared.record()

    script.sessions[0].say(1)
    script.sessions[0].end()
    script.say(2)

    #expect(script.sessions.count == 2)
    #expect(recorder.events == [.subscription, .value(2)])
  }

  @Test("`share` connects once if a second subscriber joins during the first subscription")
  func reentrantSubscription() {
    let script = Script(Int.self, failure: Never.self)
    let shared = script.share()
    let second = Recorder<Int, Never>()
    let first = shared.record { $0.onSubscription = { _ in shared.subscribe(second) } }

    script.say(1)

    #expect(script.sessions.count == 1)
    #expect(first.values == [1])
    #expect(second.values == [1])
  }

  @Test("`share` does not connect if its only subscriber cancels immediately")
  func cancelsOnArrival() {
    let script = Script(Int.self, failure: Never.self)

    _ = script.share().record { $0.onSubscription = { $0.cancel() } }

    #expect(script.sessions.isEmpty)
  }

  @Test("`share` disconnects if its only subscriber cancels while it connects")
  func cancelsWhileConnecting() {
    let endless = (0...).publisher.share()

    let recorder = endless.record { recorder in
      recorder.onValue = { recorder, value in
        if value == 2 { recorder.cancel() }
      }
    }

    #expect(recorder.values == [0, 1, 2])
  }

  @Test("`share` releases its subscribers if upstream is released without completing, and then reconnects")
  func lostUpstream() {
    let script = Script(Int.self, failure: Never.self)
    let shared = script.share()
    let leaked = Lifetimes.leaks { lifetimes in
      let recorder = lifetimes.track(shared.record(), as: "recorder")
      lifetimes.track(recorder.subscriptions[0] as AnyObject, as: "subscription")
      script.forget()
      recorder.forget()
    }
    let second = shared.record()
    script.say(1)
    second.cancel()

    #expect(leaked.isEmpty)
    #expect(second.values == [1])
    #expect(script.sessions.map(\.subscription.cancellations) == [0, 1])
  }

  @Test("`share` leaks nothing when it is released after its upstream")
  func releases() {
    let leaked = Lifetimes.leaks { lifetimes in
      let subject = PassthroughSubject<Int, Never>()
      let shared = lifetimes.track(subject.share(), as: "share")
      _ = lifetimes.track(shared.record(), as: "recorder")
    }

    #expect(leaked.isEmpty)
  }

  @Test("`share` is equal only to itself, and has the name of a multicast")
  func names() {
    let shared = Just(1).share()

    #expect(shared == shared)
    #expect(shared != Just(1).share())
    #expect("\(Script(Int.self, failure: Never.self).share().record().subscriptions[0])" == "Multicast")
  }

  @Test("`share` accepts a request of zero")
  func zeroDemand() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.share().record(demand: .none)

    recorder.request(.none)

    #expect(script.asks.isEmpty)
  }
}
