import Streams
import StreamsTesting
import Testing

@Suite("`Empty` and `Fail`", .leavesNothing)
struct EmptyTests {
  @Test("`Empty` finishes at once, without demand")
  func finishes() {
    let recorder = Empty<Int, Never>().record(demand: .none)

    #expect(recorder.events == [.subscription, .completion(.finished)])
    #expect("\(recorder.subscriptions[0])" == "Empty")
  }

  @Test("`Empty` with `completeImmediately: false` never finishes")
  func staysOpen() {
    let recorder = Empty(completeImmediately: false, outputType: Int.self, failureType: Never.self).record()

    recorder.request(.max(1))

    #expect(recorder.events == [.subscription])
  }

  @Test("`Empty` is equal to another one that ends in the same way")
  func equality() {
    #expect(Empty<Int, Never>() == Empty())
    #expect(Empty<Int, Never>() != Empty(completeImmediately: false))
  }

  @Test("`Fail` fails at once, without demand")
  func fails() {
    let recorder = Fail(outputType: Int.self, failure: Problem(code: 1)).record(demand: .none)

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 1)))])
    #expect("\(recorder.subscriptions[0])" == "Empty")
  }

  @Test("`Fail` is equal to another one with the same failure")
  func failEquality() {
    #expect(Fail<Int, Problem>(error: Problem(code: 1)) == Fail(error: Problem(code: 1)))
    #expect(Fail<Int, Problem>(error: Problem(code: 1)) != Fail(error: Problem(code: 2)))
  }

  @Test("The empty subscription accepts a request of zero")
  func emptySubscription() {
    let subscription = Subscriptions.empty

    subscription.request(.none)
    subscription.cancel()

    #expect("\(subscription)" == "Empty")
  }
}
