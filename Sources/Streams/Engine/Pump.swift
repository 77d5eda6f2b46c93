/// The subscription of a source that has many values: it sends them from within `request`, as many as are asked for.
///
/// Whoever raises the demand from nothing sends; a request made meanwhile, nested or from another thread, only adds.
@usableFromInline
package final class Pump<Values: IteratorProtocol, Downstream: Subscriber>: Subscription
where Downstream.Input == Values.Element {
  /// What has not been sent yet. `next` is read ahead, so that the end is seen with the last value.
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

  /// The demand that is left, counting what is being sent: zero when nobody sends, `Int.max` for unlimited,
  /// -1 when the stream is over.
  @usableFromInline let tally = Tally()
  @exclusivity(unchecked)  // taken by the one who sends, and put back when it stops
  @usableFromInline var load: UnsafeMutablePointer<Load>?
  @usableFromInline let portrait: (_ isOver: Bool) -> Portrait
  /// Formed where the downstream's type is known: calls through `any Subscription` are not specialised.
  @usableFromInline let run: (Pump, Subscribers.Demand) -> Void

  @inlinable @inline(__always)
  package init(
    _ first: Values.Element, then values: Values, to downstream: Downstream,
    portrait: @escaping (_ isOver: Bool) -> Portrait
  ) {
    self.portrait = portrait
    load = .lodging(Load(next: first, values: values, downstream: downstream))
    run = { pump, demand in pump.send(demand) }
  }

  deinit { load?.close() }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if demand > .none, tally.raise(by: demand) { run(self, demand) }
  }

  @usableFromInline
  package func cancel() {
    if tally.closeWhenIdle() { drop() }
  }

  /// Whether what makes the next value may cancel (law C08): what is somebody else's code may. Known once the chain is
  /// specialised.
  @inlinable @inline(__always)
  static var callsOthers: Bool {
    Values.self != IndexingIterator<Range<Int>>.self && Values.self != IndexingIterator<ClosedRange<Int>>.self
      && Values.self != IndexingIterator<[Values.Element]>.self
  }

  /// Sends `demand` values, and what is asked for meanwhile.
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
        if mayCancel, tally.isClosed { return load.close() }
        let more = load.pointee.downstream.receive(value)
        if tally.isClosed { return load.close() }
        guard let following else { return finish(load) }
        load.pointee.next = following
        sent += 1
        left -= 1
        if more > .none {
          tally.add(more)
          left += more
        }
      }
      if left.isUnlimited { break }
      // Put back before settling: from then on, another thread may be the one who sends.
      self.load = load
      guard let rest = tally.settle(sent) else { return drop() }
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
      if mayCancel, tally.isClosed { return }
      _ = downstream.receive(value)
      if tally.isClosed { return }
      guard let following else {
        if tally.close() { downstream.receive(completion: .finished) }
        return
      }
      next = following
    } while true
  }

  @inlinable
  func finish(_ load: UnsafeMutablePointer<Load>) {
    if tally.close() { load.pointee.downstream.receive(completion: .finished) }
    load.close()
  }

  @inlinable
  func drop() { load.take()?.close() }
}

extension Pump: ReflectedByName {
  @usableFromInline package var description: String { portrait(tally.isClosed).name }
  @usableFromInline package var reflectedChildren: [Mirror.Child] { portrait(tally.isClosed).children }
}
