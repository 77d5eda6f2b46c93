public import Synchronization

/// Delivers signals to an actor, in order.
///
/// On the main queue, the caller itself delivers signals for the main actor, as long as none waits. All other signals
/// wait for a job of the actor, unless the policy traps. A burst of signals is one job, up to a bound. The rest is another
/// job, so others have their turn however fast signals arrive. A signal that is more urgent than all jobs that have not ended
/// starts another one, which delivers what waits before it, too.
@usableFromInline
package final class ActorDelivery: @unchecked Sendable {  // what changes is under the lock, or atomic
  /// True while a caller on the main queue may deliver at once.
  @usableFromInline let isReady: Atomic<Bool>
  private let isForMainActor: Bool
  private let policy: Subscribers.IsolationPolicy
  /// Delivers the completion, if that belongs to another actor.
  private let last: ActorDelivery?

  private let lock = Lock()
  @exclusivity(unchecked)  // under the lock only, as the next two
  private var waiting = RingQueue<() -> Void>()
  /// A bit for each priority with a job that has not ended.
  @exclusivity(unchecked)
  private var jobs: UInt64 = 0
  /// Released when this is closed: the actor may hold it.
  @exclusivity(unchecked)
  private var actor: (any Actor)?

  /// How many signals one job delivers, if they take no longer than a ``Burst``: few enough not to delay other jobs, and enough
  /// to make their start cheap.
  private static var most: Int { 256 }

  package init(
    to actor: any Actor, policy: Subscribers.IsolationPolicy = .deliverOnActor, last: ActorDelivery? = nil
  ) {
    self.last = last
    self.policy = policy
    isForMainActor = actor === MainActor.shared
    isReady = Atomic(isForMainActor && policy == .deliverOnActor)
    self.actor = actor
  }

  /// Whether the caller is where signals belong, and none is before its own.
  @inlinable @inline(__always)
  package var isHere: Bool { isReady.load(ordering: .relaxed) && MainQueue.isCurrent }

  /// A closure that delivers values to `take`.
  @inlinable
  func delivering<Value>(_ take: @escaping (Value) -> Void) -> (Value) -> Void {
    { value in
      if self.isHere { take(value) } else { self.deliver(value, to: take) }
    }
  }

  @inlinable @inline(never)
  func deliver<Value>(_ value: Value, to take: @escaping (Value) -> Void) { deliver { take(value) } }

  /// Delivers `signal` on the actor, after all earlier signals. Call this unless ``isHere``.
  @usableFromInline
  package func deliver(_ signal: @escaping () -> Void) {
    if policy == .trap { return deliverHere(signal) }
    let priority = Task.currentPriority
    let destination = lock.withLock { () -> (any Actor)? in
      guard let actor else { return nil }
      waiting.append(signal)
      isReady.store(false, ordering: .relaxed)
      if jobs >= priority.bit { return nil }
      jobs |= priority.bit
      return actor
    }
    if let destination { setOut(for: destination, priority) }
  }

  /// Delivers `signal` after all others, here if this is the place, and closes this.
  @usableFromInline
  func finish(_ signal: @escaping () -> Void) {
    let finish = {
      signal()
      self.close()
    }
    if let last {
      deliver { last.isHere ? finish() : last.deliver(finish) }
    } else {
      isHere ? finish() : deliver(finish)
    }
  }

  /// Drops what waits, and accepts nothing more.
  @usableFromInline
  package func close() {
    let dropped = lock.withLock {
      isReady.store(false, ordering: .relaxed)
      defer { (waiting, actor) = (RingQueue(), nil) }
      return (waiting, actor)
    }
    withExtendedLifetime(dropped) {}
    last?.close()
  }

  private func setOut(for actor: any Actor, _ priority: TaskPriority) {
    if isForMainActor { MainActorBacklog.willWait() }
    DetachedTask.start(priority: priority) { await self.run(on: actor, priority) }
  }

  private func run(on actor: isolated any Actor, _ priority: TaskPriority) {
    if isForMainActor { MainActorBacklog.didBegin() }
    var burst = Burst()
    while !burst.isOver {
      guard let signal = next(for: priority) else { return }
      signal()
      burst.count(upTo: Self.most)
    }
    // Not ended: signals that arrive meanwhile wait behind the rest. A task of its own, and not a yield, which would
    // not keep to the executor of a test.
    setOut(for: actor, priority)
  }

  private func next(for priority: TaskPriority) -> (() -> Void)? {
    lock.withLock {
      if let signal = waiting.popFirst() { return signal }
      jobs &= ~priority.bit
      isReady.store(isForMainActor && actor != nil, ordering: .relaxed)
      return nil
    }
  }

  private func deliverHere(_ signal: () -> Void) {
    guard let actor = lock.withLock({ actor }) else { return }
    if !isForMainActor {
      actor.preconditionIsolated("Law T5 broken: a signal for an actor was sent from outside it.")
    } else if !MainQueue.isCurrent {
      Violation.wrongActor("the main actor")
    }
    signal()
  }
}

extension ActorDelivery: Reflected {}

extension TaskPriority {
  /// A higher bit for a higher priority. Zero, that of code outside of tasks, counts as what tasks have then.
  fileprivate var bit: UInt64 { 1 << UInt64((rawValue == 0 ? TaskPriority.medium : self).rawValue / 4) }
}
