/// What becomes of a publisher's values that come while nobody awaits one.
public enum AsyncBuffering: Hashable, Sendable {
  /// All are kept. The publisher is asked for everything at once.
  case unbounded

  /// As many as given are kept, and the oldest goes to make room. The publisher is asked for everything at once.
  case bufferingNewest(Int)

  /// As many as given are kept, and what comes then is dropped. The publisher is asked for everything at once.
  case bufferingOldest(Int)

  /// The publisher is asked for so many in advance, and for one more each time one is awaited: nothing is dropped
  /// unless the publisher does it for want of demand.
  case prefetching(Int)

  /// What is asked for at first.
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
  func requireValid() {
    switch self {
    case .bufferingNewest(let count), .bufferingOldest(let count), .prefetching(let count):
      if count < 0 { Violation.negativeCount("the size of a buffer", count) }
    case .unbounded: break
    }
  }

  /// Puts `element` at the end of `queue`, as far as there is room.
  ///
  /// - Returns: What had to go.
  @inlinable
  func keep<Element>(_ element: Element, in queue: inout Fifo<Element>) -> Element? {
    switch self {
    case .unbounded, .prefetching: break
    case .bufferingNewest(let size):
      guard size > 0 else { return element }
      queue.append(element)
      return queue.count > size ? queue.popFirst() : nil
    case .bufferingOldest(let size): if queue.count >= size { return element }
    }
    queue.append(element)
    return nil
  }
}
