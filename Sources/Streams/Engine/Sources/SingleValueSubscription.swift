public import Synchronization

/// The subscription of a source that has one value: it is sent at the first request, then the stream finishes.
///
/// Without type parameters: releasing it looks none up.
@usableFromInline
package final class SingleValueSubscription: Subscription {
  @usableFromInline let name: String
  @usableFromInline let phase = Atomic(SingleValueSubscription.waiting)
  /// Sends the value, or returns it if it is called with `nil`. It holds the value and the downstream, and is formed where their
  /// types are known.
  @exclusivity(unchecked)  // taken by the thread that sets another phase than ``waiting``
  @usableFromInline var fire: ((SingleValueSubscription?) -> Any?)?

  @inlinable static var waiting: UInt8 { 0 }
  @inlinable static var delivering: UInt8 { 1 }
  @inlinable static var over: UInt8 { 2 }

  @inlinable @inline(__always)
  package init<Value, Downstream: Subscriber>(_ name: String, _ value: Value, to downstream: Downstream)
  where Downstream.Input == Value {
    self.name = name
    let load = Load(value: value, downstream: downstream)  // one capture: with two the compiler crashes
    fire = { once in
      guard let once else { return load.value }
      load.send(for: once)
      return nil
    }
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    demand.requireSome(of: name)
    guard turn(from: Self.waiting, to: Self.delivering) else { return }
    var fire: ((SingleValueSubscription?) -> Any?)?
    swap(&fire, &self.fire)
    _ = fire?(self)
  }

  @usableFromInline
  package func cancel() {
    if phase.exchange(Self.over, ordering: .relaxed) == Self.waiting { fire = nil }
  }

  @inlinable
  func turn(from old: UInt8, to new: UInt8) -> Bool {
    phase.compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged
  }
}

extension SingleValueSubscription {
  /// The value, and its downstream.
  @frozen @usableFromInline
  struct Load<Value, Downstream: Subscriber> where Downstream.Input == Value {
    @usableFromInline let value: Value
    @usableFromInline let downstream: Downstream

    @inlinable
    init(value: Value, downstream: Downstream) {
      self.value = value
      self.downstream = downstream
    }

    @inlinable
    func send(for once: SingleValueSubscription) {
      _ = downstream.receive(value)
      if once.turn(from: SingleValueSubscription.delivering, to: SingleValueSubscription.over) {
        downstream.receive(completion: .finished)
      }  // law C13
    }
  }
}

extension SingleValueSubscription: ReflectedByName {
  @usableFromInline package var description: String { name }

  @usableFromInline package var reflectedChildren: [Mirror.Child] {
    guard phase.load(ordering: .relaxed) == Self.waiting, let value = fire?(nil) else { return [] }
    return [(nil, value)]
  }
}
