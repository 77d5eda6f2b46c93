import Streams
import StreamsTesting
import Testing

@Suite("`dropFirst` and `drop(while:)`", .leavesNothing)
struct DropTests {
  @Test("`dropFirst` drops the given number of values, and forwards the rest", arguments: 0...4)
  func drops(_ count: Int) {
    let script = Script(Int.self, failure: Problem.self)
    let first = script.dropFirst(count).record()

    for value in 0..<3 { script.say(value) }
    script.end()

    #expect(first.values == Array((0..<3).dropFirst(count)))
    #expect(first.completions == [.finished])
  }

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

  @Test("`tryDrop(while:)` drops values until its predicate returns false, and does not call it again")
  func triesOnce() {
    let script = Script(Int.self, failure: Problem.self)
    var asked: [Int] = []
    let recorder = script.tryDrop { value in
      asked.append(value)
      return value < 3
    }.record(demand: .max(2))

    let answers = [1, 2, 3, 1].map { script.say($0) }

    #expect(recorder.values == [3, 1])
    #expect(answers == [.max(1), .max(1), .none, .none])
    #expect(asked == [1, 2, 3])
    recorder.cancel()
  }

  @Test("`tryDrop(while:)` cancels upstream, then fails with the error of its predicate")
  func triesInVain() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.tryDrop { try positive($0) < 3 }.record()

    script.say(1, -1, 5)

    #expect(recorder.values.isEmpty)
    #expect(recorder.failure == Problem(code: -1))
    #expect(script.cancellations == 1)
  }

  @Test("`drop(while:)` requests another value for each dropped one")
  func demand() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.drop { $0 < 2 }.record(demand: .max(1))

    let answer = script.say(1)

    #expect(answer == .max(1))
    #expect(script.demands == [.max(1)])
    #expect(recorder.values.isEmpty)
  }

  @Test("`dropFirst` adds the dropped values to its first request, and requests no replacements")
  func prepaid() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.dropFirst(2).record(demand: .max(42)) { $0.answer = { _ in .max(3) } }

    let answers = [script.say(1), script.say(2), script.say(3)]

    #expect(answers == [.none, .none, .max(3)])
    #expect(script.demands == [.max(44)])
    #expect(recorder.values == [3])
  }

  @Test("`dropFirst` requests its dropped values before any downstream demand")
  func unasked() {
    let (script, all) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = script.dropFirst(2).record(demand: .none)
    let everything = all.dropFirst(0).record(demand: .none)

    script.say(1, 2)
    recorder.request(.max(1))
    script.say(3)

    #expect(script.demands == [.max(2), .max(1)])
    #expect(recorder.values == [3])
    #expect(all.demands.isEmpty && everything.values.isEmpty)
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
