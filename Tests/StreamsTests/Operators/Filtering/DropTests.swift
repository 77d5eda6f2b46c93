import Streams
import StreamsTesting
import Testing

@Suite("`dropFirst` and `drop(while:)`", .leavesNothing)
struct DropTests {
  @Test("`drop(while:)` does not call its predicate again after it returned false")
  func predicate() {
    let script = Script(Int.self, failure: Problem.self)
    var asked: [Int] = []
    let recorder = script.drop { value in
      asked.append(value)
      return value < 2
    }.record()

    script.say(1, 2, 1, 3)

    #expect(asked == [1, 2])
    #expect(recorder.values == [2, 1, 3])
  }

  @Test("`dropFirst` without demand still drops the first value of a subject or property")
  func late() {
    let subject = PassthroughSubject<Int, Never>()
    let object = Properties()
    let (ofSubject, ofProperty) = (
      subject.dropFirst().record(demand: .none), object.$number.dropFirst().record(demand: .none)
    )

    subject.send(1)
    ofSubject.request(.max(1))
    object.number = 2
    ofProperty.request(.max(1))
    subject.send(2)

    #expect(ofSubject.values == [2])
    #expect(ofProperty.values == [2])
  }

  @Test("`dropFirst` passes on its subscription first, and accumulates demand until upstream arrives")
  func early() {
    let journal = Journal()
    let script = Script(Int.self, failure: Problem.self, journal: journal)
    script.handsOverAtOnce = false
    let recorder = script.dropFirst(4).record(demand: .max(4)) { $0.journal = journal }

    recorder.request(.max(6))
    let before = recorder.events
    script.session?.handOver(script.session!.subscription)

    #expect(before == [.subscription])
    #expect(journal.has("downstream: subscription", before: "upstream: subscribe"))
    #expect(script.demands == [.max(14)])
  }

  @Test("`dropFirst` cancels an upstream that arrives after cancellation, and a second one")
  func lateArrivals() {
    let (script, other) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    script.handsOverAtOnce = false
    let cancelled = script.dropFirst().record()
    let living = other.dropFirst().record()
    let second = SubscriptionRecorder()

    cancelled.cancel()
    script.session?.handOver(script.session!.subscription)
    other.session?.handOver(second)

    #expect(script.asks == [.cancel])
    #expect(second.asks == [.cancel])
    #expect(other.asks == [.request(.unlimited)])
    #expect(cancelled.events == [.subscription] && living.events == [.subscription])
  }

  @Test("`dropFirst` traps on a negative count")
  func traps() async {
    await #expect(processExitsWith: .failure) {
      _ = Script(Int.self, failure: Problem.self).dropFirst(-1).record()
    }
  }
}

private final class Properties {
  @Published var number = 1
}
