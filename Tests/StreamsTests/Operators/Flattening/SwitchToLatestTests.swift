import Streams
import StreamsTesting
import Testing

@Suite("`switchToLatest`", .leavesNothing)
struct SwitchToLatestTests {
  typealias Child = Script<Int, Problem>
  typealias Outer = Script<Child, Problem>

  @Test("`switchToLatest` forwards only the latest publisher, and cancels the previous one")
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

  @Test("`switchToLatest` cancels the old publisher before it subscribes to the new one")
  func order() {
    let journal = Journal()
    let outer = Outer()
    let recorder = outer.switchToLatest().record()

    outer.say(Child(name: "old", journal: journal))
    outer.say(Child(name: "new", journal: journal))

    #expect(journal.has("old: cancel", before: "new: subscribe"))
    withExtendedLifetime(recorder) {}
  }

  @Test("`switchToLatest` requests the remaining demand from the new publisher", arguments: 0...3)
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

  @Test("`switchToLatest` requests demand returned for a value from a publisher that arrived meanwhile")
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
    "`switchToLatest` finishes when the outer and the latest publisher have, in any order",
    arguments: [true, false])
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

  @Test("`switchToLatest` ignores the completion of a publisher it has left")
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

  @Test(
    "`switchToLatest` follows only the newest publisher if the cancellation of the previous one sends it",
    arguments: [true, false])
  func sendsWhileCancelling(_ isConstant: Bool) {
    let outer = PassthroughSubject<AnyPublisher<Int, Problem>, Problem>()
    let (second, third) = (Child(), Child())
    let constant = Just(3).setFailureType(to: Problem.self).eraseToAnyPublisher()
    let newest = isConstant ? constant : third.eraseToAnyPublisher()
    let recorder = outer.switchToLatest().record()

    outer.send(Child().handleEvents(receiveCancel: { outer.send(newest) }).eraseToAnyPublisher())
    outer.send(second.eraseToAnyPublisher())
    outer.send(completion: .finished)
    if !isConstant {
      third.say(3)
      third.end()
    }

    #expect(second.sessions.isEmpty)
    #expect(recorder.events == [.subscription, .value(3), .completion(.finished)])
  }

  @Test("`switchToLatest` follows a publisher if the cancellation of the previous one finishes the outer one")
  func finishesWhileCancelling() {
    let outer = PassthroughSubject<AnyPublisher<Int, Problem>, Problem>()
    let second = Child()
    let recorder = outer.switchToLatest().record()

    outer.send(
      Child().handleEvents(receiveCancel: { outer.send(completion: .finished) }).eraseToAnyPublisher())
    outer.send(second.eraseToAnyPublisher())
    second.say(2)
    second.end()

    #expect(recorder.events == [.subscription, .value(2), .completion(.finished)])
  }

  @Test("`switchToLatest` fails with a child or the outer publisher, and cancels the other")
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

  @Test("`switchToLatest` finishes at once if the outer publisher is empty")
  func nothing() {
    let outer = Outer()
    let recorder = outer.switchToLatest().record(demand: .none)

    outer.end()

    #expect(recorder.events == [.subscription, .completion(.finished)])
  }
}
