public import CThreads

/// A type that sends a sequence of values over time.
///
/// A publisher does nothing until a subscriber attaches. Each subscriber then receives one subscription, values within
/// its demand, and at most one completion. `Docs/contract.md` lists the rules in full.
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
  /// The one value that can be handed on without subscribing: `nil` if it is not known beforehand, or if an introspection is
  /// enabled, which is to see the subscription.
  ///
  /// In optimized code only asked where the type is known: finding out while running costs more than subscribing.
  @inlinable @inline(__always)
  var valueUnseen: Output? {
    guard _isConcrete(Self.self) || _isDebugAssertConfiguration() else { return nil }
    if let value = singleValue, cthreads_has_onlookers() == 0 { return value }
    return nil
  }
}

extension Publisher {
  /// Attaches `subscriber` to this publisher.
  ///
  /// The subscriber receives its subscription synchronously, on the caller's thread.
  @inlinable @_transparent
  public func subscribe<Downstream: Subscriber>(_ subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    if cthreads_has_onlookers() != 0 { return subscribeInSight(subscriber, to: self) }
    receive(subscriber: subscriber)
  }

  /// The same for an operator, which is asked to attach somebody and goes on to its own upstream.
  ///
  /// Who subscribed to the whole chain looked for onlookers. If there are any, this is reached through witnesses, which
  /// know no types, and looks for itself. If there are none, the chain's types may be known, and then there is nothing
  /// to look for: without that branch a stage, of which swiftc makes a lot of code, costs it a third less time.
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
