/// One session for all subscribers, from when enough of them are there until the last has cancelled.
///
/// A session is what a connection has of its own, such as a subject. Subscribers are counted at one or several doors:
/// the session begins when there are enough at each.
@usableFromInline
// Sendable: what varies is guarded, and the closures are called as a publisher's are.
package final class Gathering<Session: AnyObject>: @unchecked Sendable {
  /// One session's way to its connection.
  private final class Attempt {
    /// Whether the session has ended by itself; under the lock only.
    var hasEnded = false
  }

  private struct State {
    var session: Session?
    var counts: [Int]
    var isConnecting = false
    var attempt: Attempt?
    var connection: (any Cancellable)?
    var farewell: (any Cancellable)?
  }

  private let minimum: Int
  private let outlives: Bool
  private let make: () -> Session
  private let connect: (Session, Gathering) -> any Cancellable
  private let wait: ((@escaping () -> Void) -> any Cancellable)?
  private let state: Guarded<State>

  /// - Parameters:
  ///   - doors: How many doors there are.
  ///   - minimum: How many must have come through each.
  ///   - outlives: Whether a session goes on when nobody is there, and after its end.
  ///   - wait: Schedules the end of a session that nobody attends; `nil` for at once.
  @usableFromInline
  package init(
    doors: Int = 1, minimum: Int = 1, outlives: Bool = false, make: @escaping () -> Session,
    wait: ((@escaping () -> Void) -> any Cancellable)? = nil,
    connect: @escaping (Session, Gathering) -> any Cancellable
  ) {
    self.minimum = minimum
    self.outlives = outlives
    self.make = make
    self.wait = wait
    self.connect = connect
    state = Guarded(State(counts: Array(repeating: 0, count: doors)))
  }

  /// Comes in. To be followed by ``begin(_:)`` when the subscriber has its place.
  @usableFromInline
  package func join(_ door: Int = 0) -> Session {
    let present = state.withLock { state -> Session? in
      state.counts[door] += 1
      return state.session
    }
    let candidate = present ?? make()
    let (session, farewell) = state.withLock { state in
      if state.session == nil { state.session = candidate }
      return (state.session ?? candidate, state.farewell.take())
    }
    farewell?.cancel()
    return session
  }

  /// Connects `session`, if there are enough: for one caller only.
  @usableFromInline
  package func begin(_ session: Session) {
    let attempt = Attempt()
    let isDue = state.withLock { state in
      guard state.session === session, !state.isConnecting, state.counts.allSatisfy({ $0 >= minimum }) else {
        return false
      }
      state.isConnecting = true
      state.attempt = attempt
      return true
    }
    guard isDue else { return }
    let connection = connect(session, self)
    let isWanted = state.withLock { state in
      if attempt.hasEnded { return true }  // its end is on its way, and must not be cut off
      guard state.session === session, state.isConnecting else { return false }
      state.connection = connection
      return true
    }
    if !isWanted { connection.cancel() }
  }

  /// Somebody has cancelled.
  @usableFromInline
  package func leave(_ door: Int, _ session: Session) {
    let isLast = state.withLock { state in
      guard state.session === session else { return false }
      state.counts[door] -= 1
      return state.counts.allSatisfy { $0 <= 0 }
    }
    guard isLast else { return }
    guard let wait else { return close(session) }
    let farewell = wait { [weak self] in self?.close(session) }
    let old = state.withLock { state -> (any Cancellable)? in
      guard state.session === session, state.counts.allSatisfy({ $0 <= 0 }) else { return farewell }
      defer { state.farewell = farewell }
      return state.farewell
    }
    old?.cancel()
  }

  /// The session's upstream has ended: who comes now begins another, unless this one is for ever.
  @usableFromInline
  package func end(_ session: Session) {
    let gone = state.withLock { state -> [Any?] in
      guard state.session === session else { return [] }
      if outlives {
        state.isConnecting = true
        return [state.connection.take()]
      }
      state.attempt?.hasEnded = true
      return Self.reset(&state)
    }
    withExtendedLifetime(gone) {}
  }

  /// Ends a session that nobody attends.
  private func close(_ session: Session) {
    let (connection, gone) = state.withLock { state -> ((any Cancellable)?, [Any?]) in
      guard state.session === session, state.counts.allSatisfy({ $0 <= 0 }) else { return (nil, []) }
      let connection = state.connection
      if outlives {
        state.connection = nil
        state.isConnecting = false
        return (connection, [])
      }
      return (connection, Self.reset(&state))
    }
    connection?.cancel()
    withExtendedLifetime(gone) {}
  }

  /// - Returns: What is to be let go of outside the lock.
  private static func reset(_ state: inout State) -> [Any?] {
    defer {
      state.session = nil
      state.counts = state.counts.map { _ in 0 }
      state.connection = nil
      state.isConnecting = false
      state.attempt = nil
      state.farewell = nil
    }
    return [state.session, state.connection, state.farewell]
  }
}

/// Notices when a subscriber of a ``Gathering`` cancels.
@usableFromInline
package struct Doorkeeper<Input, Failure: Error>: Watcher {
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

extension Gathering where Session: Subject {
  /// A gathering around a subject that `upstream` is brought into.
  @inlinable
  package convenience init<Upstream: Publisher>(
    _ upstream: Upstream, doors: Int = 1, minimum: Int = 1, outlives: Bool = false,
    make: @escaping () -> Session
  ) where Upstream.Output == Session.Output, Upstream.Failure == Session.Failure {
    self.init(doors: doors, minimum: minimum, outlives: outlives, make: make) { subject, gathering in
      let feed = SubjectSubscriber(subject)
      // Not held by the upstream: it may be held by what it shares.
      upstream.handleEvents(receiveCompletion: { [weak gathering, weak subject] _ in
        if let gathering, let subject { gathering.end(subject) }
      }).subscribe(feed)
      return Tether(feed)
    }
  }

  /// Subscribes `subscriber` to the subject, and connects if it is time.
  @inlinable
  package func admit<Downstream: Subscriber>(_ subscriber: Downstream, door: Int = 0)
  where Downstream.Input == Session.Output, Downstream.Failure == Session.Failure {
    let subject = join(door)
    subject.subscribe(
      Watch(Doorkeeper { [weak subject] in if let subject { self.leave(door, subject) } }, to: subscriber))
    begin(subject)
  }
}

/// Cancels a feed when told to, and only then: letting go of it at the end must not cut the end off.
///
/// It does not hold the feed: the feed's upstream does.
@usableFromInline
final class Tether<Feed: AnyObject & Cancellable>: Cancellable {
  @usableFromInline weak var feed: Feed?

  @inlinable
  init(_ feed: Feed) { self.feed = feed }

  @usableFromInline
  func cancel() { feed?.cancel() }
}
