public import CThreads
public import Synchronization

/// The demand of one subscriber of a list, and which thread may call it, in one word.
///
/// While the turn is *held*, only its holder calls the subscriber: from the beginning the thread that subscribes, until
/// `receive(subscription:)` has returned. Others leave what they have, and the holder handles it before it gives the turn back.
/// While it is free, in a list that keeps values the thread inside the gate takes it for a value, and a thread that requests for what
/// has been kept.
///
/// Unlimited demand, and nothing else in the word, is *open*: the thread inside the gate calls without taking the turn. It finds that
/// with the load of the demand that it makes anyway.
@usableFromInline
package struct DeliveryTurn: ~Copyable, Sendable {
  @usableFromInline let word: Atomic<Int>
  /// The thread that holds the turn, or zero. Exact for whoever asks about its own number, since only that thread writes it.
  @usableFromInline let holder: Atomic<UInt>

  @frozen @usableFromInline
  struct State {
    @usableFromInline var bits: Int

    @inlinable
    init(_ bits: Int) { self.bits = bits }

    @inlinable static var held: Int { 1 << 56 }
    @inlinable static var missing: Int { 1 << 57 }
    @inlinable static var mail: Int { 1 << 58 }
    @inlinable static var ending: Int { 1 << 59 }
    @inlinable static var gone: Int { 1 << 60 }
    @inlinable static var closed: Int { 1 << 61 }
    /// Unlimited demand.
    @inlinable static var all: Int { held - 1 }

    @inlinable
    subscript(flag: Int) -> Bool {
      get { bits & flag != 0 }
      set { bits = newValue ? bits | flag : bits & ~flag }
    }

    @inlinable var isHeld: Bool { self[Self.held] }
    /// Whether the newest value was not requested, and is sent with the next request; in lists that keep it.
    @inlinable var isMissing: Bool { self[Self.missing] }
    /// Whether values have been left.
    @inlinable var hasMail: Bool { self[Self.mail] }
    /// Whether the completion follows them.
    @inlinable var isEnding: Bool { self[Self.ending] }
    /// Whether the list has let go of the subscriber.
    @inlinable var isGone: Bool { self[Self.gone] }
    /// Whether it is cancelled or completed.
    @inlinable var isClosed: Bool { self[Self.closed] }
    /// Whether nobody can call it any more.
    @inlinable var isDead: Bool { bits & (Self.closed | Self.gone | Self.held) == Self.closed | Self.gone }

    @inlinable var demand: Int { bits & Self.all }

    @inlinable
    mutating func add(_ more: Subscribers.Demand) {
      let sum = min(demand &+ min(more.max ?? Self.all, Self.all), Self.all)
      bits = bits & ~Self.all | sum
    }

    /// Subtracts one, for a value.
    @inlinable
    mutating func spend() {
      if demand != Self.all { bits -= 1 }
    }
  }

  /// Held by the thread that subscribes, which claims it just before it sends the subscription: until then, what it sends itself
  /// must wait, too.
  @inlinable
  init(isMissing: Bool) {
    word = Atomic(State.held | (isMissing ? State.missing : 0))
    holder = Atomic(0)
  }

  /// Before others know it, in a list that keeps all.
  @usableFromInline
  borrowing func begin(hasMail: Bool, isOver: Bool) {
    var state = state
    state[State.mail] = hasMail
    if isOver { state[State.ending | State.gone] = true }
    word.store(state.bits, ordering: .relaxed)
  }

  @inlinable @inline(__always)
  package var isOpen: Bool { word.load(ordering: .acquiring) == State.all }

  @inlinable var state: State { State(word.load(ordering: .acquiring)) }

  /// Whether the calling thread holds the turn.
  @inlinable var isMine: Bool { holder.load(ordering: .relaxed) == cthreads_current() }

  @inlinable
  borrowing func claim() { holder.store(cthreads_current(), ordering: .relaxed) }

  /// For a holder that leaves the turn to another thread, or gives it back.
  @usableFromInline
  borrowing func disclaim() { holder.store(0, ordering: .relaxed) }

  /// Changes the state in one step. Returns what was there before, and what is now; `nil` if `body` returns false.
  ///
  /// What is loaded first may be stale. Then `body` may return false only if that makes no difference.
  @inlinable @inline(__always)
  borrowing func change(_ body: (inout State) -> Bool) -> (before: State, after: State)? {
    var seen = word.load(ordering: .relaxed)
    while true {
      var next = State(seen)
      guard body(&next) else { return nil }
      let step = word.weakCompareExchange(
        expected: seen, desired: next.bits, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed
      )
      if step.exchanged { return (State(seen), next) }
      seen = step.original
    }
  }

  /// Gives the turn back if the state is `state`. Returns the state that follows, or `nil`: then the caller still holds it.
  @usableFromInline
  borrowing func give(_ state: State) -> State? {
    var next = state
    next[State.held] = false
    if next.isGone, !next.hasMail { next[State.closed] = true }  // nothing more can arrive
    disclaim()
    let step = word.compareExchange(
      expected: state.bits, desired: next.bits, successOrdering: .acquiringAndReleasing,
      failureOrdering: .relaxed)
    if step.exchanged { return next }
    claim()
    return nil
  }

  package var outstanding: Subscribers.Demand {
    let state = state
    if state.isClosed { return .none }
    return state.demand == State.all ? .unlimited : .max(state.demand)
  }
}
