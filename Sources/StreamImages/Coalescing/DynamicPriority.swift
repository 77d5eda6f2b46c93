internal import Streams

/// A priority that changes: the highest of its own and those of its waiters.
///
/// Waiters are dynamic priorities themselves. So a change propagates from a request down to the queue in which its
/// bytes wait. Progress is reported in the opposite direction.
///
/// - Complexity: Adding, changing and removing one of n waiters is amortized O(log n), unless the maximum changes. Only
///   changes of the maximum propagate.
package final class DynamicPriority: Sendable {
  private typealias Observer = @Sendable () -> Void

  private struct Waiter {
    let priority: DynamicPriority
    /// Its priority, as far as it is known here.
    var level: ImageRequest.Priority
  }

  private struct State {
    var own: ImageRequest.Priority
    /// The number of the last change of the own priority.
    var change = 0
    var waiters = NumberedList<Waiter>()
    var levels = Levels()
    var observers = NumberedList<Observer>()
    var lastNumber: UInt64 = 0

    var current: ImageRequest.Priority { max(own, levels.highest) }

    mutating func number() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }
  }

  /// How many waiters have each priority. The lowest is not counted, because a priority is never lower.
  private struct Levels {
    private var counts = SIMD4<UInt32>.zero

    var highest: ImageRequest.Priority {
      ImageRequest.Priority.allCases.last { $0 > .veryLow && counts[$0.rawValue - 1] > 0 } ?? .veryLow
    }

    mutating func add(_ level: ImageRequest.Priority) {
      if level > .veryLow { counts[level.rawValue - 1] += 1 }
    }

    mutating func remove(_ level: ImageRequest.Priority) {
      if level > .veryLow { counts[level.rawValue - 1] -= 1 }
    }
  }

  private let state: Guarded<State>
  private let listener: (@Sendable (LoadProgress) -> Void)?

  /// - Parameters:
  ///   - priority: The own priority, which counts even without waiters.
  ///   - listener: Receives the progress of the work.
  package init(
    _ priority: ImageRequest.Priority, listener: (@Sendable (LoadProgress) -> Void)? = nil
  ) {
    state = Guarded(State(own: priority))
    self.listener = listener
  }

  package var current: ImageRequest.Priority { state.withLock { $0.current } }

  /// The number of waiters, and of observers.
  package var counts: (waiters: Int, observers: Int) {
    state.withLock { ($0.waiters.count, $0.observers.count) }
  }

  package func set(_ priority: ImageRequest.Priority) { change { $0.own = priority } }

  /// The same for changes that may arrive out of order. A change that is older than the last one has no effect.
  package func set(_ priority: ImageRequest.Priority, change number: Int) {
    change { state in
      guard number > state.change else { return }
      (state.own, state.change) = (priority, number)
    }
  }

  /// Adds a waiter until the result is cancelled.
  package func add(_ waiter: DynamicPriority) -> Membership {
    let number = state.withLock { state in
      let number = state.number()
      state.waiters.append(Waiter(priority: waiter, level: .veryLow), number: number)
      return number
    }
    let watch = waiter.observe { [weak self] in self?.refresh(number) }
    // Read once it is observed, so that no change is missed in between.
    refresh(number)
    return Membership(priority: self, number: number, watch: watch)
  }

  /// Reports progress to all waiters, and to their waiters.
  package func report(_ progress: LoadProgress) {
    listener?(progress)
    for waiter in state.withLock({ $0.waiters.elements }) { waiter.priority.report(progress) }
  }

  /// Calls `observer` after each change.
  ///
  /// It should read the current priority. A value passed to it could be outdated.
  package func observe(_ observer: @escaping @Sendable () -> Void) -> Observation {
    let number = state.withLock { state in
      let number = state.number()
      state.observers.append(observer, number: number)
      return number
    }
    return Observation(priority: self, number: number)
  }

  // Values, because thousands of requests wait.

  /// A waiter, until this is cancelled.
  package struct Membership: Cancellable, Sendable {
    fileprivate let priority: DynamicPriority
    fileprivate let number: UInt64
    fileprivate let watch: Observation

    package func cancel() {
      watch.cancel()
      priority.remove(number)
    }
  }

  /// An observer, until this is cancelled.
  package struct Observation: Cancellable, Sendable {
    fileprivate let priority: DynamicPriority
    fileprivate let number: UInt64

    package func cancel() {
      let gone = priority.state.withLock { $0.observers.remove(number) }
      withExtendedLifetime(gone) {}
    }
  }

  /// Reads the priority of a waiter again, until it is the one that was stored: the last thread that stores one stores the latest.
  private func refresh(_ number: UInt64) {
    guard let waiter = state.withLock({ $0.waiters[number] })?.priority else { return }
    var level: ImageRequest.Priority
    repeat {
      level = waiter.current
      change { [level] state in
        guard let known = state.waiters[number]?.level else { return }
        state.levels.remove(known)
        state.levels.add(level)
        state.waiters.change(number) { $0.level = level }
      }
    } while waiter.current != level
  }

  private func remove(_ number: UInt64) {
    var gone: Waiter?
    change { state in
      gone = state.waiters.remove(number)
      if let gone { state.levels.remove(gone.level) }
    }
    // Released outside the lock.
    withExtendedLifetime(gone) {}
  }

  private func change(_ body: (inout State) -> Void) {
    let observers = state.withLock { state in
      let earlier = state.current
      body(&state)
      return state.current == earlier ? [] : state.observers.elements
    }
    for observer in observers { observer() }
  }
}

/// Elements in order of arrival, each with a number.
///
/// - Complexity: Adding is amortized O(1), finding is O(log n), and removing is amortized O(log n).
package struct NumberedList<Element> {
  fileprivate struct Entry {
    let number: UInt64
    /// `nil` once removed. Such entries stay for a while.
    var element: Element?
  }

  private var entries: [Entry] = []
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// The elements, in order of arrival.
  package var elements: [Element] { entries.compactMap(\.element) }

  /// - Parameter number: Greater than the numbers of all earlier elements.
  package mutating func append(_ element: Element, number: UInt64) {
    entries.append(Entry(number: number, element: element))
    count += 1
  }

  /// The element with a number; `nil` if it was removed.
  package subscript(number: UInt64) -> Element? { index(of: number).flatMap { entries[$0].element } }

  /// Changes an element, unless it was removed.
  package mutating func change(_ number: UInt64, _ body: (inout Element) -> Void) {
    guard let index = index(of: number), entries[index].element != nil else { return }
    body(&entries[index].element!)
  }

  /// - Returns: The element; `nil` if it was removed before.
  package mutating func remove(_ number: UInt64) -> Element? {
    guard let index = index(of: number), let element = entries[index].element.take() else { return nil }
    count -= 1
    if count == 0 {
      entries = []
    } else if entries.count > 16, entries.count > 2 * count {
      entries.removeAll { $0.element == nil }
    }
    return element
  }

  private func index(of number: UInt64) -> Int? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == number ? low : nil
  }
}

extension NumberedList: Sendable where Element: Sendable {}
extension NumberedList.Entry: Sendable where Element: Sendable {}
