/// The values that a replaying subject stores, and the cursors of its subscribers.
///
/// Each cursor receives the values that are stored when it joins, and then all that are sent, in the same order as every other.
@usableFromInline
// Sendable: what varies is touched inside the drain loop only.
final class ReplayBuffer<Output, Failure: Error>: DrainLoopOwner, @unchecked Sendable {
  @usableFromInline
  package enum Event {
    case value(Output)
    case completion(Subscribers.Completion<Failure>)
    case join(ReplayCursor<Output, Failure>)
    case leave(ReplayCursor<Output, Failure>)
    case abandon
  }

  @usableFromInline let size: Int
  /// Creates the check whether a value that is stored now is too old; `nil` if no value ever is.
  @usableFromInline let age: (() -> () -> Bool)?
  @usableFromInline let drainLoop = DrainLoop<Event>()

  @exclusivity(unchecked)  // inside the drain loop only, as all that follows
  @usableFromInline var kept = RingQueue<(value: Output, isOld: (() -> Bool)?)>()
  @exclusivity(unchecked)
  @usableFromInline var readers: ContiguousArray<ReplayCursor<Output, Failure>> = []
  @exclusivity(unchecked)
  @usableFromInline var ending: Subscribers.Completion<Failure>?

  @usableFromInline
  init(size: Int, age: (() -> () -> Bool)?) {
    if size < 0 { Violation.negativeCount("the size of a buffer", size) }
    self.size = size
    self.age = age
  }

  /// Handles `event` after all earlier ones, even if it is sent during a delivery.
  @inlinable
  func perform(_ event: Event) {
    switch drainLoop.gate.enter() {
    case .entered:
      handle(event)
      drainAndLeave()
    case .nested: if drainLoop.enqueue(event) { drainAndLeave() }
    case .busy: if drainLoop.enqueueValue(event) { drainAndLeave() }
    }
  }

  @inlinable
  func drainAndLeave() { drainLoop.drainAndLeave(for: self) }

  @inlinable
  package func resume() { drainLoop.resume(for: self) }

  @inlinable
  package func cleanUp() {}

  @inlinable
  package func handle(_ event: Event) {
    switch event {
    case .value(let value): if ending == nil { keep(value) }
    case .completion(let completion): end(completion)
    case .join(let reader): join(reader)
    case .leave(let reader):
      reader.hasLeft = true
      readers.removeAll { $0 === reader }
    case .abandon: readers = []
    }
  }

  @inlinable
  func keep(_ value: Output) {
    let old = age == nil ? [] : takeOld()
    let oldest = kept.count >= size ? kept.popFirst() : nil
    if size > 0 { kept.append((value, age?())) }
    for reader in readers { reader.take(value) }
    withExtendedLifetime(oldest) {}
    withExtendedLifetime(old) {}
  }

  /// Removes the values that are too old. The caller releases them last, as that may run user code.
  @inlinable
  func takeOld() -> [Output] {
    var old: [Output] = []
    while let first = kept.first, first.isOld?() == true, let one = kept.popFirst() { old.append(one.value) }
    return old
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) {
    guard ending == nil else { return }
    ending = completion
    let everyone = readers
    readers = []
    for reader in everyone { reader.end(completion) }
  }

  @inlinable
  func join(_ reader: ReplayCursor<Output, Failure>) {
    if reader.hasLeft { return }
    let old = takeOld()
    kept.forEach { reader.take($0.value) }
    if let ending { reader.end(ending) } else { readers.append(reader) }
    withExtendedLifetime(old) {}
  }
}

extension ReplayBuffer {
  /// Sends `downstream` its subscription, and the values that are stored.
  @inlinable
  func add<Downstream: Subscriber<Output, Failure>>(_ downstream: Downstream, as name: String) {
    let core = OperatorCore(name, to: downstream)
    let reader = ReplayCursor<Output, Failure>(
      take: { core.emitFromOutside($0) },
      end: { completion in core.perform { core.finish(completion, afterAll: true) } })
    // The core does not retain the buffer, nor the cursor.
    core.onEnd { [weak self, weak reader] in
      if let self, let reader { self.perform(.leave(reader)) }
    }
    downstream.receive(subscription: core)
    perform(.join(reader))
  }
}

/// One subscriber of a ``ReplayBuffer``.
@usableFromInline
final class ReplayCursor<Output, Failure: Error> {
  @usableFromInline let take: (Output) -> Void
  @usableFromInline let end: (Subscribers.Completion<Failure>) -> Void
  /// Whether its stream is over. It may be before it has joined.
  @exclusivity(unchecked)  // inside the drain loop only
  @usableFromInline var hasLeft = false

  @inlinable
  init(
    take: @escaping (Output) -> Void, end: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.take = take
    self.end = end
  }
}

extension ReplayBuffer: Reflected {}
