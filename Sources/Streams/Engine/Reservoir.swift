public import Synchronization

/// Keeps what downstream has not asked for yet, up to a size.
@usableFromInline
package final class Reservoir<Downstream: Subscriber>: Subscriber, Subscription {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline
  enum Event {
    case value(Input)
    case ended(Subscribers.Completion<Failure>)
    case asked(Subscribers.Demand)
    case cancelled
  }

  @usableFromInline let size: Int
  @usableFromInline let prefetch: Publishers.PrefetchStrategy
  @usableFromInline let upstream = UpstreamLink()
  @usableFromInline let reception = Reception<Event>()
  @usableFromInline let isOver = Atomic(false)

  @exclusivity(unchecked)  // inside the reception only, as all that follows
  @usableFromInline var whenFull: Publishers.BufferingStrategy<Failure>?
  @exclusivity(unchecked)
  @usableFromInline var exit: UnsafeMutablePointer<Exit<Downstream>>?
  @exclusivity(unchecked)
  @usableFromInline var kept = Fifo<Input>()
  @exclusivity(unchecked)
  @usableFromInline var demand = Subscribers.Demand.none
  @exclusivity(unchecked)
  @usableFromInline var ending: Subscribers.Completion<Failure>?
  @exclusivity(unchecked)
  @usableFromInline var isDraining = false

  @inlinable
  package init(
    _ size: Int, _ prefetch: Publishers.PrefetchStrategy, _ whenFull: Publishers.BufferingStrategy<Failure>,
    to downstream: Downstream
  ) {
    self.size = size
    self.prefetch = prefetch
    self.whenFull = whenFull
    exit = .lodging(Exit(downstream))
  }

  deinit { exit?.close() }

  // MARK: Subscriber

  @inlinable
  package func receive(subscription: any Subscription) {
    guard !isOver.load(ordering: .acquiring), upstream.attach(subscription) else {
      return subscription.cancel()
    }
    // Inside the reception: what upstream sends at once is kept until downstream has its subscription.
    guard case .entered = reception.enter() else { return }
    isDraining = true
    switch prefetch {
    case .keepFull: if size > 0 { subscription.request(.max(size)) }
    case .byRequest: subscription.request(.unlimited)
    }
    exit!.pointee.attach(self)
    isDraining = false
    ask(for: drain())
    serve()
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    guard upstream.isLive else { return .none }
    switch reception.enter() {
    case .entered:
      let more = take(input)
      serve()
      return more
    case .nested: return take(input)
    case .busy:
      if reception.leaveBehind(.value(input)) { serve() }
      return .none
    }
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if upstream.isLive, upstream.endOnce() { perform(.ended(completion)) }
  }

  // MARK: Subscription

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if demand > .none, !isOver.load(ordering: .acquiring) { perform(.asked(demand)) }
  }

  @usableFromInline
  package func cancel() {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    upstream.cancel()
    perform(.cancelled)
  }

  // MARK: The reception

  @inlinable
  func perform(_ event: Event) {
    reception.perform(event) {
      handle($0)
    } tidy: {
      tidyUp()
    }
  }

  @inlinable @inline(__always)
  func serve() {
    reception.serve {
      handle($0)
    } tidy: {
      tidyUp()
    }
  }

  @inlinable @inline(__always)
  func tidyUp() {
    if isOver.load(ordering: .relaxed) { putAway() }
  }

  @inlinable @inline(never)
  func putAway() {
    exit.take()?.close()
    whenFull = nil
    kept = Fifo()
  }

  @inlinable
  func handle(_ event: Event) {
    if isOver.load(ordering: .acquiring) { return }
    switch event {
    case .value(let value): ask(for: take(value))
    case .ended(let completion):
      if ending == nil { ending = completion }
      ask(for: drain())
    case .asked(let more):
      demand += more
      ask(for: drain())
    case .cancelled: return
    }
  }

  /// Keeps or delivers a value, and returns what upstream is asked for in its place.
  @inlinable @inline(__always)
  func take(_ value: Input) -> Subscribers.Demand {
    if isOver.load(ordering: .acquiring) { return .none }
    return keep(value) ? drain() : .none
  }

  @inlinable
  func ask(for more: Subscribers.Demand) {
    if more > .none { upstream.request(more) }
  }

  /// False if the stream fails for want of room: then what is kept waits for the next request, and the failure too.
  @inlinable
  func keep(_ value: Input) -> Bool {
    guard ending == nil else { return true }
    // With nothing kept and demand, the value only passes through: it needs no room.
    if kept.count < size || (kept.isEmpty && demand > .none && !isDraining) {
      kept.append(value)
      return true
    }
    switch whenFull {
    case .dropOldest:
      guard size > 0 else { return true }
      let oldest = kept.popFirst()
      kept.append(value)
      withExtendedLifetime(oldest) {}
    case .customError(let make):
      ending = .failure(make())
      upstream.cancel()
      return kept.isEmpty
    case .dropNewest, nil: break
    }
    return true
  }

  /// Delivers what is kept, as far as it is asked for.
  ///
  /// - Returns: What upstream is to be asked for, so that the buffer is full again.
  @inlinable
  func drain() -> Subscribers.Demand {
    guard !isDraining else { return .none }
    isDraining = true
    var room = 0
    while demand > .none, !isOver.load(ordering: .acquiring), let value = kept.popFirst() {
      demand -= 1
      demand += exit!.pointee.deliver(value)
      if prefetch == .keepFull { room += 1 }
    }
    isDraining = false
    if let ending, kept.isEmpty || ending.isFailure,
      !isOver.exchange(true, ordering: .acquiringAndReleasing)
    {
      exit!.pointee.complete(ending)
    }
    return room > 0 && upstream.isLive ? .max(room) : .none
  }
}

extension Reservoir: ReflectedByName {
  @usableFromInline package var description: String { "Buffer" }

  @usableFromInline package var reflectedChildren: [Mirror.Child] {
    switch reception.enter() {
    case .entered:
      defer { serve() }
      return innerChildren
    case .nested: return innerChildren
    case .busy: return []
    }
  }

  private var innerChildren: [Mirror.Child] {
    var values: [Input] = []
    kept.forEach { values.append($0) }
    return [
      ("values", values), ("state", upstream.isLive ? "subscribed" : "ready"), ("downstreamDemand", demand),
      ("terminal", ending as Any),
    ]
  }
}
