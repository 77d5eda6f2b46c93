extension ConnectablePublisher {
  /// Connects for the first subscriber, and disconnects when the last one cancels.
  ///
  /// The connection is made when the first subscriber is attached. A completion does not disconnect: a stream that has
  /// ended is not connected again. Concurrent subscribers make one connection.
  @inlinable
  public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

extension Publishers {
  /// The publisher returned by ``ConnectablePublisher/autoconnect()``.
  public class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is connected for the first subscriber.
    public final let upstream: Upstream
    @usableFromInline final let connection = SharedConnection()

    /// Creates a publisher that connects `upstream` for its subscribers.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @inline(__always)
    public final func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      connection.join()
      let tap = TapSubscription(
        CancelTap { [connection] in connection.leave() }, isHidden: true, to: subscriber)
      upstream.subscribe(tap)
      if !tap.isOver {
        connection.begin { $0.attach(ConnectableSubscription(upstream.connect())) }
      }
    }
  }
}

// `upstream` is constant, and the connection has its lock; the class is open to subclasses, as Combine's is.
extension Publishers.Autoconnect: @unchecked Sendable where Upstream: Sendable {}

/// Calls a closure when a subscriber cancels.
@usableFromInline
package struct CancelTap<Input, Failure: Error>: Tap {
  @inlinable package static var name: String { "Share" }

  @usableFromInline let onCancel: () -> Void

  @inlinable
  package init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  @inlinable package func saw(subscription _: any Subscription) {}
  @inlinable package func saw(value _: Input) {}
  @inlinable package func saw(answer _: Subscribers.Demand) {}
  @inlinable package func saw(completion _: Subscribers.Completion<Failure>) {}
  @inlinable package func saw(request _: Subscribers.Demand) {}
  @inlinable package func sawCancel() { onCancel() }
}

/// The connection of a ``ConnectablePublisher``, as a ``SharedConnection`` stores it.
@usableFromInline
package final class ConnectableSubscription: Subscription {
  private let connection: any Cancellable

  @usableFromInline
  package init(_ connection: any Cancellable) { self.connection = connection }

  @usableFromInline
  package func request(_: Subscribers.Demand) {}

  @usableFromInline
  package func cancel() { connection.cancel() }
}
