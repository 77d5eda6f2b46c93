extension Publishers {
  /// How many values are kept for an iteration that is not waiting for one.
  public enum AsyncBuffering: Hashable, Sendable {
    /// Keeps every value. The subscription requests everything at once.
    case unbounded

    /// Keeps the newest values, up to a number, and drops the oldest. The subscription requests everything at once.
    case bufferingNewest(Int)

    /// Keeps the oldest values, up to a number, and drops newer ones. The subscription requests everything at once.
    case bufferingOldest(Int)

    /// Requests a number of values in advance, and one more each time the iteration awaits one.
    ///
    /// The buffer is never full. A publisher that drops values for lack of demand still does so.
    case prefetching(Int)

    /// The initial demand.
    @inlinable
    var demand: Subscribers.Demand {
      if case .prefetching(let count) = self { .max(count) } else { .unlimited }
    }

    @inlinable
    var isCounting: Bool {
      if case .prefetching = self { true } else { false }
    }

    /// Traps if a count is negative.
    @usableFromInline
    package func requireValid() {
      switch self {
      case .bufferingNewest(let count), .bufferingOldest(let count), .prefetching(let count):
        if count < 0 { Violation.negativeCount("the size of a buffer", count) }
      case .unbounded: break
      }
    }

    /// Appends `element` to `queue`, and drops one if there is no room.
    ///
    /// - Returns: The element that was dropped, if any.
    @inlinable
    func keep<Element>(_ element: Element, in queue: inout RingQueue<Element>) -> Element? {
      switch self {
      case .unbounded, .prefetching: break
      case .bufferingNewest(let size):
        queue.append(element)
        return queue.count > size ? queue.popFirst() : nil
      case .bufferingOldest(let size): if queue.count >= size { return element }
      }
      queue.append(element)
      return nil
    }
  }
}
