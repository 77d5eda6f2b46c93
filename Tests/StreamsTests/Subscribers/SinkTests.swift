import Streams
import StreamsTesting
import Testing

@Suite("`sink`", .leavesNothing)
struct SinkTests {
  @Test("`sink` requests unlimited demand, and calls its closures")
  func calls() {
    let journal = Journal()
    let script = Script(Int.self, failure: Problem.self)
    let cancellable = script.sink(
      receiveCompletion: { journal.note("\($0)") }, receiveValue: { journal.note("\($0)") })

    script.say(1, 2)
    script.end(.failure(Problem(code: 3)))

    #expect(script.asks == [.request(.unlimited)])
    #expect(journal.lines == ["1", "2", "failure(StreamsTests.Problem(code: 3))"])
    cancellable.cancel()
  }

  @Test("`sink` cancels upstream once when its cancellable is released")
  func goes() {
    let script = Script(Int.self, failure: Never.self)

    do {
      let cancellable = script.sink { _ in }
      script.say(1)
      withExtendedLifetime(cancellable) {}
    }

    #expect(script.asks == [.request(.unlimited), .cancel])
  }

  @Test("`sink` calls no closure after cancellation or completion")
  func silence() {
    let journal = Journal()
    let (cancelled, ended) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))
    let tokens = [cancelled, ended].map { script in
      script.sink(receiveCompletion: { journal.note("\($0)") }, receiveValue: { journal.note("\($0)") })
    }

    tokens[0].cancel()
    cancelled.say(1)
    cancelled.end()
    ended.end()
    ended.say(2)
    ended.end()

    #expect(journal.lines == ["finished"])
    #expect(cancelled.cancellations == 1)
    #expect(ended.cancellations == 0)
  }

  @Test("`sink` keeps receiving after its closure has cancelled another sink")
  func reentrant() {
    let journal = Journal()
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { _ in journal.note("cancelled sink finished") },
      receiveValue: { journal.note("cancelled sink: \($0)") })
    let canceller = Subscribers.Sink<Int, Never>(
      receiveCompletion: { _ in journal.note("finished") },
      receiveValue: { [weak sink] value in
        journal.note("\(value)")
        sink?.cancel()
      })
    let subject = PassthroughSubject<Int, Never>()
    subject.subscribe(canceller)
    subject.subscribe(sink)

    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)

    #expect(journal.lines == ["1", "2", "finished"])
  }

  @Test("`sink` releases its closures at completion or cancellation", arguments: [true, false])
  func releases(isCancelled: Bool) {
    let lifetimes = Lifetimes()
    let script = Script(Int.self, failure: Never.self)
    let sink: Subscribers.Sink<Int, Never>
    do {
      let (value, completion) = (lifetimes.probe("value closure"), lifetimes.probe("completion closure"))
      sink = Subscribers.Sink(
        receiveCompletion: { _ in withExtendedLifetime(completion) {} },
        receiveValue: { _ in withExtendedLifetime(value) {} })
    }
    script.subscribe(sink)
    let before = lifetimes.living

    if isCancelled { sink.cancel() } else { script.end() }

    #expect(before == ["value closure", "completion closure"])
    #expect(lifetimes.living.isEmpty)
  }

  @Test("`sink` accepts a value before its subscription, and cancels a second subscription")
  func outOfOrder() {
    let journal = Journal()
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { _ in }, receiveValue: { journal.note("\($0)") })
    let (first, second) = (SubscriptionRecorder(), SubscriptionRecorder())

    let answer = sink.receive(1)
    sink.receive(subscription: first)
    sink.receive(subscription: second)

    #expect(answer == Subscribers.Demand.none)
    #expect(journal.lines == ["1"])
    #expect(first.asks == [.request(.unlimited)])
    #expect(second.asks == [.cancel])
  }

  @Test("`sink` cancels a subscription that arrives after cancellation")
  func lateSubscription() {
    let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    let subscription = SubscriptionRecorder()

    sink.cancel()
    sink.receive(subscription: subscription)

    #expect(subscription.asks == [.cancel])
  }

  @Test("`sink` cancels upstream once if its subscription arrives during cancellation")
  func cancelMeetsArrival() {
    for _ in 0..<300 {
      let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
      let subscription = SubscriptionRecorder()
      let shared = Shared(sink)

      race({ shared.value.receive(subscription: subscription) }, { shared.value.cancel() })

      #expect(subscription.cancellations == 1)
    }
  }

  @Test("`Subscribers.Sink` exposes its closures until it is cancelled")
  func shows() {
    let journal = Journal()
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { journal.note("\($0)") }, receiveValue: { journal.note("\($0)") })

    sink.receiveValue(1)
    sink.receiveCompletion(.finished)
    sink.cancel()
    sink.receiveValue(2)

    #expect(journal.lines == ["1", "finished"])
    #expect("\(sink)" == "Sink")
    #expect(sink.customMirror.children.isEmpty)
  }
}

/// Carries what is safe to use from several threads, though its type does not say so.
struct Shared<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
