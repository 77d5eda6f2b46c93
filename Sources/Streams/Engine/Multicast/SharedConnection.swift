internal import Synchronization

/// One connection that many subscribers share: made when enough of them are there, cancelled when the last has cancelled.
///
/// Subscribers are counted at one or several groups: the connection is made when there are enough at each.
@usableFromInline
package final class SharedConnection: @unchecked Sendable {  // what varies is guarded; `wait` is called as a publisher's closures are
  private struct State {
    var counts: [Int]
    /// Whether a subscriber has requested values, since the connection can last have been cancelled.
    var isRequested = false
    /// Whether the stream has ended, or, unless this reconnects, all subscribers have cancelled.
    var isOver = false
    var connection: Connection?
    /// The scheduled end of a connection that has no subscriber any more.
    var pendingEnd: (any Cancellable)?

    var isUnattended: Bool { counts.allSatisfy { $0 <= 0 } }

    mutating func disconnect(for ever: Bool) -> Connection? {
      isRequested = false
      isOver = isOver || ever
      return connection.take()
    }
  }

  private let minimum: Int
  private let reconnects: Bool
  private let wait: ((@escaping () -> Void) -> any Cancellable)?
  private let state: Guarded<State>

  /// - Parameters:
  ///   - groups: How many groups there are.
  ///   - minimum: How many subscribers there must be at each.
  ///   - reconnects: Whether another connection is made after all subscribers have cancelled.
  ///   - wait: Schedules the end of a connection that has no subscriber any more; `nil` ends it at once.
  @usableFromInline
  package init(
    groups: Int = 1, minimum: Int = 1, reconnects: Bool = true,
    wait: ((@escaping () -> Void) -> any Cancellable)? = nil
  ) {
    self.minimum = minimum
    self.reconnects = reconnects
    self.wait = wait
    state = Guarded(State(counts: Array(repeating: 0, count: groups)))
  }

  /// Counts a subscriber. False if this is over and does not reconnect.
  @usableFromInline @discardableResult
  package func join(_ group: Int = 0) -> Bool {
    let (isOpen, pendingEnd) = state.withLock { state in
      guard reconnects || !state.isOver else { return (false, (any Cancellable)?.none) }
      state.counts[group] += 1
      return (true, state.pendingEnd.take())
    }
    pendingEnd?.cancel()
    return isOpen
  }

  /// Runs `connect` with the new connection, if one must be made: for one caller only, however many subscribe at once.
  @inlinable
  package func begin(_ connect: (Connection) -> Void) {
    if let connection = newConnection() { connect(connection) }
  }

  @usableFromInline
  package func newConnection() -> Connection? {
    state.withLock { state in
      guard state.connection == nil, !state.isOver, state.counts.allSatisfy({ $0 >= minimum }) else {
        return nil
      }
      let connection = Connection(isRequested: state.isRequested)
      state.connection = connection
      return connection
    }
  }

  /// From now on everything is requested of the upstream.
  @usableFromInline
  package func subscriberDidRequest() {
    state.withLock { state in
      state.isRequested = true
      return state.connection
    }?.requestAll()
  }

  /// A subscriber has cancelled. True if this is over by that.
  @usableFromInline @discardableResult
  package func leave(_ group: Int = 0) -> Bool {
    let (isLast, connection) = state.withLock { state -> (Bool, Connection?) in
      state.counts[group] -= 1
      guard state.isUnattended else { return (false, nil) }
      return (true, wait == nil ? state.disconnect(for: !reconnects) : nil)
    }
    connection?.cancel()
    guard isLast, let wait else { return isLast && !reconnects }
    let pendingEnd = wait { self.disconnectIfUnattended() }  // retained: the publisher may be gone by then
    let old = state.withLock { state -> (any Cancellable)? in
      guard state.isUnattended else { return pendingEnd }
      defer { state.pendingEnd = pendingEnd }
      return state.pendingEnd
    }
    old?.cancel()
    return false
  }

  /// The stream has ended: no connection is made any more. One that was just made is cancelled; the one that ended is closed.
  @usableFromInline
  package func end() {
    state.withLock { $0.disconnect(for: true) }?.cancel()
  }

  private func disconnectIfUnattended() {
    state.withLock { $0.isUnattended ? $0.disconnect(for: !reconnects) : nil }?.cancel()
  }
}

