import Interleavings
import Streams
import StreamsExtras

/// An upstream that keeps the contract, and watches that who is downstream of it does.
///
/// By itself it is for one producer at a time. Over a subject, it is for several.
final class Source: Publisher {
  typealias Output = Item
  typealias Failure = Fault

  private let explorer = Explorer.shared
  let subject: PassthroughSubject<Item, Fault>?
  private(set) var lines: [Line] = []
  private var ending: Subscribers.Completion<Fault>?
  /// The numbers that downstream has taken.
  private(set) var accepted: [Int] = []

  /// Whether subscriptions arrive with ``open()`` only.
  private let isLate: Bool

  /// Whether it answers its first request with a value, inside that request.
  fileprivate let answersAtOnce: Bool

  init(forSeveral: Bool, isLate: Bool = false, answersAtOnce: Bool = false) {
    subject = forSeveral ? PassthroughSubject() : nil
    self.isLate = isLate
    self.answersAtOnce = answersAtOnce
  }

  func receive<Downstream: Subscriber<Item, Fault>>(subscriber: Downstream) {
    explorer.checkNoLockIsHeld("subscribing upstream")
    let line = Line(self, subscriber)
    lines.append(line)
    if let subject { return subject.subscribe(line) }
    if isLate { return }
    line.open()
    if let ending { line.receive(completion: ending) }
  }

  /// Lets the subscriptions arrive that have been waiting.
  func open() {
    explorer.checkNoLockIsHeld("the arrival of an upstream")
    for line in lines where !line.hasBegun { line.open() }
  }

  func send(_ item: Item) {
    if let subject { return subject.send(item) }
    for line in lines where line.hasBegun { line.offer(item) }
  }

  func send(completion: Subscribers.Completion<Fault>) {
    if let subject { return subject.send(completion: completion) }
    ending = ending ?? completion
    for line in lines where line.hasBegun { line.receive(completion: completion) }
  }

  fileprivate func accept(_ item: Item) { accepted.append(item.number) }
}

/// One subscription of a ``Source``.
final class Line: Subscriber, Subscription {
  typealias Input = Item
  typealias Failure = Fault

  private let explorer = Explorer.shared
  private let object = Explorer.shared.newObject()
  private let token = Token()
  private unowned let source: Source
  private var begin: ((any Subscription) -> Void)?
  private var take: ((Item) -> Subscribers.Demand)?
  private var finish: ((Subscribers.Completion<Fault>) -> Void)?
  private var upstream: (any Subscription)?
  private var left = Subscribers.Demand.none
  /// All that was ever asked for.
  private(set) var asked = Subscribers.Demand.none
  private var cancellations = 0

  init<Downstream: Subscriber<Item, Fault>>(_ source: Source, _ downstream: Downstream) {
    self.source = source
    begin = { downstream.receive(subscription: $0) }
    take = { downstream.receive($0) }
    finish = { downstream.receive(completion: $0) }
  }

  var isLive: Bool { take != nil }
  /// Whether downstream has had its subscription: nothing may come before or meanwhile.
  private(set) var hasBegun = false
  /// The arrival of the subscription happens before all that is sent.
  private var arrival = VectorClock()
  /// So do the requests, and all that happens before them.
  private var requests = VectorClock()

  // MARK: Towards downstream

  func receive(subscription: any Subscription) {
    upstream = subscription
    begin.take()?(self)
  }

  /// Begins without anything further upstream.
  func open() {
    begin.take()?(self)
    hasBegun = true
    arrival = explorer.publish()
  }

  /// For a source by itself: only what was asked for.
  func offer(_ item: Item) {
    explorer.point(object)
    explorer.join(arrival)
    guard left > .none, isLive else { return }
    explorer.join(requests)
    left -= 1
    let more = receive(item)
    left += more
    asked += more
  }

  func receive(_ item: Item) -> Subscribers.Demand {
    guard let take else { return .none }
    source.accept(item)
    return take(item)
  }

  func receive(completion: Subscribers.Completion<Fault>) {
    explorer.point(object)
    explorer.join(arrival)
    guard let finish = finish.take() else { return }
    letGo()
    finish(completion)
  }

  // MARK: From downstream

  func request(_ demand: Subscribers.Demand) {
    explorer.checkNoLockIsHeld("a request to upstream")
    if demand == .none { explorer.fail("C22: upstream is asked for nothing") }
    explorer.point(object)
    requests.join(explorer.publish())
    let isFirst = asked == .none
    left += demand
    asked += demand
    if isFirst, source.answersAtOnce { offer(Item(9_000 + source.lines.count)) }
    upstream?.request(demand)
  }

  func cancel() {
    explorer.checkNoLockIsHeld("a cancellation of upstream")
    explorer.point(object)
    cancellations += 1
    if cancellations > 1 { explorer.fail("X08: upstream is cancelled twice") }
    let upstream = upstream
    letGo()
    upstream?.cancel()
  }

  private func letGo() {
    begin = nil
    take = nil
    finish = nil
    upstream = nil
  }
}
