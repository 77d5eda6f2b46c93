import Streams
import StreamsTesting
import Testing

@Suite("`AnySubscriber`", .leavesNothing)
struct AnySubscriberTests {
  @Test("`AnySubscriber` forwards all signals to its subscriber, and returns its demand")
  func passes() {
    let recorder = Recorder<Int, Never>(demand: .max(2), answering: .max(3))
    let subscription = SubscriptionRecorder()
    let subscriber = AnySubscriber(recorder)

    subscriber.receive(subscription: subscription)
    let answer = subscriber.receive(7)
    subscriber.receive(completion: .finished)

    #expect(answer == .max(3))
    #expect(subscription.asks == [.request(.max(2))])
    #expect(recorder.events == [.subscription, .value(7), .completion(.finished)])
  }

  @Test("`AnySubscriber` has the identifier, description and mirror of its subscriber, even if wrapped twice")
  func identity() {
    let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    let once = AnySubscriber(sink)
    let twice = AnySubscriber(once)

    #expect(once.combineIdentifier == sink.combineIdentifier)
    #expect(twice.combineIdentifier == sink.combineIdentifier)
    #expect("\(twice)" == "Sink")
    #expect(twice.playgroundDescription as? String == "Sink")
    #expect(twice.customMirror.children.isEmpty)
  }

  @Test("`AnySubscriber` calls the closures that it was created with")
  func closures() {
    let journal = Journal()
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: { $0.request(.max(1)) },
      receiveValue: { value in
        journal.note("value \(value)")
        return .max(1)
      },
      receiveCompletion: { journal.note("\($0)") })

    [1, 2].publisher.subscribe(subscriber)

    #expect(journal.lines == ["value 1", "value 2", "finished"])
    #expect("\(subscriber)" == "Anonymous AnySubscriber")
    #expect(subscriber.combineIdentifier == subscriber.combineIdentifier)
  }

  @Test("`AnySubscriber` without closures requests nothing")
  func missingClosures() {
    let script = Script(Int.self, failure: Never.self)
    let subscriber = AnySubscriber<Int, Never>()

    script.subscribe(subscriber)
    let answer = script.say(1)
    script.end()

    #expect(script.asks.isEmpty)
    #expect(answer == Subscribers.Demand.none)
    #expect(subscriber.combineIdentifier != AnySubscriber<Int, Never>().combineIdentifier)
  }

  @Test("An `AnySubscriber` of a subject requests demand only once the subject has demand")
  func subjects() {
    let script = Script(Int.self, failure: Never.self)
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = AnySubscriber(subject)

    script.subscribe(subscriber)
    let before = script.asks
    let recorder = subject.record(demand: .max(2))
    let answer = script.say(1)
    script.end()

    #expect(before.isEmpty)
    #expect(script.asks == [.request(.unlimited)])
    #expect(answer == Subscribers.Demand.none)
    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
    #expect("\(subscriber)" == "Subject")
  }

  @Test("An `AnySubscriber` of a subject accepts only one upstream")
  func secondSubscription() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let subscriber = AnySubscriber(subject)
    let (first, second) = (SubscriptionRecorder(), SubscriptionRecorder())

    subscriber.receive(subscription: first)
    subscriber.receive(subscription: second)

    #expect(first.asks == [.request(.unlimited)])
    #expect(second.asks == [.cancel])
  }
}