/// One connection of a ``SharedConnection`` to its upstream.
@usableFromInline
package final class Connection: @unchecked Sendable {  // of the handle, only what any thread may call is used
  @usableFromInline let handle = UpstreamHandle()
  /// Whether upstream is attached, and whether its values are requested: one bit each.
  private let phase: Atomic<UInt8>
  /// Called once this is over; `nil` afterwards.
  private let onEnd = Guarded<(() -> Void)?>({})

  private static var attached: UInt8 { 1 }
  private static var requested: UInt8 { 2 }

  @usableFromInline
  init(isRequested: Bool) { phase = Atomic(isRequested ? Self.requested : 0) }

  /// True while upstream is connected. Its values before and after that are ignored.
  @inlinable
  package var isOpen: Bool { handle.isLive }

  @usableFromInline
  package func attach(_ subscription: any Subscription) {
    guard handle.attach(subscription) else { return subscription.cancel() }
    if set(Self.attached) == Self.requested { handle.request(.unlimited) }
  }

  /// Requests everything of the upstream, once.
  @usableFromInline
  package func requestAll() {
    if set(Self.requested) == Self.attached { handle.request(.unlimited) }
  }

  /// Sets a bit, and returns what was set before. Of two threads, the second sees the bit of the first, as a
  /// read-modify-write is never stale. A load could be, and then neither would request.
  private func set(_ bit: UInt8) -> UInt8 { phase.bitwiseOr(bit, ordering: .relaxed).oldValue }

  @usableFromInline
  package func cancel() {
    handle.cancel()
    didEnd()
  }

  /// Closes without cancelling. True for the first time only.
  @usableFromInline
  package func close() -> Bool {
    defer { didEnd() }
    return handle.endOnce()
  }

  /// Calls `handler` once this is cancelled or closed; at once if it is.
  func whenOver(_ handler: @escaping () -> Void) {
    let isKept = onEnd.withLock { onEnd -> Bool in
      if onEnd == nil { return false }
      onEnd = handler
      return true
    }
    if !isKept { handler() }
  }

  private func didEnd() { onEnd.withLock { $0.take() }?() }
}

extension Connection: Reflected {}

/// The receiver of the signals of a ``SharedConnection``.
///
/// Its associated types must not have the names of a publisher's. Otherwise `Output` of a public subject that conforms may
/// refer to this protocol, and clients cannot infer public types from it.
@usableFromInline
package protocol SharedTarget<TargetOutput, TargetFailure>: AnyObject {
  associatedtype TargetOutput
  associatedtype TargetFailure: Error

  /// Decides when everything is requested of `connection`.
  func attach(_ connection: Connection)
  func send(_ value: TargetOutput)
  func send(completion: Subscribers.Completion<TargetFailure>)
  /// Called when no more signals can arrive.
  func abandon()
}

/// The subscriber of the one upstream.
@usableFromInline
package final class SharedInlet<Target: SharedTarget>: Subscriber {
  @usableFromInline package typealias Input = Target.TargetOutput
  @usableFromInline package typealias Failure = Target.TargetFailure

  @usableFromInline let connection: Connection
  @usableFromInline let target: Target
  @usableFromInline let onEnd: () -> Void

  @inlinable
  package init(_ connection: Connection, _ target: Target, onEnd: @escaping () -> Void) {
    self.connection = connection
    self.target = target
    self.onEnd = onEnd
  }

  /// Upstream was released without a completion: so are the subscribers.
  deinit {
    if connection.close() { target.abandon() }
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    connection.attach(subscription)
    if connection.isOpen { target.attach(connection) }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if connection.isOpen { target.send(input) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard connection.close() else { return }
    onEnd()
    target.send(completion: completion)
  }
}

extension SharedInlet: ReflectedByName {
  @usableFromInline package var description: String { "Share" }
}
