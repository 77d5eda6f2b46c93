/// A publisher of one value that is on its way.
///
/// The work begins when the future is made, once, whether or not anybody subscribes. The result is kept, and every
/// subscriber gets it: a value when it asks, then the end; a failure at once. Subscribers are served in the order in
/// which they subscribed. Cancelling detaches one subscriber; the work goes on. If the promise is dropped without a
/// call, nobody can fulfil the future any more, and its subscribers are let go of.
public final class Future<Output, Failure: Error>: Publisher {
  /// Fulfils the future. Only the first call counts. May be called from any thread.
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

  @usableFromInline let outcome = Outcome<Output, Failure>()

  /// A publisher of what the closure fulfils its promise with.
  ///
  /// - Parameter attemptToFulfill: Runs here and now; starts the work, and calls its argument when that is done.
  @inlinable
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    let outcome = outcome
    let pledge = Pledge(outcome)
    attemptToFulfill { result in
      outcome.resolve(result)
      withExtendedLifetime(pledge) {}
    }
  }

  @inlinable @inline(__always)
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let waiter = Waiter(for: outcome, to: subscriber)
    subscriber.receive(subscription: waiter)
    outcome.await(waiter)
  }
}

extension Future: Sendable where Output: Sendable {}  // all state is the outcome's

/// What every copy of the promise holds. When the last one goes, those who wait do so in vain.
@usableFromInline
final class Pledge: Sendable {
  @usableFromInline let room: WaitingRoom

  @inlinable
  init(_ room: WaitingRoom) { self.room = room }

  deinit { room.abandon() }
}
