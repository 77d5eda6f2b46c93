/// Brings a publisher's values to whoever awaits the next one.
///
/// Each wait asks for one value: nothing is buffered but what was asked for.
final class AsyncInlet<Input, Failure: Error>: Subscriber, Sendable {
  /// What a wait ends with.
  enum Arrival: @unchecked Sendable {  // it goes from the sending thread to the waiting task, and to nobody else
    case value(Input)
    case end(Failure?)
  }

  private struct State {
    var upstream: (any Subscription)?
    var isOver = false
    var failure: Failure?
    var arrived = Fifo<Input>()
    var waiting = Fifo<UnsafeContinuation<Arrival, Never>>()
    /// Asked for before there was anybody to ask.
    var early = Subscribers.Demand.none

    mutating func takeArrival() -> Arrival? {
      if let value = arrived.popFirst() { return .value(value) }
      return isOver ? .end(failure.take()) : nil
    }
  }

  private let state = Guarded(State())

  // MARK: Subscriber

  func receive(subscription: any Subscription) {
    let early = state.withLock { state -> Subscribers.Demand? in
      guard state.upstream == nil, !state.isOver else { return nil }
      state.upstream = subscription
      return state.early
    }
    guard let early else { return subscription.cancel() }
    if early > .none { subscription.request(early) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    // Resumed outside the lock: a continuation may run its task at once.
    let waiter = state.withLock { state -> UnsafeContinuation<Arrival, Never>? in
      guard !state.isOver else { return nil }
      if let waiter = state.waiting.popFirst() { return waiter }
      state.arrived.append(input)
      return nil
    }
    waiter?.resume(returning: .value(input))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    var failure: Failure?
    if case .failure(let error) = completion { failure = error }
    end(failure)
  }

  // MARK: Waiting

  /// The next value or the end, if it came at once; otherwise it will come to a continuation.
  func ask() -> Arrival? {
    let upstream = state.withLock { state -> (any Subscription)? in
      guard !state.isOver, state.arrived.isEmpty else { return nil }
      if state.upstream == nil { state.early += 1 }
      return state.upstream
    }
    upstream?.request(.max(1))
    return state.withLock { state in state.takeArrival() }
  }

  func await(_ continuation: UnsafeContinuation<Arrival, Never>) {
    let arrival = state.withLock { state -> Arrival? in
      if let arrival = state.takeArrival() { return arrival }
      state.waiting.append(continuation)
      return nil
    }
    if let arrival { continuation.resume(returning: arrival) }
  }

  func cancel() {
    let upstream = state.withLock { $0.isOver ? nil : $0.upstream }
    end(nil)
    upstream?.cancel()
  }

  private func end(_ failure: Failure?) {
    let waiting = state.withLock { state -> Fifo<UnsafeContinuation<Arrival, Never>> in
      guard !state.isOver else { return Fifo() }
      state.isOver = true
      defer { state.waiting = Fifo() }
      // The failure is for one wait only: the first after the values, or the one that waits longest.
      if state.waiting.isEmpty { state.failure = failure }
      return state.waiting
    }
    var rest = waiting
    var failure = failure
    while let waiter = rest.popFirst() {
      waiter.resume(returning: .end(failure.take()))
    }
    withExtendedLifetime(state.withLock { $0.upstream.take() }) {}
  }
}

/// One iteration over a publisher's values: cancels when it is dropped.
final class AsyncIteration<Input, Failure: Error>: Sendable {
  private let inlet = AsyncInlet<Input, Failure>()

  init<Upstream: Publisher<Input, Failure>>(_ publisher: Upstream) { publisher.subscribe(inlet) }

  deinit { inlet.cancel() }

  func next(isolation: isolated (any Actor)?) async -> AsyncInlet<Input, Failure>.Arrival {
    if Task.isCancelled { inlet.cancel() }
    if let arrival = inlet.ask() { return arrival }
    let inlet = self.inlet
    return await withTaskCancellationHandler(
      operation: {
        await withUnsafeContinuation(isolation: isolation) { inlet.await($0) }
      },
      onCancel: { inlet.cancel() },
      isolation: isolation)
  }
}
