extension Publisher where Output: Sendable {
  /// Calls closures on `actor` for each value and for the completion. The closures receive the actor.
  ///
  /// Everything is requested at once. Values stay in order, and nothing is delivered after a cancellation on the actor.
  /// On the main actor, a signal that arrives there calls the closures synchronously, unless earlier ones wait.
  ///
  /// ```swift
  /// readings.sink(on: ledger) { ledger, reading in ledger.note(reading) }
  /// ```
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
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

  /// Calls closures on the main actor for each value and for the completion.
  ///
  /// Everything is requested at once. A signal that arrives on the main actor calls the closures synchronously, unless
  /// earlier ones wait. Values stay in order, and nothing is delivered after a cancellation on the main actor.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @_disfavoredOverload
  public func sinkOnMain(
    receiveCompletion: @escaping @MainActor (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor (Output) -> Void
  ) -> AnyCancellable {
    sink(isolation: .deliverOnActor, receiveCompletion: receiveCompletion, receiveValue: receiveValue)
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Calls a closure on `actor` for each value of a publisher that never fails. The closure receives the actor.
  ///
  /// Everything is requested at once.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @_disfavoredOverload
  public func sink<Home: Actor>(
    on actor: Home, receiveValue: @escaping @Sendable (isolated Home, Output) -> Void
  ) -> AnyCancellable {
    sink(on: actor, receiveCompletion: { _, _ in }, receiveValue: receiveValue)
  }

  /// Calls a closure on the main actor for each value of a publisher that never fails.
  ///
  /// Everything is requested at once.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @_disfavoredOverload
  public func sinkOnMain(receiveValue: @escaping @MainActor (Output) -> Void) -> AnyCancellable {
    sinkOnMain(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
