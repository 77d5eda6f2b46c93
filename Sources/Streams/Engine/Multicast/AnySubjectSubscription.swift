internal import CThreads
public import Synchronization

/// The part of a ``SubjectSubscription`` that needs no types: its turn, and its place in the list.
///
/// `request` and `cancel` are called through `any Subscription`, where code with type parameters looks each type up.
@usableFromInline
// Sendable: `turn` and `seen` are atomic, `list` constant, and `place` is touched inside the list's drain loop only.
package class AnySubjectSubscription: Subscription, @unchecked Sendable {
  @usableFromInline final let list: AnySubscriberList
  @usableFromInline final let turn: DeliveryTurn
  /// The number of the newest value that was sent to this; for lists that keep values. Relaxed: who may call this writes it.
  @usableFromInline final let seen = Atomic<UInt>(0)
  /// The place in the list; less than zero when it is not in there.
  @exclusivity(unchecked)  // inside the drain loop only
  @usableFromInline final var place = -1

  @inlinable
  init(_ list: AnySubscriberList) {
    self.list = list
    turn = DeliveryTurn(isMissing: list.keeps == .latest)
  }

  // MARK: Subscription

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    if list.zeroDemand == .traps { demand.requireSome(of: list.name) }
    let demand = list.takesRequestsAsUnlimited ? .unlimited : demand
    guard demand > .none else { return }
    let step = turn.change {
      guard !$0.isClosed else { return false }
      $0.add(demand)
      if $0.isMissing || $0.hasMail { $0[DeliveryTurn.State.held] = true }
      return true
    }
    guard let (before, after) = step else { return }
    if !before.isHeld, after.isHeld {
      turn.claim()
      giveTurn()
    } else if after.isMissing, turn.isMine {
      _ = list.deliverKept(self, true)
    }
    // Where something is still owed, a request before this one has told it.
    if before.demand == 0 { list.subscriberDidRequest() }
  }

  @usableFromInline
  package final func cancel() {
    guard close() else { return }
    list.subscriberDidLeave(self)
  }

  @usableFromInline
  package final var _gate: AnyObject? { list.drainLoop }

  // MARK: The turn

  /// Changes the state by something that can be the last: releases the downstream if nobody can call it any more.
  @usableFromInline
  final func change(_ body: (inout DeliveryTurn.State) -> Bool) -> (
    before: DeliveryTurn.State, after: DeliveryTurn.State
  )? {
    let step = turn.change(body)
    if let step, step.after.isDead, !step.before.isDead { release(hasMail: step.after.hasMail) }
    return step
  }

  /// True for the first caller only.
  final func close() -> Bool {
    let step = change {
      guard !$0.isClosed else { return false }
      $0[DeliveryTurn.State.closed] = true
      return true
    }
    return step != nil
  }

  /// The list lets go of this: no delivery from inside its gate can be on its way to it.
  @usableFromInline
  final func releaseDownstream() {
    _ = change {
      $0[DeliveryTurn.State.gone] = true
      return true
    }
  }

  @frozen @usableFromInline
  enum Admission {
    case closed
    /// Where the newest value is kept: whether the one before was requested.
    case unrequested(isFirst: Bool)
    case later
    case nested
    case first
  }

  /// Asks for a value, from inside the gate. Demand is subtracted if it is to be delivered: then the caller holds the turn.
  @usableFromInline
  final func admit() -> Admission {
    var admission = Admission.closed
    _ = turn.change {
      if $0.isClosed {
        admission = .closed
        return false
      }
      if list.keeps == .all ? isLater($0) : $0.demand > 0 && isLater($0) {
        admission = .later
        return false
      }
      if $0.demand == 0 {
        let isFirst = list.keeps == .latest && !$0.isMissing
        admission = .unrequested(isFirst: isFirst)
        if isFirst { $0[DeliveryTurn.State.missing] = true }
        return isFirst
      }
      let takesTurn = !$0.isHeld && list.keeps != .nothing
      admission = takesTurn ? .first : .nested
      $0.spend()
      if takesTurn { $0[DeliveryTurn.State.held] = true }
      return true
    }
    return admission
  }

  /// Whether a value or the completion must wait: for the holder, for what was left before, or, in a list that keeps all, for demand.
  final func isLater(_ state: DeliveryTurn.State) -> Bool {
    if state.hasMail { return true }
    if list.keeps == .all { return state.isHeld || state.demand == 0 }
    return state.isHeld && !turn.isMine
  }

  /// Notes that a value was not requested. False if one before was not, either.
  @usableFromInline
  final func miss() -> Bool {
    let step = turn.change {
      guard !$0.isMissing else { return false }
      $0[DeliveryTurn.State.missing] = true
      return true
    }
    return step != nil
  }

  /// Completes, from inside the gate: now, or after what is left.
  final func finish() {
    var isMine = false
    let step = turn.change {
      guard !$0.isClosed else { return false }
      isMine = !($0.hasMail || $0.isHeld && (list.keeps == .all || !turn.isMine))
      $0[isMine ? DeliveryTurn.State.held : DeliveryTurn.State.ending] = true
      return true
    }
    guard let step, isMine else { return }
    if step.before.isHeld { return complete() }
    turn.claim()
    complete()
    giveTurn()
  }

  /// Handles what others have left, and gives the turn back. After a burst, a thread of the library goes on.
  @usableFromInline
  final func giveTurn() { giveTurn(Burst()) }

  private final func giveTurn(_ burst: Burst) {
    var burst = burst
    while true {
      let state = turn.state
      if state.hasMail, state.isClosed || state.demand > 0 || list.keeps != .all {
        if burst.isOver {
          turn.disclaim()
          return DrainThreads.runOrCall { [self] in
            turn.claim()
            giveTurn(Burst(isEndless: true))
          }
        }
        if list.deliverKept(self, false) { burst.count() }
      } else if state.isMissing, state.demand > 0, !state.isClosed {
        _ = list.deliverKept(self, true)
      } else if state.isEnding, !state.hasMail, !state.isClosed {
        complete()
      } else if let next = turn.give(state) {
        if next.isDead { release(hasMail: next.hasMail) }
        return
      }
    }
  }

  /// Whether another thread holds the turn.
  @usableFromInline
  final var isWithAnother: Bool { turn.state.isHeld && !turn.isMine }

  // MARK: For the holder of the turn

  /// Requests again what was subtracted for a value that is not delivered, or what a value was answered with.
  @usableFromInline
  final func addBack(_ more: Subscribers.Demand) {
    _ = turn.change {
      $0.add(more)
      return true
    }
  }

  /// Subtracts demand for the newest value, if that was missed. False if it is not to be delivered.
  @usableFromInline
  final func admitMissed() -> Bool {
    let step = turn.change {
      guard !$0.isClosed, $0.isMissing, $0.demand > 0 else { return false }
      $0[DeliveryTurn.State.missing] = false
      $0.spend()
      return true
    }
    return step != nil
  }

  /// Subtracts demand for a value that was left. False if there is none.
  @usableFromInline
  final func admitLeft() -> Bool {
    let step = turn.change {
      guard !$0.isClosed, $0.demand > 0 else { return false }
      $0.spend()
      return true
    }
    return step != nil
  }

  /// Notes that nothing is left. Under the list's lock.
  @usableFromInline
  final func noteEmpty() {
    _ = turn.change {
      $0[DeliveryTurn.State.mail] = false
      return true
    }
  }

  func complete() {}

  /// Releases the downstream. Called once nobody can call it any more.
  @usableFromInline
  func release(hasMail _: Bool) {}

  /// For mirrors; `nil` if it is over. Inside the drain loop only.
  var downstream: Any? { nil }
}

extension AnySubjectSubscription: ReflectedByName {
  @usableFromInline package final var description: String { list.name }

  @usableFromInline package final var reflectedChildren: [Mirror.Child] {
    let isOver = turn.state.isClosed
    let downstream = isOver ? nil : list.downstream(of: self)
    let parent = isOver ? nil : list
    return [
      ("parent", parent as Any), ("downstream", downstream as Any), ("demand", turn.outstanding),
      ("subject", parent as Any),
    ]
  }
}
