/// A subject between one upstream and many subscribers, with the connection that they share.
///
/// Unless it reconnects, another subject takes its place after all subscribers have cancelled, and after the end.
@usableFromInline
package final class SharedSubject<Middle: Subject & SharedTarget>: @unchecked Sendable  // `current` is guarded, and `make` called as a publisher's closures are
where Middle.TargetOutput == Middle.Output, Middle.TargetFailure == Middle.Failure {
  @usableFromInline
  final class Session {
    @usableFromInline let subject: Middle
    @usableFromInline let connection: SharedConnection

    init(_ subject: Middle, _ connection: SharedConnection) {
      self.subject = subject
      self.connection = connection
    }
  }

  private let groups: Int
  private let reconnects: Bool
  private let make: () -> Middle
  private let current = Guarded(Session?.none)

  @usableFromInline
  package init(groups: Int = 1, reconnects: Bool, make: @escaping () -> Middle) {
    self.groups = groups
    self.reconnects = reconnects
    self.make = make
  }

  /// Subscribes `subscriber` to the subject, and connects that if it is time.
  @inlinable
  package func add<Upstream: Publisher, Downstream: Subscriber>(
    _ subscriber: Downstream, to upstream: Upstream, group: Int = 0
  )
  where
    Upstream.Output == Middle.Output, Upstream.Failure == Middle.Failure,
    Downstream.Input == Middle.Output, Downstream.Failure == Middle.Failure
  {
    let session = join(group)
    let tap = CancelTap<Middle.Output, Middle.Failure> { [session] in
      if session.connection.leave(group) { self.release(session) }
    }
    session.subject.subscribe(TapSubscription(tap, to: subscriber))
    session.connection.begin {
      // Held by nothing upstream: it may be held by what it shares.
      upstream.subscribe(
        SharedInlet($0, session.subject) { [weak self, weak session] in
          guard let session else { return }
          session.connection.end()
          self?.release(session)
        })
    }
  }

  @usableFromInline
  func join(_ group: Int) -> Session {
    while true {
      let session = current.withLock { $0 } ?? newSession()
      if session.connection.join(group) { return session }
      release(session)
    }
  }

  private func newSession() -> Session {
    let new = Session(make(), SharedConnection(groups: groups, reconnects: reconnects))
    return current.withLock { current in
      let session = current ?? new
      current = session
      return session
    }
  }

  @usableFromInline
  func release(_ session: Session) {
    if reconnects { return }
    let gone = current.withLock { current in current === session ? current.take() : nil }
    withExtendedLifetime(gone) {}
  }
}

/// A connection as a subject stores it: the subject decides when everything is requested.
private final class ConnectionFeed: Subscription {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  func request(_: Subscribers.Demand) { connection.requestAll() }
  func cancel() { connection.cancel() }
}

extension AnySubscriberList {
  /// Stores `connection` until it is over: a subject may have any number of them, one after another.
  package final func addFeed(_ connection: Connection) {
    let feed = ConnectionFeed(connection)
    addFeed(feed)
    connection.whenOver { [weak self, weak feed] in
      if let feed { self?.removeFeed(feed) }
    }
  }
}

extension PassthroughSubject: SharedTarget {
  @usableFromInline
  package func attach(_ connection: Connection) { subscribers.addFeed(connection) }

  @usableFromInline
  package func abandon() {}
}
