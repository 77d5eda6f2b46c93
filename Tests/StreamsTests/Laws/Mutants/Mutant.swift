import Streams
import StreamsTesting

/// A stage that passes values on and keeps every law, or makes one mistake on purpose.
///
/// It ends at 50 with that value and fails at 60. It is for one thread only.
struct Mutant<Upstream: Publisher<Int, TestFailure>>: Publisher {
  typealias Output = Int
  typealias Failure = TestFailure

  let upstream: Upstream
  let fault: Fault?
  let scheduler: VirtualScheduler
  private let common = MutantState()

  init(_ upstream: Upstream, _ fault: Fault?, _ scheduler: VirtualScheduler) {
    self.upstream = upstream
    self.fault = fault
    self.scheduler = scheduler
  }

  func receive<Downstream: Subscriber<Int, TestFailure>>(subscriber: Downstream) {
    let state = fault == .sharesItsState ? common : MutantState()
    upstream.subscribe(MutantStage(subscriber, fault, scheduler, state))
  }
}

final class MutantState {
  var demand = Subscribers.Demand.none
  var isOver = false
  var isCancelled = false
  var isDelivering = false
  var queue: [Int] = []
}

private final class MutantStage<Downstream: Subscriber<Int, TestFailure>>: Subscriber, Subscription {
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private let fault: Fault?
  private let scheduler: VirtualScheduler
  private let state: MutantState
  private var cycle: MutantStage?

  init(_ downstream: Downstream, _ fault: Fault?, _ scheduler: VirtualScheduler, _ state: MutantState) {
    self.downstream = downstream
    self.fault = fault
    self.scheduler = scheduler
    self.state = state
  }

  var combineIdentifier: CombineIdentifier {
    fault == .changesItsIdentifier ? CombineIdentifier() : CombineIdentifier(self)
  }

  // MARK: Subscriber

  func receive(subscription: any Subscription) {
    guard upstream == nil, !state.isOver || fault == .sharesItsState else {
      subscription.cancel()
      if fault == .handsDownIntruders { downstream?.receive(subscription: subscription) }
      return
    }
    upstream = subscription
    if fault == .keepsItself { cycle = self }
    if fault == .subscribesLater {
      scheduler.schedule { [self] in downstream?.receive(subscription: self) }
    } else {
      downstream?.receive(subscription: self)
    }
    switch fault {
    case .subscribesTwice: downstream?.receive(subscription: self)
    case .speaksUnasked: _ = downstream?.receive(0)
    case .asksForNothing: subscription.request(.none)
    case .drainsRecursively: subscription.request(.unlimited)
    default: break
    }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    let isEarly = upstream == nil && !state.isOver
    if isEarly, fault != .deliversEarlyValues { return .none }
    if state.isOver, fault != .deliversAfterCompletion, fault != .isDeafToCancellation { return .none }
    if fault == .drainsRecursively {
      state.queue.append(input)
      drain()
      return .none
    }
    if input == 60 { return end(.failure(.thrown)) }
    let isUnchecked = isEarly || fault == .deliversSurplus || fault == .asksForTooMuch || state.isOver
    guard state.demand > .none || isUnchecked else { return .none }
    if state.demand > .none { state.demand -= 1 }
    return input == 50 && !state.isOver ? end(.finished, with: input) : deliver(input)
  }

  private func deliver(_ input: Int) -> Subscribers.Demand {
    state.isDelivering = true
    let more = downstream?.receive(input) ?? .none
    state.isDelivering = false
    if fault == .ignoresAnswers { return .none }
    state.demand += more
    return state.isOver ? .none : more
  }

  private func drain() {
    while !state.queue.isEmpty, state.demand > .none {
      state.demand -= 1
      state.demand += deliver(state.queue.removeFirst())
    }
  }

  func receive(completion: Subscribers.Completion<TestFailure>) {
    if upstream == nil, !state.isOver, fault != .deliversEarlyCompletions { return }
    if state.isOver {
      let passes = fault == .deliversSecondCompletion || fault == .isDeafToCancellation
      if passes { downstream?.receive(completion: completion) }
      return
    }
    switch fault {
    case .neverCompletes: return
    case .holdsCompletionBack where state.demand == .none: return
    default: break
    }
    state.isOver = true
    downstream?.receive(completion: completion)
    if fault == .completesTwice { downstream?.receive(completion: completion) }
    letGo()
  }

  // MARK: Subscription

  func request(_ demand: Subscribers.Demand) {
    if demand == .none, fault != .toleratesZeroDemand { fatalError("asked for nothing") }
    if state.isOver {
      if fault == .requestsAfterCancelling || fault == .requestsAfterCompleting { upstream?.request(demand) }
      return
    }
    if fault == .losesNestedRequests, state.isDelivering { return }
    state.demand += demand
    switch fault {
    case .drainsRecursively: return drain()
    case .asksForTooMuch: upstream?.request(demand + 1)
    default: upstream?.request(demand)
    }
    if fault == .asksAgainAfterUnlimited, demand == .unlimited { upstream?.request(demand) }
  }

  func cancel() {
    state.isCancelled = true
    if state.isOver, fault != .isDeafToCancellation {
      if fault == .cancelsAfterCompletion { upstream?.cancel() }
      return
    }
    state.isOver = true
    if fault != .neverCancels { upstream?.cancel() }
    if fault == .cancelsTwice { upstream?.cancel() }
    if fault == .completesOnCancelling { downstream?.receive(completion: .finished) }
    letGo()
  }

  // MARK: Ending

  private func end(
    _ completion: Subscribers.Completion<TestFailure>, with last: Int? = nil
  ) -> Subscribers.Demand {
    state.isOver = true
    let isThrown = completion != .finished
    if let last { _ = downstream?.receive(last) }
    if fault == .completesBeforeCancelling { downstream?.receive(completion: completion) }
    if fault != .neverCancelsWhenThrowing || !isThrown { upstream?.cancel() }
    if fault != .completesBeforeCancelling, !state.isCancelled { downstream?.receive(completion: completion) }
    letGo()
    return .none
  }

  private func letGo() {
    cycle = nil
    switch fault {
    case .keepsDownstream, .deliversAfterCompletion, .deliversSecondCompletion, .isDeafToCancellation:
      upstream = fault == .isDeafToCancellation ? upstream : nil
    case .keepsUpstream, .requestsAfterCancelling, .requestsAfterCompleting, .cancelsAfterCompletion:
      downstream = nil
    default:
      upstream = nil
      downstream = nil
    }
  }
}
