extension ConnectablePublisher {
  /// Connects when the first subscriber comes, and disconnects when the last one cancels.
  ///
  /// The first subscriber is in its place before the connection is made. A completion is no cancellation: what has
  /// ended is not connected again. Subscribers that come at the same time make one connection.
  @inlinable
  public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

extension Publishers {
  /// The publisher of ``ConnectablePublisher/autoconnect()``.
  public class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is connected for the first subscriber.
    public final let upstream: Upstream
    @usableFromInline final let switchboard = Switchboard()

    /// Connects `upstream` for its subscribers.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @inline(__always)
    public final func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      switchboard.join()
      let guest = Guest(switchboard, subscriber)
      upstream.subscribe(guest)
      if !guest.turnstile.isClosed { switchboard.connect { [upstream] in upstream.connect() } }
    }
  }
}

// `upstream` is constant, and the switchboard has its lock; the class is open to subclasses, as Combine's is.
extension Publishers.Autoconnect: @unchecked Sendable where Upstream: Sendable {}

/// Counts subscribers, and holds the one connection while there are any.
@usableFromInline
final class Switchboard: Sendable {
  private enum Line {
    case cut
    case connecting
    case connected(any Cancellable)
  }

  private struct State {
    var guests = 0
    var line = Line.cut
  }

  private let state = Guarded(State())

  @usableFromInline init() {}

  @usableFromInline
  func join() { state.withLock { $0.guests += 1 } }

  /// Connects, for the first caller only.
  @usableFromInline
  func connect(_ connect: () -> any Cancellable) {
    let isFirst = state.withLock { state in
      guard case .cut = state.line, state.guests > 0 else { return false }
      state.line = .connecting
      return true
    }
    guard isFirst else { return }
    let connection = connect()
    let isWanted = state.withLock { state in
      state.line = state.guests > 0 ? .connected(connection) : .cut
      return state.guests > 0
    }
    if !isWanted { connection.cancel() }
  }

  @usableFromInline
  func leave() {
    state.withLock { state -> (any Cancellable)? in
      state.guests -= 1
      guard state.guests == 0, case .connected(let connection) = state.line else { return nil }
      state.line = .cut
      return connection
    }?.cancel()
  }
}

/// One subscriber of an autoconnected publisher: the switchboard hears when it cancels.
@usableFromInline
final class Guest<Downstream: Subscriber>: Subscriber, Subscription {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  /// What upstream's subscription is called: it may go before this.
  @exclusivity(unchecked)  // written on arrival, before anybody can see this
  @usableFromInline var name = "Autoconnect"
  @usableFromInline let switchboard: Switchboard
  @usableFromInline let turnstile = Turnstile()
  @exclusivity(unchecked)  // written on arrival, and when the last one leaves the turnstile
  @usableFromInline var upstream: (any Subscription)?
  @exclusivity(unchecked)  // cleared when the last one leaves the turnstile
  @usableFromInline var exit: UnsafeMutablePointer<Exit<Downstream>>?

  @inlinable
  init(_ switchboard: Switchboard, _ downstream: Downstream) {
    self.switchboard = switchboard
    exit = .lodging(Exit(downstream))
  }

  deinit { exit?.close() }

  @inlinable
  func receive(subscription: any Subscription) {
    _ = turnstile.enter()
    defer { leave() }
    guard turnstile.attach() else { return subscription.cancel() }
    upstream = subscription
    name = String(describing: subscription)
    exit!.pointee.attach(self)
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    let isOpen = turnstile.enter()
    defer { leave() }
    return isOpen ? exit!.pointee.deliver(input) : .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    let isOpen = turnstile.enter()
    defer { leave() }
    if isOpen, turnstile.close() { exit!.pointee.complete(completion) }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    let isOpen = turnstile.enter()
    defer { leave() }
    if isOpen, demand > .none { upstream?.request(demand) }
  }

  @usableFromInline
  func cancel() {
    _ = turnstile.enter()
    defer { leave() }
    guard turnstile.closeForCancelling() else { return }
    upstream?.cancel()
    switchboard.leave()
  }

  @inlinable @inline(__always)
  func leave() {
    if turnstile.leave() { putAway() }
  }

  @usableFromInline @inline(never)
  func putAway() {
    upstream = nil
    exit.take()?.close()
  }
}

extension Guest: ReflectedByName {
  @usableFromInline var description: String { name }
}
