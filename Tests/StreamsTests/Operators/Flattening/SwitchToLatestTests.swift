import Streams
import StreamsTesting
import Testing

@Suite("`switchToLatest`", .leavesNothing)
struct SwitchToLatestTests {
  typealias Child = Script<Int, Problem>
  typealias Outer = Script<Child, Problem>

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

  @Test(
    "`switchToLatest` sends the value of the newest publisher alone, if it is requested after several have come"
  )
  func waitsForDemand() {
    let outer = PassthroughSubject<Just<Int>, Never>()
    let recorder = outer.switchToLatest().record(demand: .none)

    outer.send(Just(1))
    outer.send(Just(2))
    recorder.request(.max(2))

    #expect(recorder.events == [.subscription, .value(2)])
    recorder.cancel()
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
}
