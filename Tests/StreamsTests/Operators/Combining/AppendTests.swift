import Streams
import StreamsTesting
import Testing

@Suite("`append` and `prepend`", .leavesNothing)
struct AppendTests {
  @Test(
    "`append` and `prepend` send one publisher's values after the other's",
    arguments: [
      (first: [], second: []), (first: [1, 2], second: []), (first: [], second: [3]),
      (first: [1, 2], second: [3, 4]),
    ] as [(first: [Int], second: [Int])])
  func concatenate(_ row: (first: [Int], second: [Int])) {
    let publishers = [
      row.first.publisher.append(row.second.publisher).eraseToAnyPublisher(),
      row.first.publisher.append(row.second).eraseToAnyPublisher(),
      row.second.publisher.prepend(row.first.publisher).eraseToAnyPublisher(),
      row.second.publisher.prepend(row.first).eraseToAnyPublisher(),
    ]

    for recorder in publishers.map({ $0.record() }) {
      #expect(recorder.values == row.first + row.second)
      #expect(recorder.completions == [.finished])
    }
  }

  @Test("`append` sends one subscription, even if the first publisher ends without one")
  func hasty() {
    struct Hasty: Publisher {
      typealias Output = Int
      typealias Failure = Never

      func receive(subscriber: some Subscriber<Int, Never>) { subscriber.receive(completion: .finished) }
    }

    #expect(Hasty().append(Just(4)).record().events == [.subscription, .value(4), .completion(.finished)])
    #expect(Hasty().append(5).record().events == [.subscription, .value(5), .completion(.finished)])
    #expect(
      Hasty().append(5, 6).record().events == [.subscription, .value(5), .value(6), .completion(.finished)])
  }

  @Test("`append` and `prepend` accept several elements")
  func variadic() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.append(4, 5).prepend(1, 2).record()

    script.say(3)
    script.end()

    #expect(recorder.values == [1, 2, 3, 4, 5])
  }

  @Test("`append` requests the remaining demand from the second publisher", arguments: 0...4)
  func carryDemandOver(_ demand: Int) {
    let (first, second) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))
    let recorder = first.append(second).record(demand: .max(demand))

    for value in 0..<min(demand, 2) { first.say(value) }
    first.end()
    let carried = second.demands
    recorder.request(.max(3))

    #expect(carried == (demand > 2 ? [.max(demand - 2)] : []))
    #expect(second.demands == carried + [.max(3)])
    #expect(first.demands == (demand > 0 ? [.max(demand)] : []))
  }

  @Test("`append` carries demand returned for the last value over to the second publisher")
  func carryAnswersOver() {
    let (first, second) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))
    let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(2))
    first.append(second).subscribe(recorder)

    let answer = first.say(1)
    first.end()

    #expect(answer == .max(2))
    #expect(second.demands == [.max(2)])
  }

  @Test("`append` carries over demand returned for a value during which the first publisher ended")
  func answerAfterTheTurn() {
    let (first, second) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))
    let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(2))
    recorder.onValue = { [unowned first] _, value in
      if value == 1 { first.end() }
    }
    first.append(second).subscribe(recorder)

    let answer = first.say(1)

    #expect(answer == Subscribers.Demand.none)
    #expect(second.demands == [.max(2)])
  }

  @Test("`append` subscribes to the second publisher only after the first has finished")
  func lateSubscription() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = first.append(second).record()

    second.send(0)
    first.send(1)
    first.send(completion: .finished)
    second.send(2)
    first.send(3)
    second.send(completion: .finished)

    #expect(recorder.events == [.subscription, .value(1), .value(2), .completion(.finished)])
  }

  @Test("`append` does not subscribe to the second publisher if the first fails")
  func firstFails() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.append(second).record(demand: .none)

    first.end(.failure(Problem(code: 1)))

    #expect(second.sessions.isEmpty)
    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 1)))])
  }

  @Test("Cancelling `append` cancels only the active publisher, once", arguments: [true, false])
  func cancel(isSecondTurn: Bool) {
    let (first, second) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))
    let recorder = first.append(second).record()

    if isSecondTurn { first.end() }
    recorder.cancel()
    recorder.cancel()

    #expect(first.cancellations == (isSecondTurn ? 0 : 1))
    #expect(second.cancellations == (isSecondTurn ? 1 : 0))
  }

  @Test("`append` cancels a second publisher whose subscription arrives after cancellation")
  func lateHandOver() {
    let (first, second) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))
    second.handsOverAtOnce = false
    let recorder = first.append(second).record()

    first.end()
    recorder.cancel()
    if let session = second.session { session.handOver(session.subscription) }

    #expect(second.asks == [.cancel])
  }

  @Test("`append` keeps demand for a second publisher whose subscription arrives late")
  func demandBeforeHandOver() {
    let (first, second) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))
    second.handsOverAtOnce = false
    let recorder = first.append(second).record(demand: .max(1))

    first.end()
    recorder.request(.max(2))
    if let session = second.session { session.handOver(session.subscription) }

    #expect(second.asks == [.request(.max(3))])
  }

  @Test("`append` drops values of the first publisher beyond the demand")
  func surplus() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.append(9).record(demand: .max(1))

    script.say(1, 2)
    script.end()
    recorder.request(.max(1))

    #expect(recorder.values == [1, 9])
  }

  @Test("`append` holds no lock while it releases an upstream's subscription")
  func releasesOutsideTheLock() {
    let first = Script(Int.self, failure: Never.self)
    first.handsOverAtOnce = false
    let recorder = first.append([2, 3]).record(demand: .max(1))
    do {
      // Asks for more when it is let go of: a lock that is held then would be waited for in vain.
      let subscription = LastWish { [unowned recorder] in recorder.request(.max(1)) }
      first.session?.handOver(subscription)
    }

    first.end()

    #expect(recorder.values == [2, 3])
  }

  @Test("`append` has Combine's name, and is equal if its parts are equal")
  func names() {
    #expect("\(Just(1).append(Just(2)).record(demand: .none).subscriptions[0])" == "Concatenate")
    #expect(Just(1).append(Just(2)) == Just(2).prepend(Just(1)))
    #expect(Just(1).append(Just(2)).prefix == Just(1))
  }
}

/// A subscription that does something when it is let go of.
final class LastWish: Subscription {
  private let wish: () -> Void

  init(_ wish: @escaping () -> Void) { self.wish = wish }

  deinit { wish() }

  func request(_: Subscribers.Demand) {}
  func cancel() {}
}
