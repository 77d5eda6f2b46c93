public import Synchronization

/// The subscription of a source that has one value: it is sent at the first request, then the stream finishes.
@usableFromInline
package final class Once<Downstream: Subscriber>: Subscription {
  @frozen @usableFromInline
  enum Phase: UInt8, AtomicRepresentable { case waiting, delivering, over }

  @usableFromInline let name: String
  @usableFromInline let phase = Atomic(Phase.waiting)
  @exclusivity(unchecked)  // taken by the one who ends the waiting
  @usableFromInline var load: (value: Downstream.Input, downstream: Downstream)?
  /// Formed where the downstream's type is known: calls through `any Subscription` are not specialised.
  @usableFromInline let fire: (Once) -> Void

  @inlinable @inline(__always)
  package init(_ name: String, _ value: Downstream.Input, to downstream: Downstream) {
    self.name = name
    load = (value, downstream)
    fire = { once in
      guard let (value, downstream) = once.load.take() else { return }
      _ = downstream.receive(value)
      if once.turn(from: .delivering, to: .over) { downstream.receive(completion: .finished) }  // law C13
    }
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    demand.requireSome(of: name)
    if turn(from: .waiting, to: .delivering) { fire(self) }
  }

  @usableFromInline
  package func cancel() {
    if phase.exchange(.over, ordering: .acquiringAndReleasing) == .waiting { load = nil }
  }

  @inlinable
  func turn(from old: Phase, to new: Phase) -> Bool {
    phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}

extension Once: CustomStringConvertible {
  @usableFromInline package var description: String { name }
}
