import Streams
import StreamsTesting
import Testing

@Suite("switchToLatest", .leavesNothing)
struct SwitchToLatestTests {
  typealias Child = Script<Int, Problem>
  typealias Outer = Script<Child, Problem>

  @Test("listens to the latest publisher and to no other")
  func switches() {
    let outer = Outer()
    let (first, second) = (Child(), Child())
    let recorder = outer.switchToLatest().record()

    outer.say(first)
    first.say(1)
    outer.say(second)
    first.say(2)
    second.say(3)

    #expect(recorder.values == [1, 3])
    #expect(first.cancellations == 1)
  }

  @Test("cancels the old publisher before it subscribes to the new one")
  func order() {
    let journal = Journal()
    let outer = Outer()
    let recorder = outer.switchToLatest().record()

    outer.say(Child(name: "old", journal: journal))
    outer.say(Child(name: "new", journal: journal))

    #expect(journal.has("old: cancel", before: "new: subscribe"))
    withExtendedLifetime(recorder) {}
  }

  @Test("asks the new publisher for the demand that the old one has not met", arguments: 0...3)
  func demand(_ said: Int) {
    let outer = Outer()
    let (first, second) = (Child(), Child())
    let recorder = outer.switchToLatest().record(demand: .max(3))

    outer.say(first)
    for value in 0..<said { first.say(value) }
    outer.say(second)
    recorder.request(.max(1))

    #expect(outer.demands == [.unlimited])
    #expect(first.demands == [.max(3)])
    #expect(second.demands == (said < 3 ? [.max(3 - said)] : []) + [.max(1)])
  }

  @Test("gives the answer to a value to the publisher that has come meanwhile")
  func answers() {
    let outer = Outer()
    let (first, second) = (Child(), Child())
    let recorder = outer.switchToLatest().record(demand: .max(1)) { recorder in
      recorder.onValue = { [unowned outer] _, _ in outer.say(second) }
      recorder.answer = { _ in .max(2) }
    }

    outer.say(first)
    let answer = first.say(1)

    #expect(answer == .none)
    #expect(second.demands == [.max(2)])
    withExtendedLifetime(recorder) {}
  }

  @Test(
    "finishes when the outer publisher and the latest one have, in whichever order", arguments: [true, false])
  func finishes(_ outerFirst: Bool) {
    let outer = Outer()
    let child = Child()
    let recorder = outer.switchToLatest().record(demand: .none)

    outer.say(child)
    if outerFirst { outer.end() } else { child.end() }
    let early = recorder.completions
    if outerFirst { child.end() } else { outer.end() }

    #expect(early.isEmpty)
    #expect(recorder.completions == [.finished])
  }

  @Test("does not mind how a publisher ends that it has left")
  func leftBehind() {
    let outer = Outer()
    let (first, second) = (Child(), Child())
    let recorder = outer.switchToLatest().record()

    outer.say(first)
    outer.say(second)
    first.end(.failure(Problem(code: 1)))
    outer.end()
    first.end()
    second.say(2)

    #expect(recorder.events == [.subscription, .value(2)])
  }

  @Test("fails with a child, and cancels the outer publisher; or the other way round")
  func fails() {
    let (outer, other) = (Outer(), Outer())
    let (child, sibling) = (Child(), Child())
    let byChild = outer.switchToLatest().record(demand: .none)
    let byOuter = other.switchToLatest().record(demand: .none)

    outer.say(child)
    child.end(.failure(Problem(code: 1)))
    other.say(sibling)
    other.end(.failure(Problem(code: 2)))

    #expect(byChild.completions == [.failure(Problem(code: 1))])
    #expect(outer.cancellations == 1)
    #expect(byOuter.completions == [.failure(Problem(code: 2))])
    #expect(sibling.cancellations == 1)
  }

  @Test("finishes at once if the outer publisher does and has sent none")
  func nothing() {
    let outer = Outer()
    let recorder = outer.switchToLatest().record(demand: .none)

    outer.end()

    #expect(recorder.events == [.subscription, .completion(.finished)])
  }
}
