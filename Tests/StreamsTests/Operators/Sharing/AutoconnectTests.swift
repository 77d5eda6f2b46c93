import Streams
import StreamsTesting
import Testing

@Suite("autoconnect", .leavesNothing)
struct AutoconnectTests {
  @Test("connects once, when the first subscriber is in its place")
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

  @Test("disconnects when the last subscriber cancels, and connects again for the next")
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

  @Test("gives a source that speaks at once to the first subscriber, and only the end to the next")
  func synchronous() {
    let publisher = [1, 2].publisher.multicast { PassthroughSubject() }.autoconnect()

    let (first, second) = (publisher.record(), publisher.record())

    #expect(first.events == [.subscription, .value(1), .value(2), .completion(.finished)])
    #expect(second.events == [.subscription, .completion(.finished)])
  }

  @Test("disconnects if the first subscriber cancels while the connection is being made")
  func cancelledMeanwhile() {
    let script = Script(Int.self, failure: Problem.self)
    script.onRequest = { session, _ in session.say(1) }
    let publisher = script.multicast { PassthroughSubject() }.autoconnect()

    let recorder = publisher.record { $0.onValue = { recorder, _ in recorder.cancel() } }

    #expect(recorder.values == [1])
    #expect(script.cancellations == 1)
  }

  @Test("connects once if another subscriber comes while the connection is being made")
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

  @Test("of any connectable publisher has the name of that")
  func names() {
    let recorder = Just(1).makeConnectable().autoconnect().record(demand: .none)

    #expect("\(recorder.subscriptions[0])" == "Multicast")
  }
}
