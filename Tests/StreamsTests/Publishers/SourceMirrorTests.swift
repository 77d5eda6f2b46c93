import Streams
import StreamsTesting
import Testing

@Suite("Mirrors of sources", .leavesNothing)
struct SourceMirrorTests {
  @Test("The subscription of a future shows its parts and whether it was asked, until it is cancelled")
  func future() {
    var promise: Future<Int, Problem>.Promise?
    let open = Future<Int, Problem> { promise = $0 }
    let recorder = open.record(demand: .none)
    let subscription = recorder.subscriptions[0]

    let early = child("hasAnyDemand", of: subscription) as? Bool
    let downstream = child("downstream", of: subscription) as? Recorder<Int, Problem>
    let parents = ["parent", "subject"].map { "\(child($0, of: subscription) ?? "none")" }
    subscription.request(.max(1))
    let asked = child("hasAnyDemand", of: subscription) as? Bool
    subscription.cancel()

    #expect(labels(subscription) == ["parent", "downstream", "hasAnyDemand", "subject"])
    #expect(early == false && asked == true)
    #expect(downstream === recorder)
    #expect(parents == ["Future", "Future"])
    #expect(child("hasAnyDemand", of: subscription) as? Bool == false)
    #expect(
      ["parent", "downstream", "subject"].map { child($0, of: subscription) as? String } == [
        "nil", "nil", "nil",
      ])
    withExtendedLifetime(promise) {}
  }

  @Test("The subscription of a record shows its values and its completion, until it is cancelled")
  func record() {
    let record = Record(output: [1, 2], completion: .failure(Problem(code: 3)))
    let subscription = record.record(demand: .none).subscriptions[0]

    let name = "\(subscription)"
    let values = child("sequence", of: subscription) as? [Int]
    let completion = child("completion", of: subscription) as? Subscribers.Completion<Problem>
    subscription.cancel()

    #expect(name == "[1, 2]")
    #expect(labels(subscription) == ["sequence", "completion"])
    #expect(values == [1, 2])
    #expect(completion == .failure(Problem(code: 3)))
    #expect("\(subscription)" == "Cancelled Events")
    #expect(child("sequence", of: subscription) as? [Int] == [])
  }

  @Test("The subscription of a sequence shows its elements, until it is cancelled")
  func sequence() {
    let subscription = [1, 2].publisher.record(demand: .none).subscriptions[0]

    let (name, elements) = ("\(subscription)", child("sequence", of: subscription) as? [Int])
    subscription.cancel()

    #expect(name == "[1, 2]")
    #expect(elements == [1, 2])
    #expect("\(subscription)" == "Sequence")
    #expect(child("sequence", of: subscription) as? [Int] == [])
  }

  @Test("The subscription of a single value shows it, until it is sent or the subscription is cancelled")
  func single() {
    let (sent, cancelled) = (Just(7).record(demand: .none), Just(7).record(demand: .none))
    let subscriptions = [sent.subscriptions[0], cancelled.subscriptions[0]]

    let early = subscriptions.map { Mirror(reflecting: $0).children.first?.value as? Int }
    sent.request(.max(1))
    cancelled.cancel()

    #expect(early == [7, 7])
    #expect(subscriptions.allSatisfy { Mirror(reflecting: $0).children.isEmpty })
  }

  @Test("The subscription of a publisher that only completes has Combine's name")
  func empty() {
    let subscriptions = [
      Empty<Int, Problem>().record().subscriptions[0],
      Empty<Int, Problem>(completeImmediately: false).record().subscriptions[0],
      Fail<Int, Problem>(error: Problem(code: 1)).record().subscriptions[0], Subscriptions.empty,
    ]

    #expect(subscriptions.map { "\($0)" } == ["Empty", "Empty", "Empty", "Empty"])
  }

  private func labels(_ value: Any) -> [String?] { Mirror(reflecting: value).children.map(\.label) }

  private func child(_ label: String, of value: Any) -> Any? {
    Mirror(reflecting: value).children.first { $0.label == label }?.value
  }
}
