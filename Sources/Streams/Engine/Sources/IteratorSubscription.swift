public import Synchronization

/// The subscription of a source of many values: it sends them from within `request`, as many as are requested.
///
/// The thread that raises the demand from zero sends. A request made meanwhile, nested or from another thread, only adds.
@usableFromInline
package final class IteratorSubscription<Values: IteratorProtocol, Downstream: Subscriber>: Subscription
where Downstream.Input == Values.Element {
  /// The values that are left. `next` is read ahead, so that the end is seen with the last value.
  @frozen @usableFromInline
  struct Load: ~Copyable {
    @usableFromInline var next: Values.Element
    @usableFromInline var values: Values
    @usableFromInline let downstream: Downstream

    @inlinable
    init(next: Values.Element, values: Values, downstream: Downstream) {
      self.next = next
      self.values = values
      self.downstream = downstream
    }
  }

  /// The demand that is left, counting what is being sent: zero when no thread sends, `Int.max` for unlimited,
  /// -1 when the stream is over.
  @usableFromInline let demandCounter = DemandCounter()
  /// The address of the gate that encloses the deliveries, once a subscriber has asked for one. Retained. Another thread may request
  /// meanwhile: a subscriber that is not the library's can pass the subscription on, and use it itself.
  @usableFromInline let gateAddress = Atomic<UInt>(0)
  @exclusivity(unchecked)  // taken by the thread that sends, and put back when it stops
  @usableFromInline var load: UnsafeMutablePointer<Load>?
  @usableFromInline let portrait: (_ isOver: Bool) -> SourceReflection
  /// Formed where the downstream's type is known: calls through `any Subscription` are not specialised.
  @usableFromInline let run: (IteratorSubscription, Subscribers.Demand) -> Void

  @inlinable @inline(__always)
  package init(
    _ first: Values.Element, then values: Values, to downstream: Downstream,
    portrait: @escaping (_ isOver: Bool) -> SourceReflection
  ) {
    self.portrait = portrait
    load = .allocate(initializing: Load(next: first, values: values, downstream: downstream))
    run = { pump, demand in pump.send(demand) }
  }

  deinit {
    load?.close()
    gate?.release()
  }

  @inlinable @inline(__always)
  var gate: Unmanaged<SerialGate>? { Unmanaged(at: gateAddress.load(ordering: .acquiring)) }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    guard demand > .none, demandCounter.raise(by: demand) else { return }
    guard let gate else { return run(self, demand) }
    gate.takeUnretainedValue().enclose { run(self, demand) }
  }

  @usableFromInline
  package var _gate: AnyObject? {
    if let gate { return gate.takeUnretainedValue() }
    let new = SerialGate()
    let retained = Unmanaged.passRetained(new)
    let step = gateAddress.compareExchange(
      expected: 0, desired: retained.address, successOrdering: .releasing, failureOrdering: .acquiring)
    if step.exchanged { return new }
    retained.release()
    return Unmanaged<SerialGate>(at: step.original)?.takeUnretainedValue()
  }

  @usableFromInline
  package func cancel() {
    if demandCounter.closeWhenIdle() { drop() }
  }

  /// Whether creating the next value may cancel (law C08): user code may. Known once the chain is specialised.
  @inlinable @inline(__always)
  static var callsOthers: Bool {
    Values.self != IndexingIterator<Range<Int>>.self && Values.self != IndexingIterator<ClosedRange<Int>>.self
      && Values.self != IndexingIterator<[Values.Element]>.self
  }

  /// Sends `demand` values, and those that are requested meanwhile.
  @inlinable @inline(__always)
  func send(_ demand: Subscribers.Demand) {
    guard let load = self.load.take() else { return }
    let mayCancel = Self.callsOthers
    var left = demand
    while left > .none, !left.isUnlimited {
      var sent = 0
      while left > .none, !left.isUnlimited {
        let value = load.pointee.next
        let following = load.pointee.values.next()
        if mayCancel, demandCounter.isClosed { return load.close() }
        let more = Self.deliver(value, to: load)
        if demandCounter.isClosed { return load.close() }
        guard let following else { return finish(load) }
        load.pointee.next = following
        sent += 1
        left -= 1
        if more > .none {
          demandCounter.add(more)
          left += more
        }
      }
      if left.isUnlimited { break }
      // Put back before settling: from then on, another thread may send.
      self.load = load
      guard let rest = demandCounter.settle(sent) else { return drop() }
      if rest == .none { return }
      left = rest
      self.load = nil
    }
    sendAll(load)
  }

  /// Sends without counting, from variables of its own: those the optimiser keeps in registers.
  @inlinable @inline(__always)
  func sendAll(_ load: UnsafeMutablePointer<Load>) {
    let downstream = load.pointee.downstream
    var values = load.pointee.values
    var next = load.pointee.next
    load.close()
    let mayCancel = Self.callsOthers
    repeat {
      let value = next
      let following = values.next()
      if mayCancel, demandCounter.isClosed { return }
      _ = downstream.receive(value)
      if demandCounter.isClosed { return }
      guard let following else {
        if demandCounter.close() { Self.complete(downstream) }
        return
      }
      next = following
    } while true
  }

  @inlinable
  func finish(_ load: UnsafeMutablePointer<Load>) {
    if demandCounter.close() { Self.complete(load.pointee.downstream) }
    load.close()
  }

  /// Where values are counted: downstream's code is in ``sendAll(_:)``, and not here again.
  @inlinable @inline(never)
  static func deliver(_ value: Values.Element, to load: UnsafeMutablePointer<Load>) -> Subscribers.Demand {
    load.pointee.downstream.receive(value)
  }

  /// One copy of what follows the last value.
  @inlinable @inline(never)
  static func complete(_ downstream: Downstream) { downstream.receive(completion: .finished) }

  @inlinable
  func drop() { load.take()?.close() }
}

extension IteratorSubscription: ReflectedByName {
  @usableFromInline package var description: String { portrait(demandCounter.isClosed).name }
  @usableFromInline package var reflectedChildren: [Mirror.Child] {
    portrait(demandCounter.isClosed).children
  }
}

/// The description and the mirror of a source's subscription.
@usableFromInline
package struct SourceReflection {
  let name: String
  let children: [Mirror.Child]

  @usableFromInline
  package init(_ name: String, _ children: [Mirror.Child]) {
    self.name = name
    self.children = children
  }
}
