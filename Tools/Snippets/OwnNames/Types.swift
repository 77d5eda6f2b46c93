import Streams
import StreamsExtras

/// A publisher that sends nothing. All publishers of this program's own are like it.
protocol Silent: Publisher {}

extension Silent {
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    Empty(completeImmediately: true).subscribe(subscriber)
  }
}

extension Publishers {
  struct WithLatestFrom<Upstream: Publisher, Other: Publisher, Output>: Silent
  where Upstream.Failure == Other.Failure {
    typealias Failure = Upstream.Failure
    init(upstream: Upstream, second: Other, resultSelector: (Upstream.Output, Other.Output) -> Output) {
      note()
    }
  }

  struct Amb<First: Publisher, Second: Publisher>: Silent
  where First.Output == Second.Output, First.Failure == Second.Failure {
    typealias Output = First.Output
    typealias Failure = First.Failure
    init(first: First, second: Second) { note() }
  }

  struct Create<Output, Failure: Error>: Silent {
    typealias SubscriberHandler = (Subscriber) -> any Cancellable
    init(factory: SubscriberHandler) {
      note()
      _ = factory(Subscriber())
    }

    struct Subscriber {
      func send(_ value: Output) { note() }
      func send(completion: Subscribers.Completion<Failure>) { note() }
    }
  }

  class Materialize<Upstream: Publisher>: Silent {
    typealias Output = Event<Upstream.Output, Upstream.Failure>
    typealias Failure = Never
    init(upstream: Upstream) { note() }
  }

  class Dematerialize<Upstream: Publisher>: Silent where Upstream.Output: EventConvertible {
    typealias Output = Upstream.Output.Output
    typealias Failure = Upstream.Output.Failure
    init(upstream: Upstream) { note() }
  }

  struct Enumerated<Upstream: Publisher>: Silent {
    typealias Output = (offset: Int, element: Upstream.Output)
    typealias Failure = Upstream.Failure
    init(initial: Int, upstream: Upstream) { note() }
  }

  class RetryWhen<Upstream: Publisher, Trigger: Publisher, Output, Failure: Error>: Silent
  where Upstream.Output == Output, Upstream.Failure == Failure {
    init(upstream: Upstream, errorTrigger: (AnyPublisher<Failure, Never>) -> Trigger) { note() }
  }

  struct PrefixWhileBehavior<Upstream: Publisher>: Silent {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure
    init(upstream: Upstream) { note() }
  }

  final class Timer<S: Scheduler>: ConnectablePublisher {
    typealias Output = S.SchedulerTimeType
    typealias Failure = Never
    init(every interval: S.SchedulerTimeType.Stride, scheduler: S) { note() }
    func connect() -> any Cancellable { AnyCancellable {} }
    func receive<D: Subscriber>(subscriber: D) where D.Input == Output, D.Failure == Failure {
      Empty().subscribe(subscriber)
    }
  }

  static func unfold<State, Element>(_ state: State, _ next: (inout State) -> Element?) -> Empty<
    Element, Never
  > {
    note()
    return Empty()
  }
  static func range(_ range: Range<Int>) -> Empty<Int, Never> {
    note()
    return Empty()
  }
  static func observing<Value>(willSet read: () -> Value) -> Empty<Value, Never> {
    note()
    return Empty()
  }
}

enum Event<Output, Failure: Error> {
  case value(Output)
  case failure(Failure)
  case finished
}

protocol EventConvertible {
  associatedtype Output
  associatedtype Failure: Error
  var event: Event<Output, Failure> { get }
}

extension Event: EventConvertible {
  var event: Event<Output, Failure> { self }
}

enum ObjectOwnership { case strong, weak, unowned }

enum PrefixWhileBehavior { case inclusive, exclusive }

protocol Relay: Publisher where Failure == Never {
  func accept(_ value: Output)
  func subscribe<P: Publisher>(_ publisher: P) -> AnyCancellable
  where P.Failure == Failure, P.Output == Output
}

extension Relay where Output == Void {
  func accept() { note() }
}

class PassthroughRelay<Output>: Relay, Silent {
  typealias Failure = Never
  init() { note() }
  func accept(_ value: Output) { note() }
  func subscribe<P: Publisher>(_ publisher: P) -> AnyCancellable
  where P.Failure == Never, P.Output == Output {
    note()
    return AnyCancellable {}
  }
}

class CurrentValueRelay<Output>: Relay, Silent {
  typealias Failure = Never
  let value: Output
  init(_ value: Output) {
    note()
    self.value = value
  }
  func accept(_ value: Output) { note() }
  func subscribe<P: Publisher>(_ publisher: P) -> AnyCancellable
  where P.Failure == Never, P.Output == Output {
    note()
    return AnyCancellable {}
  }
}

final class ReplaySubject<Output, Failure: Error>: Subject, Silent {
  init(bufferSize: Int) { note() }
  func send(_ value: Output) { note() }
  func send(completion: Subscribers.Completion<Failure>) { note() }
  func send(subscription: any Subscription) { note() }
}

func types() {
  let never = PassthroughSubject<Int, Never>()
  show("types") {
    _ = Publishers.WithLatestFrom(upstream: never, second: never) { $0 + $1 }
    _ = Publishers.Amb(first: never, second: never)
    _ = Publishers.Create<Int, Never> { subscriber in
      subscriber.send(1)
      subscriber.send(completion: .finished)
      return AnyCancellable {}
    }
    let events: Publishers.Materialize<PassthroughSubject<Int, Never>> = Publishers.Materialize(
      upstream: never)
    _ = Publishers.Dematerialize(upstream: events)
    _ = Publishers.Enumerated(initial: 1, upstream: never)
    _ = Publishers.RetryWhen(upstream: never) { $0 }
    _ = Publishers.PrefixWhileBehavior(upstream: never)
    _ = Publishers.Timer(every: .init(1), scheduler: ImmediateScheduler.shared)
    _ = Publishers.unfold(1) { $0 }
    _ = Publishers.range(0..<3)
    _ = Publishers.observing { 1 }
    _ = Publishers.observing(willSet: { 1 })
  }
  show("relays and subjects") {
    let (passing, current) = (PassthroughRelay<Int>(), CurrentValueRelay(1))
    passing.accept(current.value)
    current.accept(2)
    PassthroughRelay<Void>().accept()
    _ = never.subscribe(passing)
    _ = passing.subscribe(never)
    _ = passing.subscribe(current)
    ReplaySubject<Int, Never>(bufferSize: 1).send(1)
  }
}
