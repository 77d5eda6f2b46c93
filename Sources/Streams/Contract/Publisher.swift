public import CThreads

/// A type that sends a sequence of values over time.
///
/// Each subscriber receives one subscription, values within its demand, and at most one completion.
/// <doc:/Guides/contract> lists the rules in full.
public protocol Publisher<Output, Failure> {
  /// The type of the values.
  associatedtype Output

  /// The type of the failure. `Never` means that the publisher never fails.
  associatedtype Failure: Error

  /// Attaches `subscriber`. Publishers implement this method. Call `subscribe(_:)` instead.
  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure
}

extension Publisher {
  /// Attaches `subscriber` to this publisher.
  ///
  /// The subscriber receives its subscription before this returns, unless ``subscribe(on:options:)`` defers it.
  @inlinable @_transparent
  public func subscribe<Downstream: Subscriber>(_ subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    if cthreads_has_onlookers() != 0 { return subscribeInSight(subscriber, to: self) }
    receive(subscriber: subscriber)
  }

  /// The same for an operator, which attaches a subscriber to its own upstream.
  ///
  /// The call that subscribed to the whole chain has already looked for introspections. If one is enabled, this
  /// method is called through witnesses, without static types, and looks again. If none is enabled, the types of the
  /// chain may be known, and there is no need to look.
  @inlinable @_transparent
  package func attach<Downstream: Subscriber>(_ subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    if !_isConcrete(Downstream.self), cthreads_has_onlookers() != 0 {
      return subscribeInSight(subscriber, to: self)
    }
    receive(subscriber: subscriber)
  }
}

/// A namespace for the publishers that operators return.
public enum Publishers {}
