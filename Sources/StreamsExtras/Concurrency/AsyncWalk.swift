internal import Synchronization

/// A subscription to an asynchronous sequence: awaits as many elements as are requested.
///
/// A request that finds no demand starts a task, which ends when the demand is met. So no task waits for demand, and
/// a subscription without demand can be dropped without leaving a task behind.
// Sendable: `iterator` belongs to the one task, or to the thread that starts it; `erased` to the thread inside the
// lifecycle state.
final class AsyncWalk<Elements: AsyncSequence & Sendable>: Subscription, @unchecked Sendable
where Elements.Element: Sendable {
  private struct Walks {
    var count = 0
    var latest: Task<Void, Never>?
  }

  @exclusivity(unchecked)  // cleared when the last one leaves the lifecycle state: later signals are ignored
  private var elements: Elements?
  private let demandCounter = DemandCounter()
  private let walks = Guarded(Walks())
  private let lifecycle = LifecycleState()
  @exclusivity(unchecked)  // cleared when the last one leaves the lifecycle state
  private var erased: ErasedDownstream<Elements.Element, Elements.Failure>?
  @exclusivity(unchecked)  // inside the lifecycle state: put back when a task ends, taken when the next begins
  private var iterator: Elements.AsyncIterator?

  init<Downstream: Subscriber<Elements.Element, Elements.Failure>>(
    through elements: Elements, to downstream: Downstream
  ) {
    self.elements = elements
    erased = ErasedDownstream(downstream)
    _ = lifecycle.claim() && lifecycle.attach(under: nil)
    demandCounter.add(.max(1))  // the subscription itself: what is requested before it has arrived waits (law X19)
  }

  /// The subscription has arrived.
  func open() {
    if let demand = demandCounter.settle(1), demand > .none { start(demand) }
  }

  func request(_ demand: Subscribers.Demand) {
    if demand > .none, demandCounter.raise(by: demand) { start(demand) }
  }

  private func start(_ demand: Subscribers.Demand) {
    let number = walks.withLock { walks in
      walks.count += 1
      return walks.count
    }
    let task = DetachedTask.start { await self.walk(demand) }
    walks.withLock { walks in
      // It may have ended already, and its successor may be known.
      if number == walks.count { walks.latest = task }
    }
    // A cancellation that came before may have found no task.
    if demandCounter.isClosed { task.cancel() }
  }

  func cancel() {
    _ = lifecycle.enter()
    defer { leave() }
    guard lifecycle.close() else { return }
    _ = demandCounter.close()
    walks.withLock { $0.latest.take() }?.cancel()
  }

  // MARK: The task

  private func walk(_ demand: Subscribers.Demand) async {
    guard var iterator = setOut() else { return }
    var left = demand
    var sent = 0
    while true {
      do throws(Elements.Failure) {
        guard let element = try await iterator.next(isolation: nil) else { return end(.finished) }
        guard let more = deliver(element) else { return }
        left += more
      } catch {
        return end(.failure(error))
      }
      if left.isUnlimited { continue }
      sent += 1
      left -= 1
      guard left == .none else { continue }
      guard let rest = settle(sent, iterator) else { return }
      (left, sent) = (rest, 0)
    }
  }

  private func setOut() -> Elements.AsyncIterator? {
    let isOpen = lifecycle.enter()
    defer { leave() }
    return isOpen ? iterator.take() ?? elements!.makeAsyncIterator() : nil
  }

  /// - Returns: The additional demand of the subscriber; `nil` if the stream is over.
  private func deliver(_ element: Elements.Element) -> Subscribers.Demand? {
    let isOpen = lifecycle.enter()
    defer { leave() }
    guard isOpen else { return nil }
    let more = erased!.deliver(element)
    if more > .none { demandCounter.add(more) }
    return lifecycle.isOpen ? more : nil
  }

  /// Subtracts the elements that were sent from the demand. Returns the remaining demand; `nil` if there is none.
  private func settle(_ sent: Int, _ iterator: Elements.AsyncIterator) -> Subscribers.Demand? {
    let isOpen = lifecycle.enter()
    defer { leave() }
    guard isOpen else { return nil }
    // Put back before settling: from then on, the next request starts another task.
    self.iterator = iterator
    guard let rest = demandCounter.settle(sent), rest > .none else { return nil }
    self.iterator = nil
    return rest
  }

  private func end(_ completion: Subscribers.Completion<Elements.Failure>) {
    let isOpen = lifecycle.enter()
    defer { leave() }
    guard isOpen, lifecycle.close() else { return }
    _ = demandCounter.close()
    erased!.complete(completion)
  }

  private func leave() {
    guard lifecycle.leave() else { return }
    erased = nil
    iterator = nil
    elements = nil
  }
}

extension AsyncWalk: ReflectedByName {
  var description: String { "AsyncSequence" }
}
