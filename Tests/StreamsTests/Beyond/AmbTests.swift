import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`amb`", .leavesNothing)
struct AmbTests {
  @Test("`amb` does not subscribe to later publishers if one sends synchronously")
  func atOnce() {
    let late = Script(Int.self, failure: Never.self)

    let recorder = Just(1).amb(late).record()

    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
    #expect(late.sessions.isEmpty)
  }

  @Test("`amb` accepts any number of publishers, and finishes if there are none")
  func many() {
    let scripts = (0..<4).map { _ in Script(Int.self, failure: Never.self) }
    let recorder = scripts[0].amb(with: scripts[1], scripts[2], scripts[3]).record()
    let none = [Just<Int>]().amb().record()

    scripts[2].say(3)

    #expect(recorder.values == [3])
    #expect(scripts.map(\.cancellations) == [1, 1, 0, 1])
    #expect(none.events == [.subscription, .completion(.finished)])
  }

  @Test(
    "`amb` loses nothing that its subscriber makes the winner send when the first value arrives",
    arguments: [Subscribers.Demand.max(2), .max(3), .unlimited])
  func echo(demand: Subscribers.Demand) {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = first.amb(second).record(demand: demand) {
      $0.onValue = { _, value in if value == 1 { first.send(2) } }
    }

    first.send(1)

    #expect(recorder.values == [1, 2])
    recorder.cancel()
  }

  @Test(
    "`amb` sends the value that has won first if the winner sends and fails when the rest is requested",
    arguments: [Subscribers.Demand.max(3), .unlimited])
  func sendsAtOnce(demand: Subscribers.Demand) {
    let script = Script(Int.self, failure: Problem.self)
    script.onRequest = { session, demand in
      guard demand > .max(1) else { return }
      session.say(2)
      session.say(3)
      session.end(.failure(Problem(code: 1)))
    }
    let recorder = script.amb(Empty<Int, Problem>(completeImmediately: false)).record(demand: demand)

    script.say(1)

    let values = [1, 2, 3].map { Recorder<Int, Problem>.Event.value($0) }
    #expect(recorder.events == [.subscription] + values + [.completion(.failure(Problem(code: 1)))])
  }

  @Test("`amb` ignores a loser that sends and finishes while another loser is cancelled")
  func losers() {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let watched = subjects[1].handleEvents(receiveCancel: {
      subjects[2].send(9)
      subjects[2].send(completion: .finished)
    })
    let publishers = [
      subjects[0].eraseToAnyPublisher(), watched.eraseToAnyPublisher(), subjects[2].eraseToAnyPublisher(),
    ]
    let recorder = publishers.amb().record()

    subjects[0].send(1)
    subjects[0].send(2)

    #expect(recorder.events == [.subscription, .value(1), .value(2)])
    recorder.cancel()
  }

  @Test("`amb` sends the value that has won first if the cancellation of the loser finishes the winner")
  func endsMeanwhile() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let watched = second.handleEvents(receiveCancel: { first.send(completion: .finished) })
    let recorder = first.amb(watched).record()

    first.send(1)

    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
  }
}
