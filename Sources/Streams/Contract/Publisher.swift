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

  // Not for users: the one value that a publisher of the library sends before it finishes, if it is known beforehand. To cast
  // to each type that has one would be slow.
  @_documentation(visibility: internal)
  var _singleValue: Output? { get }
}

extension Publisher {
  @_documentation(visibility: internal)
  @inlinable @inline(__always)
  public var _singleValue: Output? { nil }

  /// The single value of this publisher, if it can be delivered without subscribing. `nil` if it is not known
  /// beforehand, or if an introspection is enabled, which must see the subscription.
  @inlinable @inline(__always)
  var valueUnseen: Output? { cthreads_has_onlookers() == 0 ? _singleValue : nil }

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
