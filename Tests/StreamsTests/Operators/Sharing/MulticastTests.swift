import Streams
import StreamsTesting
import Testing

@Suite("`multicast`", .leavesNothing)
struct MulticastTests {
  @Test("`multicast` creates its subject once, at the first subscription or connection")
  func makesOnce() {
    let script = Script(Int.self, failure: Problem.self)
    var made = 0
    let multicast = script.multicast { () -> PassthroughSubject<Int, Problem> in
      made += 1
      return PassthroughSubject()
    }

    let before = made
    let recorders = [multicast.record(), multicast.record()]
    let connection = multicast.connect()

    #expect(before == 0)
    #expect(made == 1)
    withExtendedLifetime((recorders, connection)) {}
  }

  @Test("`multicast` uses one subject, even if two threads each create one")
  func madeByTwo() {
    let upstream = PassthroughSubject<Int, Never>()
    let second = Recorder<Int, Never>()
    let made = Guarded(0)
    let begin = Guarded<(@Sendable () -> Void)?>(nil)
    let multicast = upstream.multicast { () -> PassthroughSubject<Int, Never> in
      made.withLock { $0 += 1 }
      begin.withLock { $0.take() }?()
      return PassthroughSubject()
    }
    let shared = Shared(multicast)
    begin.withLock { $0 = { elsewhere { shared.value.subscribe(second) } } }

    let first = multicast.record()
    let connection = multicast.connect()
    upstream.send(1)

    #expect(made.withLock { $0 } == 2)
    #expect(first.values == [1] && second.values == [1])
    withExtendedLifetime(connection) {}
  }

  @Test("`multicast` sends nothing before it is connected, and then all values to all subscribers")
  func connects() {
    let script = Script(Int.self, failure: Problem.self)
    let multicast = script.multicast(subject: PassthroughSubject())
    let (first, second) = (multicast.record(), multicast.record(demand: .max(1)))

    let before = script.sessions.count
    let connection = multicast.connect()
    script.say(1, 2)
    script.end()

    #expect(before == 0)
    #expect(script.sessions.count == 1)
    #expect(first.events == [.subscription, .value(1), .value(2), .completion(.finished)])
    #expect(second.events == [.subscription, .value(1), .completion(.finished)])
    withExtendedLifetime(connection) {}
  }

  @Test("`multicast` makes another connection each time it is connected")
  func connectsTwice() {
    let script = Script(Int.self, failure: Problem.self)
    let multicast = script.multicast { PassthroughSubject() }
    let recorder = multicast.record()

    let connections = [multicast.connect(), multicast.connect()]
    for session in script.sessions { session.say(1) }

    #expect(recorder.values == [1, 1])
    withExtendedLifetime(connections) {}
  }

  @Test("`multicast` stops when its connection is cancelled or released", arguments: [false, true])
  func disconnects(_ cancels: Bool) {
    let script = Script(Int.self, failure: Problem.self)
    let multicast = script.multicast { PassthroughSubject() }
    let recorder = multicast.record()
    var connection: (any Cancellable)? = multicast.connect()

    script.say(1)
    if cancels { connection?.cancel() } else { connection = nil }
    script.say(2)

    #expect(script.cancellations == 1)
    #expect(recorder.events == [.subscription, .value(1)])
    withExtendedLifetime(connection) {}
  }

  @Test("A completed `multicast` stays completed")
  func staysEnded() {
    let script = Script(Int.self, failure: Problem.self)
    let multicast = script.multicast { PassthroughSubject() }
    let first = multicast.connect()
    script.end()

    let second = multicast.connect()
    let late = multicast.record(demand: .none)
    script.say(1)

    #expect(late.events == [.subscription, .completion(.finished)])
    withExtendedLifetime((first, second)) {}
  }

  @Test("`multicast` leaves demand to its subject")
  func demand() {
    let (lazy, eager) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let passing = lazy.multicast { PassthroughSubject() }
    let holding = eager.multicast { CurrentValueSubject(0) }
    let recorders = [passing.record(demand: .none), holding.record(demand: .none)]

    let connections = [passing.connect(), holding.connect()]
    let early = [lazy.demands, eager.demands]
    recorders[0].request(.max(1))

    #expect(early == [[], [.unlimited]])
    #expect(lazy.demands == [.unlimited])
    withExtendedLifetime(connections) {}
  }

  @Test("`multicast` keeps the contract even with a subject that does not")
  func carelessSubject() {
    let subject = CarelessSubject()
    let multicast = Empty<Int, Problem>(completeImmediately: false).multicast(subject: subject)
    let recorder = multicast.record()

    subject.send(1)
    recorder.cancel()
    subject.send(2)
    let afterCancelling = recorder.events
    let other = multicast.record()
    subject.send(completion: .finished)
    subject.send(completion: .finished)
    subject.send(3)

    #expect(afterCancelling == [.subscription, .value(1)])
    #expect(other.events == [.subscription, .completion(.finished)])
  }

  @Test("`multicast` requests of its subject what downstream requests or returns, and never zero")
  func passesDemand() {
    let subject = CarelessSubject()
    let multicast = Empty<Int, Problem>(completeImmediately: false).multicast(subject: subject)
    let recorder = multicast.record(demand: .none) { $0.answer = { .max($0) } }

    recorder.request(.none)
    recorder.request(.max(3))
    let answers = [subject.answer(to: 0), subject.answer(to: 2)]
    recorder.cancel()
    recorder.request(.max(1))

    #expect(answers == [.none, .none])
    #expect(subject.subscription.asks == [.request(.max(3)), .request(.max(2)), .cancel])
  }

  @Test("`multicast` has Combine's name, and accepts a request of zero")
  func names() {
    let recorder = Just(1).multicast { PassthroughSubject() }.record(demand: .none)

    recorder.request(.none)

    #expect("\(recorder.subscriptions[0])" == "Multicast")
    #expect(recorder.events == [.subscription])
  }
}

@Suite("`makeConnectable`", .leavesNothing)
struct MakeConnectableTests {
  @Test("`makeConnectable` sends nothing until it is connected")
  func connects() {
    let connectable = [1, 2].publisher.makeConnectable()
    let (first, second) = (connectable.record(), connectable.record())

    let before = first.values
    let connection = connectable.connect()

    #expect(before.isEmpty)
    #expect(first.events == [.subscription, .value(1), .value(2), .completion(.finished)])
    #expect(second.events == first.events)
    #expect("\(first.subscriptions[0])" == "Multicast")
    withExtendedLifetime(connection) {}
  }
}

/// Sends to its last subscriber, whatever became of it.
private final class CarelessSubject: Subject {
  typealias Output = Int
  typealias Failure = Problem

  let subscription = SubscriptionRecorder()
  private var subscriber: AnySubscriber<Int, Problem>?

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Int, Downstream.Failure == Problem {
    self.subscriber = AnySubscriber(subscriber)
    subscriber.receive(subscription: subscription)
  }

  func send(_ value: Int) { _ = answer(to: value) }
  func answer(to value: Int) -> Subscribers.Demand { subscriber?.receive(value) ?? .none }
  func send(completion: Subscribers.Completion<Problem>) { subscriber?.receive(completion: completion) }
  func send(subscription: any Subscription) { subscription.request(.unlimited) }
}
