import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// The second publisher of `append` or `catch`, where the first ends inside a delivery or a subscription.
@Suite("Takeover by the second publisher", .leavesNothing)
struct TakeoverTests {
  private typealias Source = Script<Int, Problem>

  @Test(
    "The second publisher takes over after the delivery inside which the first has ended",
    arguments: Second.allCases)
  fileprivate func afterDelivery(_ second: Second) {
    let (first, look) = (Source(), Look())
    look.onValue = { value in
      if value == 1 { first.end() }
    }
    look.watch(second.appended(to: first))

    first.say(1)

    #expect(look.lines == ["value 1", "taken 1", "value 2", "taken 2", "finished"])
  }

  @Test(
    "The second publisher takes over after the outermost delivery, if the first ends in a nested one",
    arguments: Second.allCases)
  fileprivate func afterNestedDelivery(_ second: Second) {
    let (first, look) = (Source(), Look())
    look.onValue = { value in
      if value == 0 { first.say(1) }
      if value == 1 { first.end() }
    }
    look.watch(second.appended(to: first))

    first.say(0)

    #expect(
      look.lines == ["value 0", "value 1", "taken 1", "taken 0", "value 2", "taken 2", "finished"])
  }

  @Test(
    "The second publisher takes over at once if the first ends between deliveries", arguments: Second.allCases
  )
  fileprivate func atOnce(_ second: Second) {
    let (first, look) = (Source(), Look())
    look.watch(second.appended(to: first))
    first.say(1)

    first.end()

    #expect(look.lines == ["value 1", "taken 1", "value 2", "taken 2", "finished"])
  }

  @Test(
    "The second publisher is not subscribed to if the delivery inside which the first ended cancels",
    arguments: [false, true])
  func cancelledMeanwhile(_ isNested: Bool) {
    let (first, second) = (Source(), Source())
    let chain = first.append(second)
    let publisher =
      isNested
      ? chain.eraseToAnyPublisher().append(Source()).eraseToAnyPublisher() : chain.eraseToAnyPublisher()
    let recorder = publisher.record { recorder in
      recorder.onValue = { recorder, _ in
        first.end()
        recorder.cancel()
      }
    }

    first.say(1)

    #expect(second.sessions.isEmpty)
    #expect(first.cancellations == 0)
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test(
    "The second publisher is not asked for anything by a delivery that returns no demand",
    arguments: [false, true])
  func asksNothing(_ isNested: Bool) {
    let (first, second) = (Source(), Source())
    let chain = first.append(second).eraseToAnyPublisher()
    let publisher = isNested ? chain.append(9).eraseToAnyPublisher() : chain
    let recorder = publisher.record(demand: .max(2)) { recorder in
      recorder.onValue = { _, value in
        if value == 1 { first.end() }
      }
    }

    first.say(1)
    recorder.request(.none)

    #expect(first.demands == [.max(2)])
    #expect(second.demands == [.max(1)])
  }

  @Test(
    "A single value after a first publisher that ended at once is sent within demand",
    arguments: [Subscribers.Demand.none, .max(1)])
  func singleValue(_ demand: Subscribers.Demand) {
    let recorder = Ending(.finished).append(Result<Int, Problem>.success(1).publisher).record(demand: demand)
    let early = recorder.values

    recorder.request(.max(1))

    #expect(early == (demand == .none ? [] : [1]))
    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("A single value is not sent if downstream cancels when it receives its subscription")
  func cancelsAtOnce() {
    let recorder = Ending(.finished).append(Result<Int, Problem>.success(1).publisher).record { recorder in
      recorder.onSubscription = { $0.cancel() }
    }

    #expect(recorder.events == [.subscription])
  }

  @Test("A delivery of a single value that cancels is followed by no completion")
  func cancelsTheSingleValue() {
    let first = Source()
    let recorder = first.append(Result<Int, Problem>.success(1).publisher).record { recorder in
      recorder.onValue = { recorder, _ in recorder.cancel() }
    }

    first.end()

    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("A first publisher that fails without a subscription leads to a subscription and the failure")
  func failsAtOnce() {
    let failure = Subscribers.Completion.failure(Problem(code: 1))
    let recorder = Ending(failure).append(Source()).record()

    #expect(recorder.events == [.subscription, .completion(failure)])
  }

  @Test("A publisher may take its subscriber for a subscription, and cancel it before it hands over its own")
  func twoSided() throws {
    let keeper = Keeper()
    let recorder = keeper.append(1).record()

    let subscription = try #require(keeper.subscriber as? any Subscription)
    subscription.request(.max(1))
    subscription.cancel()
    let late = SubscriptionRecorder()
    keeper.attach?(late)

    #expect(late.asks == [.cancel])
    #expect(recorder.events.isEmpty)
    (keeper.subscriber, keeper.attach) = (nil, nil)
  }

  @Test("A publisher that takes its subscriber for the subscription passes requests on with it")
  func asksThroughTheSubscriber() throws {
    let keeper = Keeper()
    let recorder = keeper.append(1).record(demand: .none)
    let upstream = SubscriptionRecorder()
    keeper.attach?(upstream)

    let subscription = try #require(keeper.subscriber as? any Subscription)
    subscription.request(.max(2))
    subscription.cancel()

    #expect(upstream.asks == [.request(.max(2)), .cancel])
    #expect(recorder.events == [.subscription])
    (keeper.subscriber, keeper.attach) = (nil, nil)
  }

  @Test(
    "A cancelled nested concatenation releases what was to follow, though upstream keeps its subscriber",
    arguments: [false, true])
  func releases(_ isSecond: Bool) {
    let (first, source) = (Source(), Source())
    let leaked = Lifetimes.leaks { lifetimes in
      let probe = lifetimes.probe("what was to follow")
      let inner = source.append(9).eraseToAnyPublisher().append(
        Deferred { Just(probe.name.count).setFailureType(to: Problem.self) }
      ).eraseToAnyPublisher()
      let outer = isSecond ? first.append(inner).eraseToAnyPublisher() : inner.append(8).eraseToAnyPublisher()
      let recorder = outer.record()
      if isSecond { first.end() }
      recorder.cancel()
      recorder.forget()
    }

    #expect(source.cancellations == 1)
    #expect(leaked.isEmpty)
  }

  @Test("A nested concatenation cancelled while it subscribes does not go on to the next publisher")
  func cancelledWhileSubscribing() {
    let (recorder, next) = (Recorder<Int, Problem>(), Source())
    let hasty = Ending(.finished, handsOver: true) { [unowned recorder] in recorder.cancel() }

    hasty.append(next).eraseToAnyPublisher().append(9).subscribe(recorder)

    #expect(recorder.events == [.subscription])
    #expect(next.sessions.isEmpty)
  }

  @Test("A mirror of a catching subscription keeps nothing once that is cancelled")
  func mirrors() {
    let source = Source()
    let leaked = Lifetimes.leaks { lifetimes in
      let recorder = lifetimes.track(source.catch { _ in Just(0) }.record(demand: .max(3)), as: "downstream")
      let mirror = Mirror(reflecting: recorder.subscriptions[0])
      #expect(mirror.children.map { "\($0.label ?? "")" } == ["downstream", "demand"])
      #expect("\(mirror.descendant("demand") ?? 0)" == "max(3)")
      recorder.cancel()
      let late = Mirror(reflecting: recorder.subscriptions[0])
      #expect(late.children.isEmpty)
      recorder.forget()
    }

    #expect(leaked.isEmpty)
  }
}

/// What is appended: known beforehand, or not.
private enum Second: CaseIterable {
  case constant, sequence

  func appended(to first: Script<Int, Problem>) -> AnyPublisher<Int, Problem> {
    switch self {
    case .constant: first.append(Result<Int, Problem>.success(2).publisher).eraseToAnyPublisher()
    case .sequence: first.append([2]).eraseToAnyPublisher()
    }
  }
}

/// A recorder that notes when values come and when they are taken.
private final class Look {
  let journal = Journal()
  var onValue: (Int) -> Void = { _ in }

  var lines: [String] { journal.lines }

  func watch(_ publisher: AnyPublisher<Int, Problem>) {
    let recorder = Recorder<Int, Problem>()
    recorder.onValue = { [unowned self] _, value in
      journal.note("value \(value)")
      onValue(value)
      journal.note("taken \(value)")
    }
    recorder.onCompletion = { [journal] _, _ in journal.note("finished") }
    publisher.subscribe(recorder)
  }
}

/// Ends as soon as it is subscribed to, with a subscription before or without one, and does something then.
private struct Ending: Publisher {
  typealias Output = Int
  typealias Failure = Problem

  let completion: Subscribers.Completion<Problem>
  let handsOver: Bool
  let then: () -> Void

  init(
    _ completion: Subscribers.Completion<Problem>, handsOver: Bool = false, then: @escaping () -> Void = {}
  ) {
    (self.completion, self.handsOver, self.then) = (completion, handsOver, then)
  }

  func receive(subscriber: some Subscriber<Int, Problem>) {
    if handsOver { subscriber.receive(subscription: SubscriptionRecorder()) }
    subscriber.receive(completion: completion)
    then()
  }
}

/// A publisher that keeps its subscriber, and sends nothing.
private final class Keeper: Publisher {
  typealias Output = Int
  typealias Failure = Problem

  var subscriber: Any?
  var attach: ((any Subscription) -> Void)?

  func receive<Downstream: Subscriber<Int, Problem>>(subscriber: Downstream) {
    self.subscriber = subscriber
    attach = { subscriber.receive(subscription: $0) }
  }
}
