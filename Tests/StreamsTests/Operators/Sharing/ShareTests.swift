import Streams
import StreamsTesting
import Testing

@Suite("`share`", .leavesNothing)
struct ShareTests {
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
}
