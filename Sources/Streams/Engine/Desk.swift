public import Synchronization

/// Upstreams that an operator opens and closes as it likes, for one downstream that it sends what it likes.
///
/// All of that happens inside one reception: what upstreams say, what downstream asks for, what a timer wants. So an
/// operator is written as if there were one thread, and keeps its state in plain variables. A value for which there
/// is no demand waits, in order. One upstream may be the lead: it is asked for what downstream asks for.
@usableFromInline
// Sendable: what varies is atomic, under the lock, or touched inside the reception only.
package final class Desk<Downstream: Subscriber>: Subscription, @unchecked Sendable {
  @usableFromInline package typealias Output = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline
  enum Event {
    case signal(() -> Void)
    case asked(Subscribers.Demand)
    case cancelled
  }

  @usableFromInline let name: String
  @usableFromInline let reception = Reception<Event>()
  @usableFromInline let over = Atomic(false)
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var links: ContiguousArray<DeskLink> = []
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var belongings: [any Cancellable] = []
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var mourners: [any Cancellable] = []

  @exclusivity(unchecked)  // inside the reception only, as all that follows
  @usableFromInline var exit: Exit<Downstream>?
  /// What downstream has asked for and not got.
  @exclusivity(unchecked)
  @usableFromInline package var demand = Subscribers.Demand.none
  @exclusivity(unchecked)
  @usableFromInline var waiting = Fifo<(Output, DeskLink?)>()
  @exclusivity(unchecked)
  @usableFromInline var ending: Subscribers.Completion<Failure>?
  @exclusivity(unchecked)
  @usableFromInline var isDraining = false
  @exclusivity(unchecked)
  @usableFromInline var isMoving = false
  @exclusivity(unchecked)
  @usableFromInline var due: (() -> Void)?
  /// The upstream that is asked for what downstream asks for, and again for what is left out.
  @exclusivity(unchecked)
  @usableFromInline package var lead: DeskLink?
  /// Told when downstream has asked for more. It must not hold the desk.
  @exclusivity(unchecked)
  @usableFromInline package var onRequest: ((Desk) -> Void)?

  @inlinable
  package init(_ name: String, to downstream: Downstream) {
    self.name = name
    exit = Exit(downstream)
  }

  /// Hands `downstream` its subscription, and then has `wire` bring the upstreams, inside the reception.
  @inlinable @inline(__always)
  package static func start(
    _ name: String, for downstream: Downstream, wire: @escaping (Desk) -> Void
  ) {
    let desk = Desk(name, to: downstream)
    downstream.receive(subscription: desk)
    desk.run { wire(desk) }
  }

  /// True once the stream is over: nothing passes any more.
  @inlinable @inline(__always)
  package var isOver: Bool { over.load(ordering: .acquiring) }

  /// True once it is decided how the stream ends, even if values still wait.
  @inlinable
  package var isEnding: Bool { ending != nil || isOver }

  @inlinable
  package var waitingCount: Int { waiting.count }

  // MARK: Subscription

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if demand > .none, !isOver { perform(.asked(demand)) }
  }

  @usableFromInline
  package func cancel() {
    guard stop() else { return }
    for mourner in takeMourners() { mourner.cancel() }
    perform(.cancelled)
  }

  // MARK: What must be let go of

  /// Cancels `belonging` when the stream is over, however it ends; now, if it is.
  @usableFromInline
  package func keep(_ belonging: any Cancellable) {
    let isKept = lock.withLock { () -> Bool in
      if over.load(ordering: .relaxed) { return false }
      belongings.append(belonging)
      return true
    }
    if !isKept { belonging.cancel() }
  }

  /// Cancels `mourner` if the stream is cancelled; not if it ends.
  @usableFromInline
  package func keepOnCancel(_ mourner: any Cancellable) {
    let isKept = lock.withLock { () -> Bool in
      if over.load(ordering: .relaxed) { return false }
      mourners.append(mourner)
      return true
    }
    if !isKept { mourner.cancel() }
  }

  @usableFromInline
  func takeMourners() -> [any Cancellable] {
    lock.withLock { () -> [any Cancellable] in
      defer { mourners = [] }
      return mourners
    }
  }

  @usableFromInline
  func enrol(_ link: DeskLink) -> Bool {
    lock.withLock {
      guard !over.load(ordering: .relaxed), ending == nil else { return false }
      link.place = links.count
      links.append(link)
      return true
    }
  }

  @usableFromInline
  func strikeOff(_ link: DeskLink) {
    lock.withLock {
      guard let place = link.place else { return }
      link.place = nil
      let last = links.removeLast()
      if last !== link {
        links[place] = last
        last.place = place
      }
    }
  }

  /// Ends everything that goes on upstream. True for the first caller.
  @usableFromInline
  func stop() -> Bool {
    guard !over.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    for link in takeLinks() { link.upstream.cancel() }
    let rest = lock.withLock { () -> [any Cancellable] in
      defer { belongings = [] }
      return belongings
    }
    for belonging in rest { belonging.cancel() }
    return true
  }

  @usableFromInline
  func takeLinks() -> ContiguousArray<DeskLink> {
    lock.withLock { () -> ContiguousArray<DeskLink> in
      defer { links = [] }
      for link in links { link.place = nil }
      return links
    }
  }

  // MARK: The reception

  /// Runs `body` inside the reception: here and now, or by who is inside.
  @inlinable
  package func run(_ body: @escaping () -> Void) { perform(.signal(body)) }

  @usableFromInline
  func perform(_ event: Event) {
    reception.perform(event) {
      handle($0)
    } tidy: {
      tidyUp()
    }
  }

  @inlinable @inline(__always)
  func serve() {
    reception.serve {
      handle($0)
    } tidy: {
      tidyUp()
    }
  }

  @inlinable @inline(__always)
  func tidyUp() {
    if over.load(ordering: .relaxed) { putAway() }
  }

  @usableFromInline @inline(never)
  func putAway() {
    exit = nil
    lead = nil
    due = nil
    withExtendedLifetime(takeMourners()) {}
    onRequest = nil
    ending = nil
    waiting = Fifo()
  }

  @usableFromInline
  func handle(_ event: Event) {
    if isOver { return }
    switch event {
    case .signal(let body): body()
    case .asked(let more):
      demand += more
      drain()
      wasAsked()
    case .cancelled: break
    }
  }
}

extension Desk: CustomStringConvertible {
  @usableFromInline package var description: String { name }
}
