import Streams
import StreamsTesting
import Testing

@Suite("`append` and `prepend`", .leavesNothing)
struct AppendTests {
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
