extension Publisher where Output: Sendable {
  /// Calls `receiveValue` for each value and `receiveCompletion` at the end, on `actor`, which they may use.
  ///
  /// Everything is asked for at once. Order is kept, and nothing is delivered after a cancellation on the actor. On the
  /// main actor the closures are called at once if the signal comes from there.
  ///
  /// ```swift
  /// readings.sink(on: ledger) { ledger, reading in ledger.note(reading) }
  /// ```
  ///
  /// - Returns: What keeps the subscription alive: dropping it cancels.
  @_disfavoredOverload
  public func sink<Home: Actor>(
    on actor: Home,
    receiveCompletion: @escaping @Sendable (isolated Home, Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (isolated Home, Output) -> Void
  ) -> AnyCancellable {
    let delivery = ActorDelivery(to: actor)
    @Sendable func deliver(_ signal: @escaping @Sendable (isolated Home) -> Void) {
      if delivery.isHere { return actor.assumeIsolated(signal) }
      delivery.deliver { actor.assumeIsolated(signal) }
    }
    let sink = sink(
      receiveCompletion: { completion in
        deliver {
          receiveCompletion($0, completion)
          delivery.close()
        }
      },
      receiveValue: { value in deliver { receiveValue($0, value) } })
    return AnyCancellable {
      sink.cancel()
      delivery.close()
    }
  }

  /// Calls `receiveValue` for each value and `receiveCompletion` at the end, on the main actor.
  ///
  /// Everything is asked for at once. The closures are called at once if the signal comes from the main actor; order
  /// is kept, and nothing is delivered after a cancellation there.
  ///
  /// - Returns: What keeps the subscription alive: dropping it cancels.
  @_disfavoredOverload
  public func sinkOnMain(
    receiveCompletion: @escaping @MainActor (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor (Output) -> Void
  ) -> AnyCancellable {
    sink(isolation: .deliverOnActor, receiveCompletion: receiveCompletion, receiveValue: receiveValue)
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Calls `receiveValue` for each value on `actor`, which it may use. Everything is asked for at once.
  ///
  /// - Returns: What keeps the subscription alive: dropping it cancels.
  @_disfavoredOverload
  public func sink<Home: Actor>(
    on actor: Home, receiveValue: @escaping @Sendable (isolated Home, Output) -> Void
  ) -> AnyCancellable {
    sink(on: actor, receiveCompletion: { _, _ in }, receiveValue: receiveValue)
  }

  /// Calls `receiveValue` for each value on the main actor. Everything is asked for at once.
  ///
  /// - Returns: What keeps the subscription alive: dropping it cancels.
  @_disfavoredOverload
  public func sinkOnMain(receiveValue: @escaping @MainActor (Output) -> Void) -> AnyCancellable {
    sinkOnMain(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
