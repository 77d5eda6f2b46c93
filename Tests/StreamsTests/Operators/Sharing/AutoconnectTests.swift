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

  @Test("`autoconnect` passes on the subscription of its connectable publisher")
  func names() {
    let recorder = Just(1).makeConnectable().autoconnect().record(demand: .none)

    #expect("\(recorder.subscriptions[0])" == "Multicast")
  }
}
