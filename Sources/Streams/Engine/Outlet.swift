public import Synchronization

/// Where several producers meet one downstream: one signal at a time, in order, never beyond demand.
///
/// A value for which there is no demand is dropped. No lock is held while downstream runs.
@usableFromInline
// Sendable: `seat` is touched inside the reception, and the rest is atomic or constant.
package final class Outlet<Output, Failure: Error>: @unchecked Sendable {
  @usableFromInline
  enum Signal {
    case value(Output)
    case completion(Subscribers.Completion<Failure>)
    case nothing
  }

  @usableFromInline package let tally = Tally()
  @usableFromInline let reception = Reception<Signal>()
  @usableFromInline let isOver = Atomic(false)
  @exclusivity(unchecked)  // inside the reception only
  @usableFromInline var seat: Seat<Output, Failure>?
  /// Told what downstream answers to a value. Set it before downstream gets its subscription.
  @exclusivity(unchecked)  // written before there is anybody to read it at the same time
  @usableFromInline package var onAnswer: ((Subscribers.Demand) -> Void)?

  @inlinable
  package init<Downstream: Subscriber<Output, Failure>>(to downstream: Downstream) { seat = Seat(downstream) }

  /// Sends `value` on, if it was asked for.
  @inlinable
  package func offer(_ value: Output) { perform(.value(value)) }

  /// Ends the stream: nothing is sent on after this.
  @inlinable
  package func end(_ completion: Subscribers.Completion<Failure>) {
    perform(.completion(completion))
  }

  /// Lets downstream go without a word. True for the first caller, if the stream was not over.
  @inlinable
  package func close() -> Bool {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    perform(.nothing)
    return true
  }

  /// Notes what downstream asks for. False if the stream is over.
  @inlinable
  package func request(_ demand: Subscribers.Demand) -> Bool {
    guard !isOver.load(ordering: .acquiring) else { return false }
    return tally.add(demand)
  }

  @inlinable
  func perform(_ signal: Signal) {
    reception.perform(signal) {
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
    if isOver.load(ordering: .relaxed) { seat = nil }
  }

  @inlinable
  func handle(_ signal: Signal) {
    switch signal {
    case .value(let value):
      guard !isOver.load(ordering: .acquiring), tally.spend() else { return }
      let more = seat!.deliver(value)
      guard more > .none else { return }
      tally.add(more)
      onAnswer?(more)
    case .completion(let completion):
      guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
      seat!.complete(completion)
    case .nothing: break
    }
  }
}

extension Outlet: Reflected {
  /// For mirrors: `nil` while another thread is inside, and once the stream is over.
  package var downstream: Any? {
    let entry = reception.enter()
    if case .busy = entry { return nil }
    defer { if case .entered = entry { serve() } }
    switch seat {
    case .some(let seat): return seat.downstream
    case .none: return nil
    }
  }
}
