extension Publisher {
  /// Sends its values to several subscribers through one subject that a closure creates, after a call to `connect()`.
  ///
  /// ![Marble diagram of multicast](multicast.svg)
  ///
  /// - Parameter createSubject: Called once, at the first subscription or connection. If two threads are first at the
  ///   same time, each can call it, and both use the first subject that is returned.
  @inlinable
  public func multicast<Middle: Subject>(
    _ createSubject: @escaping () -> Middle
  ) -> Publishers.Multicast<Self, Middle> where Middle.Output == Output, Middle.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Sends its values to several subscribers through `subject`, after a call to `connect()`.
  ///
  /// ![Marble diagram of multicast](multicast.svg)
  @inlinable
  public func multicast<Middle: Subject>(subject: Middle) -> Publishers.Multicast<Self, Middle>
  where Middle.Output == Output, Middle.Failure == Failure {
    multicast { subject }
  }
}

extension Publisher where Failure == Never {
  /// Makes a publisher that never fails connectable: it sends values after a call to `connect()`.
  @inlinable
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/multicast(_:)``. The subject decides about demand and replay.
  ///
  /// Each ``connect()`` makes one more connection. A subject that has ended remains ended.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is subscribed to when this is connected.
    public let upstream: Upstream
    /// The closure that creates the shared subject. See ``Publisher/multicast(_:)``.
    public let createSubject: () -> SubjectType
    private let made = Guarded(SubjectType?.none)

    /// Creates the publisher that `upstream.multicast(createSubject)` returns.
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    /// The one subject. No lock is held while it is created, so two threads may both create one; the first is used.
    @usableFromInline
    var subject: SubjectType {
      if let subject = made.withLock({ $0 }) { return subject }
      let subject = createSubject()
      return made.withLock { made in
        if let made { return made }
        made = subject
        return subject
      }
    }

    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      subject.subscribe(MulticastSubscriber(subscriber))
    }

    public func connect() -> any Cancellable {
      let feed = SubjectSubscriber(subject)
      upstream.subscribe(feed)
      // Not held: a subscriber may hold the connection, and the feed holds the subject that holds the subscriber.
      return AnyCancellable { [weak feed] in feed?.cancel() }
    }
  }

  /// The publisher returned by ``Publisher/makeConnectable()``.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher where Upstream.Failure == Never {
    public typealias Output = Upstream.Output
    public typealias Failure = Never

    @usableFromInline let multicast: Multicast<Upstream, PassthroughSubject<Output, Never>>

    /// Creates the publisher that `upstream.makeConnectable()` returns.
    @inlinable
    public init(upstream: Upstream) { multicast = upstream.multicast { PassthroughSubject() } }

    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      multicast.subscribe(subscriber)
    }

    public func connect() -> any Cancellable { multicast.connect() }
  }
}

extension Publishers.Multicast: @unchecked Sendable where Upstream: Sendable, SubjectType: Sendable {}  // `made` is guarded

extension Publishers.MakeConnectable: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

/// One subscriber of a multicast. It ignores what the subject, which may be a user's own, sends before a subscription or after
/// the end.
@frozen @usableFromInline
struct MulticastSubscriber<Downstream: Subscriber>: StatelessSubscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let subscription = MulticastSubscription()

  @inlinable
  init(_ downstream: Downstream) { self.downstream = downstream }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard self.subscription.handle.attach(subscription) else { return subscription.cancel() }
    downstream.receive(subscription: self.subscription)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard subscription.handle.isLive else { return .none }
    let more = downstream.receive(input)
    if more > .none { subscription.handle.request(more) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard subscription.handle.isLive, subscription.handle.endOnce() else { return }
    downstream.receive(completion: completion)
  }

  @usableFromInline var description: String { "Multicast" }
}

/// A subject's subscription under the multicast's name. It does not hold the subscriber: the subject does (law C21).
@usableFromInline
final class MulticastSubscription: Subscription, ReflectedByName {
  @usableFromInline let handle = UpstreamHandle()

  @inlinable init() {}

  /// Asking for nothing is harmless, as in Combine, whatever the subject does then.
  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if demand > .none { handle.request(demand) }
  }

  @usableFromInline func cancel() { handle.cancel() }

  @usableFromInline var description: String { "Multicast" }
}
