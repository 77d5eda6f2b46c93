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
      if !tap.lifecycle.isClosed {
        connection.begin { $0.attach(ConnectableSubscription(upstream.connect())) }
      }
    }
  }
}

// `upstream` is constant, and the connection has its lock; the class is open to subclasses, as Combine's is.
extension Publishers.Autoconnect: @unchecked Sendable where Upstream: Sendable {}

/// Calls a closure when a subscriber cancels.
@usableFromInline
struct CancelTap<Input, Failure: Error>: Tap {
  @inlinable static var name: String { "Share" }

  @usableFromInline let onCancel: () -> Void

  @inlinable
  init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  @inlinable func saw(subscription _: any Subscription) {}
  @inlinable func saw(value _: Input) {}
  @inlinable func saw(answer _: Subscribers.Demand) {}
  @inlinable func saw(completion _: Subscribers.Completion<Failure>) {}
  @inlinable func saw(request _: Subscribers.Demand) {}
  @inlinable func sawCancel() { onCancel() }
}

/// The connection of a ``ConnectablePublisher``, as a ``SharedConnection`` stores it.
@usableFromInline
final class ConnectableSubscription: Subscription {
  private let connection: any Cancellable

  @usableFromInline
  init(_ connection: any Cancellable) { self.connection = connection }

  @usableFromInline
  func request(_: Subscribers.Demand) {}

  @usableFromInline
  func cancel() { connection.cancel() }
}
