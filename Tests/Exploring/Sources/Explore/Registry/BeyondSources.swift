import Interleavings
import Streams
import StreamsExtras

extension Explored {
  /// What goes beyond Combine and is spoken to from outside, or keeps time.
  static var beyondSources: [Explored] {
    [
      Explored(
        "create", .all, [.isForMany, .countsDemand],
        building: { hose($0) { MorePublishers.Create(factory: $0) } }
      ),
      Explored(
        "create that keeps one", .some, .isForMany,
        building: { hose($0) { MorePublishers.Create(bufferSize: 1, whenFull: .dropOldest, factory: $0) } }),
      Explored(
        "create that fails when full", .some, .isForMany,
        building: {
          hose($0) { MorePublishers.Create(bufferSize: 1, whenFull: .customError { Fault() }, factory: $0) }
        }
      ),
      Explored(
        "PassthroughRelay", .all, .isForMany, building: { owned($0, PassthroughRelay()) { $0.accept($1) } }),
      Explored(
        "CurrentValueRelay", .some, [.isForMany, .hasCurrent],
        building: { owned($0, CurrentValueRelay(Item(0))) { $0.accept($1) } }),
      Explored(
        "ReplayRelay", .all, [.isForMany, .countsDemand],
        building: { owned($0, ReplayRelay(bufferSize: 10)) { $0.accept($1) } }),
      Explored(
        "MutableProperty", .some, [.isForMany, .hasCurrent],
        building: { owned($0, MutableProperty(Item(0)), \.publisher) { $0.value = $1 } }),
      Explored(
        "MutableProperty, changed in one step", .some, [.isForMany, .hasCurrent],
        building: {
          owned($0, MutableProperty(Item(0)), \.publisher) { property, item in property.modify { $0 = item } }
        }),
      Explored(
        "a timer that rings once", inputs: 0, .others, .isSource, workers: 1,
        building: { stand in
          stand.scheduler().timerPublisher(after: 1).map { _ in Item(1) }.setFailureType(to: Fault.self)
        }),
      Explored(
        "a timer, twice", inputs: 0, .others, .isSource, workers: 1,
        building: { stand in
          stand.scheduler().timerPublisher(every: 1).autoconnect().map { _ in Item(1) }.prefix(2)
            .setFailureType(to: Fault.self)
        }),
    ]
  }

  /// What finishes when it goes: its end is that its owner lets go of it.
  private static func owned<Owner: AnyObject>(
    _ stand: Stand, _ owner: Owner, _ stream: @escaping (Owner) -> AnyPublisher<Item, Never>,
    accept: @escaping (Owner, Item) -> Void
  ) -> AnyPublisher<Item, Fault> {
    var owner: Owner? = owner
    stand.add(Input(send: { item in owner.map { accept($0, item) } }, complete: { _ in owner = nil }))
    return Deferred { owner.map(stream) ?? Empty().eraseToAnyPublisher() }
      .setFailureType(to: Fault.self).eraseToAnyPublisher()
  }

  private static func owned<R: Relay<Item> & AnyObject>(
    _ stand: Stand, _ relay: R, accept: @escaping (R, Item) -> Void
  ) -> AnyPublisher<Item, Fault> {
    owned(stand, relay, { (relay: R) in relay.eraseToAnyPublisher() }, accept: accept)
  }

  /// Everybody who has subscribed is sent everything. What is sent to nobody was not sent.
  private static func hose(
    _ stand: Stand,
    _ make: (@escaping MorePublishers.Create<Item, Fault>.SubscriberHandler) ->
      MorePublishers.Create<Item, Fault>
  ) -> MorePublishers.Create<Item, Fault> {
    let hose = Hose()
    stand.add(Input(send: { hose.send($0) }, complete: { hose.send(completion: $0) }))
    return make { hose.add($0) }
  }
}

/// What sends to the subscribers of ``MorePublishers/Create``, and looks that each is cleaned up once.
private final class Hose {
  private var subscribers: [MorePublishers.Create<Item, Fault>.Subscriber] = []

  /// That they come happens before what is sent to them.
  private var arrivals = VectorClock()

  func add(_ subscriber: MorePublishers.Create<Item, Fault>.Subscriber) -> any Cancellable {
    subscribers.append(subscriber)
    Explorer.shared.join(arrivals)
    arrivals = Explorer.shared.publish()
    return Cleaning()
  }

  func send(_ item: Item) {
    Explorer.shared.join(arrivals)
    for subscriber in subscribers { subscriber.send(item) }
  }

  func send(completion: Subscribers.Completion<Fault>) {
    Explorer.shared.join(arrivals)
    for subscriber in subscribers { subscriber.send(completion: completion) }
  }
}

/// Fails if it is done twice.
final class Cleaning: Cancellable {
  private var count = 0

  func cancel() {
    count += 1
    Explorer.shared.checkNoLockIsHeld("cleaning up")
    if count > 1 { Explorer.shared.fail("X08: cleaned up twice") }
  }
}
