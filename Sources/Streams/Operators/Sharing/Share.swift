extension Publisher {
  /// Shares one subscription to this publisher between several subscribers.
  ///
  /// ![Marble diagram of share](share.svg)
  ///
  /// ```swift
  /// let source = PassthroughSubject<Int, Never>()
  /// let shared = source.handleEvents(receiveOutput: { _ in print("received") }).share()
  /// let first = shared.sink { print("first \($0)") }
  /// let second = shared.sink { print("second \($0)") }
  /// source.send(1)
  /// // Prints received, first 1, second 1
  /// ```
  ///
  /// The first subscriber connects, and the last one to cancel disconnects. A later subscriber then connects again. Nothing
  /// is replayed: a late subscriber misses earlier values, and receives only the completion after the end. The first
  /// subscriber therefore takes all values of a publisher that sends them at once.
  ///
  /// Everything is requested once a subscriber has requested a value. Each subscriber receives values only within its
  /// own demand. Subscribers are served in the order of their subscriptions.
  @inlinable
  public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }
}

extension Publishers {
  /// The publisher returned by ``Publisher/share()``. A class: subscribers share the instance.
  public final class Share<Upstream: Publisher>: Publisher, Equatable {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The shared publisher.
    public let upstream: Upstream
    @usableFromInline let connection: SharedConnection
    @usableFromInline let subscribers: SubscriberList<Output, Failure>

    /// Creates the publisher that `upstream.share()` returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
      connection = SharedConnection()
      subscribers = SubscriberList("Multicast", zeroDemand: .passes, connection: connection)
    }

    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      connection.join()
      subscribers.add(subscriber)
      connection.begin { [connection] in
        upstream.subscribe(SharedInlet($0, subscribers) { connection.end() })
      }
    }

    public static func == (left: Share, right: Share) -> Bool { left === right }
  }
}

extension Publishers.Share: Sendable where Upstream: Sendable, Output: Sendable {}  // all state is the list's and the connection's

extension SubscriberList: SharedTarget {
  /// Everything is requested once a subscriber has requested something.
  @usableFromInline
  package func attach(_: Connection) {}
}
