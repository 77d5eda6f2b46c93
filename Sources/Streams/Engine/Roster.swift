public import Synchronization

/// Who is in an ``Audience``, in order of arrival, and who delivers to them: what needs no types, so that coming and
/// going look none up.
///
/// What is not atomic, constant or under the lock is touched by the thread inside the gate only.
@usableFromInline
package class Roster: @unchecked Sendable {  // see above
  @usableFromInline final let gate = Gate()
  /// Whether something was left in the mailbox.
  @usableFromInline final let hasMail = Atomic(false)
  @usableFromInline final let lock = Lock()

  /// How many have come, and not left; counted before they are at the gate, so that who is told that there is nobody may
  /// go by it.
  @usableFromInline final let population = Atomic(0)

  /// The members, each retained by its place; a hole where one has left.
  @exclusivity(unchecked)  // inside the gate only
  @usableFromInline final var places: ContiguousArray<Unmanaged<Member>?> = []
  @exclusivity(unchecked)  // inside the gate only
  private final var gaps = 0

  /// Whether anybody is on one of the two lists below.
  @usableFromInline final let isUntidy = Atomic(false)
  /// Those who are on no place any more, kept until no delivery can be on its way to them.
  @exclusivity(unchecked)  // inside the gate only
  private final var departed: [Member] = []
  /// Those who cancelled while another thread was inside.
  @exclusivity(unchecked)  // under the lock only
  private final var leavers: [Member] = []
  /// Whether everybody was let go of while another thread was inside.
  @exclusivity(unchecked)  // under the lock only
  private final var isAbandoned = false

  /// How subscribers see the subscription: `print()` shows it.
  @usableFromInline final let name: String
  @usableFromInline final let zeroDemand: ZeroDemand
  /// Whether who asks for anything gets everything.
  @usableFromInline final let takesRequestsAsUnlimited: Bool
  /// Called after a subscriber asked for values, outside the gate.
  @usableFromInline final let onRequest: (() -> Void)?
  /// Called after a subscriber cancelled, or was let go of.
  @usableFromInline final let onCancel: (() -> Void)?

  // Formed where the types are known: a method of a class with type parameters is not specialised when it is
  // called from here.
  @usableFromInline final let serveMail: (Roster) -> Void
  @usableFromInline final let replay: ((Roster, Member) -> Void)?

  @inlinable
  init(
    _ name: String, zeroDemand: ZeroDemand, takesRequestsAsUnlimited: Bool,
    onRequest: (() -> Void)?, onCancel: (() -> Void)?,
    serveMail: @escaping (Roster) -> Void, replay: ((Roster, Member) -> Void)?
  ) {
    self.name = name
    self.zeroDemand = zeroDemand
    self.takesRequestsAsUnlimited = takesRequestsAsUnlimited
    self.onRequest = onRequest
    self.onCancel = onCancel
    self.serveMail = serveMail
    self.replay = replay
  }

  deinit {
    for place in places { place?.release() }
  }

  // MARK: Coming and going

  /// Whether somebody may have to hear of what is sent now.
  @inlinable @inline(__always)
  final var hasListeners: Bool {
    population.load(ordering: .relaxed) != 0 || hasMail.load(ordering: .relaxed)
  }

  @usableFromInline
  final func wasAsked(by member: Member) {
    onRequest?()
    replay?(self, member)
  }

  /// Takes `member`, who has cancelled, off the list.
  @usableFromInline
  final func leave(_ member: Member) {
    switch gate.enter() {
    case .entered:
      strike(member)
      closeGaps()
      member.vacate()
      goOut()
    case .nested: unseat(member)
    case .busy:
      lock.withLock { leavers.append(member) }
      isUntidy.store(true, ordering: .releasing)
      if gate.knock() { serveMail(self) }
    }
  }

  /// Lets everybody go without a word: nobody can send any more.
  @usableFromInline
  package final func abandon() {
    switch gate.enter() {
    case .entered:
      letGo()
      goOut()
    case .nested: letGo()
    case .busy:
      lock.withLock { isAbandoned = true }
      isUntidy.store(true, ordering: .releasing)
      if gate.knock() { serveMail(self) }
    }
  }

  /// Goes out of the gate, after what was left behind meanwhile has been seen to.
  @inlinable @inline(__always)
  final func goOut() {
    if isUntidy.load(ordering: .acquiring) || !gate.leave() { serveMail(self) }
  }
}

extension Roster: ReflectedByName {
  @usableFromInline package final var description: String { name }

  /// For mirrors: `nil` while another thread is inside.
  final func downstream(of member: Member) -> Any? {
    switch gate.enter() {
    case .entered:
      defer { goOut() }
      return member.downstream
    case .nested: return member.downstream
    case .busy: return nil
    }
  }
}

// MARK: Inside the gate

extension Roster {
  @usableFromInline
  final func seat(_ member: Member) {
    guard !member.tally.isClosed else {
      population.wrappingSubtract(1, ordering: .relaxed)
      return put(away: member)
    }
    member.place = places.count
    places.append(.passRetained(member))
  }

  @usableFromInline
  final func unseat(_ member: Member) {
    put(away: member)
    strike(member)
  }

  @usableFromInline
  final var everyone: [Member] { places.compactMap { $0?.takeUnretainedValue() } }

  /// Runs when no delivery is under way: lets go of those who left, and closes the gaps once they are many.
  @usableFromInline
  final func tidyUp() {
    while isUntidy.exchange(false, ordering: .acquiringAndReleasing) {
      let (gone, isAbandoned) = lock.withLock {
        defer { leavers = [] }
        return (leavers, self.isAbandoned)
      }
      for member in gone { unseat(member) }
      if isAbandoned { letGo() }
      let departed = departed
      self.departed = []
      for member in departed { member.vacate() }
    }
    closeGaps()
  }

  private final func put(away member: Member) {
    departed.append(member)
    isUntidy.store(true, ordering: .relaxed)
  }

  private final func letGo() {
    for member in everyone where member.tally.close() {
      unseat(member)
      onCancel?()
    }
  }

  private final func closeGaps() {
    while gaps > 0, places[places.count - 1] == nil {
      places.removeLast()
      gaps -= 1
    }
    guard gaps * 2 > places.count else { return }
    gaps = 0
    var kept = 0
    for index in 0..<places.count {
      guard let member = places[index] else { continue }
      member._withUnsafeGuaranteedRef { $0.place = kept }
      places[kept] = member
      kept += 1
    }
    places.removeLast(places.count - kept)
  }

  private final func strike(_ member: Member) {
    guard member.place >= 0 else { return }
    places[member.place]?.release()
    places[member.place] = nil
    member.place = -1
    gaps += 1
    population.wrappingSubtract(1, ordering: .relaxed)
  }
}
