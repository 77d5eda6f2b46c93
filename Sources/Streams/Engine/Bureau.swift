public import Synchronization

/// What happens at a ``Desk``.
@frozen @usableFromInline
package enum DeskEvent {
  case signal(() -> Void)
  case asked(Subscribers.Demand)
  case cancelled
}

/// The part of a ``Desk`` that needs no types: who is asked for what, and what must be let go of.
///
/// What is called through `any Subscription` does not know the types, and would have to look them up.
@usableFromInline
// Sendable: what varies is atomic, under the lock, or touched inside the reception only.
package class Bureau: Subscription, @unchecked Sendable {
  @usableFromInline final let name: String
  /// Makes the description, where that is not the name.
  @exclusivity(unchecked)  // written before there is anybody to read it
  @usableFromInline package final var describe: (() -> String)?
  @usableFromInline final let reception = Reception<DeskEvent>()
  @usableFromInline final let over = Atomic(false)
  @usableFromInline final let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline final var links: ContiguousArray<DeskLink> = []
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline final var belongings: [any Cancellable] = []
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline final var mourners: [any Cancellable] = []

  /// Where the downstream lies, and what waits for it; `nil` when the stream is over.
  @exclusivity(unchecked)  // inside the reception only, as all that follows
  @usableFromInline final var place: UnsafeMutableRawPointer?
  /// Lets go of what lies there, and sends what waits there; formed where its type is known.
  @usableFromInline final let close: (UnsafeMutableRawPointer) -> Void
  @usableFromInline final let sendWhatWaits: (Bureau) -> Void
  /// What downstream has asked for and not got.
  @exclusivity(unchecked)
  @usableFromInline package final var demand = Subscribers.Demand.none
  /// How many values wait to be asked for.
  @exclusivity(unchecked)
  @usableFromInline package final var waitingCount = 0
  /// Whether it is decided how the stream ends, once all that waits is sent.
  @exclusivity(unchecked)
  @usableFromInline final var hasEnding = false
  @exclusivity(unchecked)
  @usableFromInline final var isDraining = false
  @exclusivity(unchecked)
  @usableFromInline final var isMoving = false
  @exclusivity(unchecked)
  @usableFromInline final var due: (() -> Void)?
  /// The upstream that is asked for what downstream asks for, and again for what is left out.
  @exclusivity(unchecked)
  @usableFromInline package final var lead: DeskLink?
  @exclusivity(unchecked)
  @usableFromInline final var onAsked: ((Bureau) -> Void)?

  @inlinable
  init(
    _ name: String, _ place: UnsafeMutableRawPointer, close: @escaping (UnsafeMutableRawPointer) -> Void,
    sendWhatWaits: @escaping (Bureau) -> Void
  ) {
    self.name = name
    self.place = place
    self.close = close
    self.sendWhatWaits = sendWhatWaits
  }

  deinit {
    if let place { close(place) }
  }

  /// True once the stream is over: nothing passes any more.
  @inlinable @inline(__always)
  package final var isOver: Bool { over.load(ordering: .acquiring) }

  /// True once it is decided how the stream ends, even if values still wait.
  @inlinable
  package final var isEnding: Bool { hasEnding || isOver }

  // MARK: Subscription

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    if demand > .none, !isOver { perform(.asked(demand)) }
  }

  @usableFromInline
  package final func cancel() {
    guard stop() else { return }
    for mourner in takeMourners() { mourner.cancel() }
    perform(.cancelled)
  }

  // MARK: The reception

  /// Runs `body` inside the reception: here and now, or by who is inside.
  @usableFromInline
  package final func run(_ body: @escaping () -> Void) { perform(.signal(body)) }

  @usableFromInline
  final func perform(_ event: DeskEvent) {
    reception.perform(event) {
      handle($0)
    } tidy: {
      tidyUp()
    }
  }

  @inlinable @inline(__always)
  final func serve() {
    reception.serve {
      handle($0)
    } tidy: {
      tidyUp()
    }
  }

  @inlinable @inline(__always)
  final func tidyUp() {
    if over.load(ordering: .relaxed) { putAway() }
  }

  @usableFromInline @inline(never)
  final func putAway() {
    let place = place
    self.place = nil
    if let place { close(place) }
    lead = nil
    due = nil
    withExtendedLifetime(takeMourners()) {}
    onAsked = nil
    waitingCount = 0
  }

  @usableFromInline
  final func handle(_ event: DeskEvent) {
    if isOver { return }
    switch event {
    case .signal(let body): body()
    case .asked(let more):
      demand += more
      if waitingCount > 0, !isDraining { sendWhatWaits(self) }
      wasAsked()
    case .cancelled: break
    }
  }

  @usableFromInline
  final func wasAsked() {
    askLead()
    onAsked?(self)
  }

  /// Asks the lead for what downstream still wants.
  @inlinable @inline(__always)
  package final func askLead() {
    guard let lead, lead.owed != .max else { return }
    lead.raise(to: waitingCount == 0 ? demand : spare)
  }

  /// The demand that is left when all that waits is sent.
  @usableFromInline
  final var spare: Subscribers.Demand {
    demand.max.map { .max(Swift.max(0, $0 - waitingCount)) } ?? .unlimited
  }
}

extension Bureau: ReflectedByName {
  @usableFromInline package final var description: String { describe?() ?? name }
}
