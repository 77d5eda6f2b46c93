extension Publisher {
  /// Lets many subscribers share one subscription to this publisher.
  ///
  /// The first subscriber connects, the last one to cancel disconnects; a later one connects again. Nothing is
  /// replayed: who comes late misses what was sent, and after the end gets only the completion. A source that
  /// sends everything at once is therefore drained by the first subscriber.
  ///
  /// Upstream is asked for everything as soon as one subscriber asks for something; each subscriber gets a value
  /// only within its own demand. Subscribers are served in the order in which they came.
  @inlinable
  public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }
}

extension Publishers {
  /// The publisher of ``Publisher/share()``. A class: its subscribers share it by sharing the instance.
  public final class Share<Upstream: Publisher>: Publisher, Equatable {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is subscribed to once for all.
    public let upstream: Upstream
    @usableFromInline let hub: Hub
    @usableFromInline let audience: Audience<Output, Failure>

    /// The same as `upstream.share()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
      let hub = Hub()
      self.hub = hub
      audience = Audience(
        "Multicast", zeroDemand: .passes, onRequest: { hub.wasAsked() }, onCancel: { hub.leave() })
    }

    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      hub.join()
      audience.admit(subscriber)
      if let connection = hub.connect() { upstream.subscribe(SharePlug(connection, audience)) }
    }

    public static func == (left: Share, right: Share) -> Bool { left === right }
  }
}

extension Publishers.Share: Sendable where Upstream: Sendable, Output: Sendable {}  // state is in audience and hub

/// Where the one upstream is plugged into the audience.
@usableFromInline
final class SharePlug<Input, Failure: Error>: Subscriber {
  @usableFromInline let connection: Connection
  @usableFromInline let audience: Audience<Input, Failure>

  @inlinable
  init(_ connection: Connection, _ audience: Audience<Input, Failure>) {
    self.connection = connection
    self.audience = audience
  }

  /// Upstream is gone without a word, and nobody can send any more: the subscribers are let go of.
  deinit {
    if connection.close() != .closed { audience.abandon() }
  }

  @inlinable
  func receive(subscription: any Subscription) { connection.attach(subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if connection.isOpen { audience.send(input) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard connection.close() != .closed else { return }
    connection.hub.end()
    audience.send(completion: completion)
  }
}

extension SharePlug: ReflectedByName {
  @usableFromInline var description: String { "Share" }
}
