import Interleavings
import Streams

/// The subscriber of a scenario: it holds every law that can be seen from downstream.
final class Probe: Subscriber {
  typealias Input = Item
  typealias Failure = Fault

  private let explorer = Explorer.shared
  private let object = Explorer.shared.newObject()
  private let token = Token()
  /// What deliveries access: each must happen before the next.
  private let state = Sample("a subscriber's state")
  private let initial: Subscribers.Demand

  private(set) var subscription: (any Subscription)?
  private(set) var numbers: [Int] = []
  private(set) var completions = 0
  private(set) var asked = Subscribers.Demand.none
  /// The requests, and what happens before each of them.
  private var requests: [(demand: Subscribers.Demand, past: VectorClock)] = []
  /// What values were answered with.
  private var answered = Subscribers.Demand.none
  /// What each value is answered with.
  var answer = Subscribers.Demand.none
  /// Called with each value and completion.
  var onDelivery: (() -> Void)?
  /// Called with each value.
  var onNumber: ((Int) -> Void)?
  /// What is done inside the first value.
  var onFirst: (() -> Void)?

  /// Whether it has subscribed while others are at work.
  private(set) var isLate = false
  /// Whether law X19 holds for what it does. It does not where subscribing connects to something that sends at once.
  var isGuest = true
  /// Who delivered the first value.
  private var first: Int?
  /// Who sends the subscription, while that is under way.
  private var sender: Int?

  private var deliverer: Int?
  private var depth = 0
  private var cancellers: Set<Int> = []
  /// How many values each fiber has delivered after a cancellation had returned.
  private var late: [Int: Int] = [:]
  private(set) var isCancelled = false
  /// How many accesses had taken an old value when it returned.
  private var staleBefore = 0
  /// What happens before somebody who has waited for the subscription goes on.
  private var arrival = VectorClock()

  /// How many values of others each fiber has delivered since its call began.
  private var forOthers: [Int: Int] = [:]
  /// Law X14: a call delivers this many values of others at most. Here, a burst is one event in each of two drain loops.
  static let mostForOthers = 3

  init(asking initial: Subscribers.Demand) { self.initial = initial }

  /// The running fiber is about to send.
  func willCall() {
    if depth == 0 || deliverer != explorer.runner { forOthers[explorer.runner] = 0 }
  }

  // MARK: Downstream's side

  func receive(subscription: any Subscription) {
    explorer.checkNoLockIsHeld("the subscription's arrival")
    state.write()
    if self.subscription != nil { explorer.fail("C01: a second subscription") }
    if !numbers.isEmpty || completions > 0 { explorer.fail("C01: the subscription comes late") }
    self.subscription = subscription
    isLate = explorer.runner >= 0
    sender = explorer.runner
    defer { sender = nil }
    arrival = explorer.publish()
    explorer.point(object)
    if initial > .none { request(initial) }
    explorer.point(object)
    state.write()
  }

  func receive(_ item: Item) -> Subscribers.Demand {
    begin("value \(item.number)")
    item.read()
    defer { end() }
    if numbers.isEmpty { first = explorer.runner }
    numbers.append(item.number)
    checkBurst(item.number)
    onNumber?(item.number)
    if let most = asked.max, numbers.count > most {
      explorer.fail("X04: \(numbers.count) values, asked for \(most)")
    }
    checkRequests()
    explorer.point(object)
    if let onFirst {
      self.onFirst = nil
      onFirst()
    }
    asked += answer
    answered += answer
    return answer
  }

  private func checkBurst(_ number: Int) {
    let runner = explorer.runner
    guard let count = forOthers[runner], runner >= 0, number >= 100, number / 100 != runner + 2 else {
      return
    }
    forOthers[runner] = count + 1
    if count == Self.mostForOthers {
      explorer.fail("X14: one call delivers \(count + 1) values of others")
    }
  }

  /// What is done before a request happens before the values that it is for are delivered.
  private func checkRequests() {
    let known = requests.reduce(answered) { explorer.knows($1.past) ? $0 + $1.demand : $0 }
    if let most = known.max, numbers.count > most {
      explorer.fail("X13: value \(numbers.count) is delivered, and the request for it does not happen before")
    }
  }

