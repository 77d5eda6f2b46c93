internal import Synchronization

/// A subscription to an asynchronous sequence: awaits as many elements as are asked for.
///
/// A request that finds no demand starts a task, which ends when the demand is met. So nothing waits for demand, and
/// who drops the subscription then leaves nothing behind.
// Sendable: `iterator` belongs to the one task there is, or to who starts one; `seat` to who is inside the turnstile.
final class AsyncWalk<Elements: AsyncSequence & Sendable>: Subscription, @unchecked Sendable
where Elements.Element: Sendable {
  private struct Errands {
    var count = 0
    var latest: Task<Void, Never>?
  }

  @exclusivity(unchecked)  // cleared when the last one leaves the turnstile: who is cancelled listens to nobody
  private var elements: Elements?
  private let tally = Tally()
  private let errands = Guarded(Errands())
  private let turnstile = Turnstile()
  @exclusivity(unchecked)  // cleared when the last one leaves the turnstile
  private var seat: Seat<Elements.Element, Elements.Failure>?
  @exclusivity(unchecked)  // inside the turnstile: put back when a task ends, taken when the next begins
  private var iterator: Elements.AsyncIterator?

  init<Downstream: Subscriber<Elements.Element, Elements.Failure>>(
    through elements: Elements, to downstream: Downstream
  ) {
    self.elements = elements
    seat = Seat(downstream)
    _ = turnstile.attach()
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none, tally.raise(by: demand) else { return }
    let number = errands.withLock { errands in
      errands.count += 1
      return errands.count
    }
    let task = Errand.start { await self.walk(demand) }
    errands.withLock { errands in
      // It may have ended already, and its successor may be known.
      if number == errands.count { errands.latest = task }
    }
    // A cancellation that came before may have found no task.
    if tally.isClosed { task.cancel() }
  }

  func cancel() {
    _ = turnstile.enter()
    defer { leave() }
    guard turnstile.close() else { return }
    _ = tally.close()
    errands.withLock { $0.latest.take() }?.cancel()
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
    let isOpen = turnstile.enter()
    defer { leave() }
    return isOpen ? iterator.take() ?? elements!.makeAsyncIterator() : nil
  }

  /// - Returns: What is asked for besides; `nil` if the stream is over.
  private func deliver(_ element: Elements.Element) -> Subscribers.Demand? {
    let isOpen = turnstile.enter()
    defer { leave() }
    guard isOpen else { return nil }
    let more = seat!.deliver(element)
    if more > .none { tally.add(more) }
    return turnstile.isOpen ? more : nil
  }

  /// Takes what was sent off the demand, and answers what is asked for besides; `nil` if that is nothing.
  private func settle(_ sent: Int, _ iterator: Elements.AsyncIterator) -> Subscribers.Demand? {
    let isOpen = turnstile.enter()
    defer { leave() }
    guard isOpen else { return nil }
    // Put back before settling: from then on, the next request starts another task.
    self.iterator = iterator
    guard let rest = tally.settle(sent), rest > .none else { return nil }
    self.iterator = nil
    return rest
  }

  private func end(_ completion: Subscribers.Completion<Elements.Failure>) {
    let isOpen = turnstile.enter()
    defer { leave() }
    guard isOpen, turnstile.close() else { return }
    _ = tally.close()
    seat!.complete(completion)
  }

  private func leave() {
    guard turnstile.leave() else { return }
    seat = nil
    iterator = nil
    elements = nil
  }
}

extension AsyncWalk: ReflectedByName {
  var description: String { "AsyncSequence" }
}
