internal import Synchronization

/// One subscriber of a future.
@usableFromInline
// Sendable: `phase` is atomic, `place` is under the future's lock, and the rest belongs to the thread that ends the phase.
package final class FutureSubscription: Subscription, @unchecked Sendable {
  private let state: AnyFutureState
  private let phase = Atomic<UInt8>(0)
  /// Delivers the result, or returns the downstream if it is called with `nil`. It holds both, and is formed where their
  /// types are known.
  @exclusivity(unchecked)  // taken by the thread that set `over`
  private var fire: ((FutureSubscription?) -> Any?)?
  /// The place among those that wait; less than zero before it has one.
  var place = -1

  private static var asked: UInt8 { 1 }
  private static var resolved: UInt8 { 2 }
  private static var over: UInt8 { 4 }
  private static var cancelled: UInt8 { 8 }

  @inlinable @inline(__always)
  package convenience init<Output, Failure: Error, Downstream: Subscriber<Output, Failure>>(
    for outcome: FutureState<Output, Failure>, to downstream: Downstream
  ) {
    let load = Load(outcome: outcome, downstream: downstream)
    self.init(outcome) { waiter in
      guard let waiter else { return load.downstream }
      load.send(for: waiter)
      return nil
    }
  }

  @usableFromInline
  init(_ state: AnyFutureState, _ fire: @escaping (FutureSubscription?) -> Any?) {
    self.state = state
    self.fire = fire
  }

  var isOver: Bool { phase.load(ordering: .relaxed) & Self.over != 0 }

  @usableFromInline
  var isCancelled: Bool { phase.load(ordering: .relaxed) & Self.cancelled != 0 }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    demand.requireSome(of: "Future")
    if set(Self.asked) & ~Self.asked == Self.resolved { deliver() }
  }

  @usableFromInline
  package func cancel() {
    guard set(Self.over | Self.cancelled) & Self.over == 0 else { return }
    fire = nil
    state.forget(self)
  }

  /// Delivers the result: a value once it is requested, a failure at once.
  func resolve(isFailure: Bool) {
    let before = set(Self.resolved)
    if before & Self.over == 0, isFailure || before == Self.asked { deliver() }
  }

  private func deliver() {
    guard set(Self.over) & Self.over == 0 else { return }
    var fire: ((FutureSubscription?) -> Any?)?
    swap(&fire, &self.fire)
    _ = fire?(self)
  }

  /// Sets bits, and returns what was set before.
  private func set(_ bits: UInt8) -> UInt8 {
    phase.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
  }
}

extension FutureSubscription {
  /// The result to come, and the downstream.
  @frozen @usableFromInline
  struct Load<Output, Failure, Downstream: Subscriber<Output, Failure>> {
    @usableFromInline let outcome: FutureState<Output, Failure>
    @usableFromInline let downstream: Downstream

    @inlinable
    init(outcome: FutureState<Output, Failure>, downstream: Downstream) {
      self.outcome = outcome
      self.downstream = downstream
    }

    @inlinable
    func send(for waiter: FutureSubscription) {
      switch outcome.result?() {
      case .success(let value)?:
        _ = downstream.receive(value)
        if !waiter.isCancelled { downstream.receive(completion: .finished) }  // law C13
      case .failure(let error)?:
        downstream.receive(completion: .failure(error))
      case nil: break
      }
    }
  }
}

extension FutureSubscription: ReflectedByName {
  @usableFromInline package var description: String { "Future" }

  @usableFromInline package var reflectedChildren: [Mirror.Child] {
    let phase = phase.load(ordering: .relaxed)
    let isOver = phase & Self.over != 0
    let parent: Any = isOver ? "nil" : state
    return [
      ("parent", parent), ("downstream", (isOver ? nil : fire?(nil)) ?? "nil"),
      ("hasAnyDemand", !isOver && phase & Self.asked != 0), ("subject", parent),
    ]
  }
}
