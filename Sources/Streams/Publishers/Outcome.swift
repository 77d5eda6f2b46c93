internal import Synchronization

/// The result of a future, and those who wait for it.
@usableFromInline
package final class Outcome<Output, Failure: Error>: Sendable {
  private struct State {
    var result: Result<Output, Failure>?
    var waiting: [Waiter<Output, Failure>?] = []
    var gaps = 0
    var isAbandoned = false
  }

  private let state = Guarded(State())

  @usableFromInline package init() {}

  /// Takes the first result and gives it to those who wait; ignores all others.
  @usableFromInline
  package func resolve(_ result: Result<Output, Failure>) {
    let waiting = state.withLock { state -> [Waiter<Output, Failure>?] in
      guard state.result == nil else { return [] }
      state.result = result
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter?.resolve(result) }
  }

  /// There will be no result any more: those who wait are let go of.
  func abandon() {
    let waiting = state.withLock { state in
      state.isAbandoned = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter?.cancel() }
  }

  @usableFromInline
  package func await(_ waiter: Waiter<Output, Failure>) {
    let (result, isAbandoned) = state.withLock { state -> (Result<Output, Failure>?, Bool) in
      if state.result == nil, !state.isAbandoned, !waiter.isOver {
        waiter.place = state.waiting.count
        state.waiting.append(waiter)
      }
      return (state.result, state.isAbandoned)
    }
    if let result { waiter.resolve(result) } else if isAbandoned { waiter.cancel() }
  }

  func forget(_ waiter: Waiter<Output, Failure>) {
    state.withLock { state in
      guard let place = waiter.place, place < state.waiting.count, state.waiting[place] === waiter else {
        return
      }
      state.waiting[place] = nil
      state.gaps += 1
      guard state.gaps * 2 > state.waiting.count else { return }
      state.gaps = 0
      state.waiting.removeAll { $0 == nil }
      for (place, waiter) in state.waiting.enumerated() { waiter?.place = place }
    }
  }
}

/// One subscriber of a future.
@usableFromInline
// Sendable: `phase` is atomic, `place` is under the outcome's lock, and the rest belongs to whoever ends the phase.
package final class Waiter<Output, Failure: Error>: Subscription, @unchecked Sendable {
  private let outcome: Outcome<Output, Failure>
  private let phase = Atomic<UInt8>(0)
  @exclusivity(unchecked)  // written before `resolved` is set, read after
  private var result: Result<Output, Failure>?
  @exclusivity(unchecked)  // cleared by whoever set `over`
  private var seat: Seat<Output, Failure>?
  fileprivate(set) var place: Int?

  private static var asked: UInt8 { 1 }
  private static var resolved: UInt8 { 2 }
  private static var over: UInt8 { 4 }
  private static var cancelled: UInt8 { 8 }

  @inlinable @inline(__always)
  package convenience init<Downstream: Subscriber<Output, Failure>>(
    for outcome: Outcome<Output, Failure>, to downstream: Downstream
  ) {
    self.init(outcome, Seat(downstream))
  }

  @usableFromInline
  init(_ outcome: Outcome<Output, Failure>, _ seat: consuming Seat<Output, Failure>) {
    self.outcome = outcome
    self.seat = consume seat
  }

  var isOver: Bool { phase.load(ordering: .acquiring) & Self.over != 0 }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    demand.requireSome(of: "Future")
    if set(Self.asked) & ~Self.asked == Self.resolved { deliver() }
  }

  @usableFromInline
  package func cancel() {
    guard set(Self.over | Self.cancelled) & Self.over == 0 else { return }
    seat = nil
    outcome.forget(self)
  }

  func resolve(_ result: Result<Output, Failure>) {
    self.result = result
    let before = set(Self.resolved)
    if before & Self.over != 0 { return self.result = nil }
    switch result {
    case .success: if before == Self.asked { deliver() }
    case .failure: deliver()
    }
  }

  private func deliver() {
    guard set(Self.over) & Self.over == 0, let result else { return }
    switch result {
    case .success(let value):
      _ = seat!.deliver(value)
      if phase.load(ordering: .acquiring) & Self.cancelled == 0 { seat!.complete(.finished) }  // law C13
    case .failure(let error):
      seat!.complete(.failure(error))
    }
    seat = nil
    self.result = nil
  }

  /// Sets bits, and answers what was set before.
  private func set(_ bits: UInt8) -> UInt8 {
    phase.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
  }
}

extension Waiter: CustomStringConvertible {
  @usableFromInline package var description: String { "Future" }
}
