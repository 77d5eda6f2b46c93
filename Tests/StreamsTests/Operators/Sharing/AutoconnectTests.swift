import Streams
import StreamsTesting
import Testing

@Suite("`autoconnect`", .leavesNothing)
struct AutoconnectTests {
  @Test("`autoconnect` connects once, after the first subscriber has its subscription")
  func connects() {
    let journal = Journal()
    let script = Script(Int.self, failure: Problem.self, journal: journal)
    let publisher = script.multicast { PassthroughSubject() }.autoconnect()

    let first = publisher.record { $0.journal = journal }
    let second = publisher.record()
    script.say(1)

    #expect(journal.has("downstream: subscription", before: "upstream: subscribe"))
    #expect(script.sessions.count == 1)
    #expect(first.values == [1])
    #expect(second.values == [1])
  }

  @Test("`autoconnect` disconnects when its last subscriber cancels, and reconnects for the next")
  func reconnects() {
    let script = Script(Int.self, failure: Problem.self)
    let publisher = script.multicast { PassthroughSubject() }.autoconnect()
    let (first, second) = (publisher.record(), publisher.record())

    first.cancel()
    first.cancel()
    let half = script.cancellations
    second.cancel()
    let third = publisher.record()
    script.say(3)

    #expect(half == 0)
    #expect(script.sessions.map(\.subscription.cancellations) == [1, 0])
    #expect(third.values == [3])
  }

  @Test("`autoconnect` sends a synchronous source's values only to its first subscriber")
  func synchronous() {
    let publisher = [1, 2].publisher.multicast { PassthroughSubject() }.autoconnect()

    let (first, second) = (publisher.record(), publisher.record())

    #expect(first.events == [.subscription, .value(1), .value(2), .completion(.finished)])
    #expect(second.events == [.subscription, .completion(.finished)])
  }

  @Test("`autoconnect` disconnects if its first subscriber cancels while connecting")
  func cancelledMeanwhile() {
    let script = Script(Int.self, failure: Problem.self)
    script.onRequest = { session, _ in session.say(1) }
    let publisher = script.multicast { PassthroughSubject() }.autoconnect()

    let recorder = publisher.record { $0.onValue = { recorder, _ in recorder.cancel() } }

    #expect(recorder.values == [1])
    #expect(script.cancellations == 1)
  }

  @Test("`autoconnect` connects once if another subscriber joins while connecting")
  func joinedMeanwhile() {
    let script = Script(Int.self, failure: Problem.self)
    script.onRequest = { session, _ in session.say(1) }
    let publisher = script.multicast { PassthroughSubject() }.autoconnect()
    let second = Recorder<Int, Problem>()

    let first = publisher.record {
      $0.onValue = { _, value in if value == 1 { publisher.subscribe(second) } }
    }
    script.say(2)

    #expect(script.sessions.count == 1)
    #expect(first.values == [1, 2])
    #expect(second.values == [2])
  }

  @Test("`autoconnect` passes on the subscription of its connectable publisher")
  func names() {
    let recorder = Just(1).makeConnectable().autoconnect().record(demand: .none)

    #expect("\(recorder.subscriptions[0])" == "Multicast")
  }
}
