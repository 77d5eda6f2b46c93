import Streams
import StreamsTesting
import Testing

@Suite("Empty and Fail")
struct EmptyTests {
  @Test("finishes at once, without being asked")
  func finishes() {
    let recorder = Empty<Int, Never>().record(demand: .none)

    #expect(recorder.events == [.subscription, .completion(.finished)])
    #expect("\(recorder.subscriptions[0])" == "Empty")
  }

  @Test("never finishes if it is told so")
  func staysOpen() {
    let recorder = Empty(completeImmediately: false, outputType: Int.self, failureType: Never.self).record()

    recorder.request(.max(1))

    #expect(recorder.events == [.subscription])
  }

  @Test("is equal to another that ends in the same way")
  func equality() {
    #expect(Empty<Int, Never>() == Empty())
    #expect(Empty<Int, Never>() != Empty(completeImmediately: false))
  }

  @Test("fails at once, without being asked")
  func fails() {
    let recorder = Fail(outputType: Int.self, failure: Problem(code: 1)).record(demand: .none)

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 1)))])
    #expect("\(recorder.subscriptions[0])" == "Empty")
  }

  @Test("is equal to another with the same failure")
  func failEquality() {
    #expect(Fail<Int, Problem>(error: Problem(code: 1)) == Fail(error: Problem(code: 1)))
    #expect(Fail<Int, Problem>(error: Problem(code: 1)) != Fail(error: Problem(code: 2)))
  }

  @Test("has a subscription that can be asked for nothing")
  func emptySubscription() {
    let subscription = Subscriptions.empty

    subscription.request(.none)
    subscription.cancel()

    #expect("\(subscription)" == "Empty")
  }
}