  func receive(completion: Subscribers.Completion<Fault>) {
    begin("\(completion)")
    defer { end() }
    completions += 1
    explorer.point(object)
  }

  private func begin(_ what: @autoclosure () -> String) {
    let runner = explorer.runner
    explorer.note { "receives \(what())" }
    explorer.checkNoLockIsHeld("a delivery")
    if subscription == nil { explorer.fail("C01: something before the subscription") }
    if let sender, sender != runner {
      explorer.fail("X19: something before receive(subscription:) has returned")
    }
    if let guest = Self.guests[runner], guest !== self {
      explorer.fail(
        "X19: a thread that only subscribes, requests or cancels runs the code of another subscriber")
    }
    if completions > 0 { explorer.fail("X02: something after the completion") }
    if let deliverer, deliverer != runner { explorer.fail("X01: two deliveries at the same time") }
    if cancellers.contains(runner) { explorer.fail("X03: something after cancel returned, on its thread") }
    if isCancelled, depth == 0 {
      late[runner, default: 0] += 1
      // Who loads an old value does not know of the cancellation yet.
      if late[runner, default: 0] > 1 + explorer.staleCount - staleBefore {
        explorer.fail("X03: more than what was under way after cancel returned")
      }
    }
    state.write()
    onDelivery?()
    deliverer = runner
    depth += 1
    explorer.touch(object)
  }

  private func end() {
    depth -= 1
    if depth == 0 { deliverer = nil }
    explorer.touch(object)
  }

  // MARK: What scenarios do

  func request(_ demand: Subscribers.Demand) {
    asked += demand
    requests.append((demand, explorer.publish()))
    explorer.touch(object)
    asGuest { subscription?.request(demand) }
  }

  func cancel() { willCancel { subscription?.cancel() } }

  /// Does what cancels.
  func willCancel(_ body: () -> Void) {
    guard subscription != nil else { return }
    asGuest(body)
    if !isCancelled { staleBefore = explorer.staleCount }
    isCancelled = true
    cancellers.insert(explorer.runner)
    explorer.touch(object)
  }

  // MARK: What a call does for others

  /// For whom each fiber subscribes, requests or cancels at the moment, and sends nothing.
  nonisolated(unsafe) private static var guests: [Int: Probe] = [:]

  /// Law X19: what `body` does is no matter of other subscribers'.
  func asGuest(_ body: () -> Void) { Self.setGuest(isGuest ? self : nil, during: body) }

  /// What `body` sends is for everybody.
  static func asSender(_ body: () -> Void) { setGuest(nil, during: body) }

  static func forgetGuests() { guests = [:] }

  private static func setGuest(_ guest: Probe?, during body: () -> Void) {
    let runner = Explorer.shared.runner
    if runner < 0 { return body() }
    let before = guests[runner]
    guests[runner] = guest
    body()
    guests[runner] = before
  }

  // MARK: What has come when a call returns

  /// Law X17: who has requested has the current value, from this thread.
  func checkCurrent() {
    if isCancelled || completions > 0 { return }
    if numbers.isEmpty { return explorer.fail("X17: there is no value when the call returns") }
    if first != explorer.runner { explorer.fail("X17: the current value came from another thread") }
  }

  /// Law X20: a value that was sent before is not newer than what has come.
  func checkFirst(isOneOf newest: [Int]) {
    if let first = numbers.first, !newest.contains(first) {
      explorer.fail("X20: \(first) came first, and \(newest) was sent before")
    }
  }

  /// Law X20: a completion that was sent before has come.
  func checkCompletion() {
    if completions == 0, !isCancelled { explorer.fail("X20: there is no completion when subscribe returns") }
  }

  /// Law X18, at the end: who had subscribed has what was sent since.
  func checkHas(_ number: Int) {
    if !isCancelled, !numbers.contains(number) {
      explorer.fail("X18: \(number), sent later, is not in \(numbers)")
    }
  }

  /// Waits for the subscription.
  func wait() {
    explorer.wait(for: object) { [unowned self] in subscription != nil }
    explorer.join(arrival)
  }

  /// Takes the subscription away, so that it can be held by somebody else.
  func takeSubscription() -> (any Subscription)? { subscription.take() }
}
