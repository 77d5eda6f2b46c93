import Streams
import StreamsTesting
import Testing

@Suite("`Empty` and `Fail`", .leavesNothing)
struct EmptyTests {
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
