/// A queue whose elements leave in order of priority and, within a priority, of arrival.
///
/// Raising an element puts it behind the elements of its new priority, and lowering it puts it before them.
///
/// - Complexity: Adding, moving, taking the first element and removing one are amortized O(log n).
package struct PriorityQueue<Element> {
  package typealias ID = UInt64

  private struct Place {
    let priority: Int
    /// Increases with each arrival. Negative for an element that was lowered.
    let order: Int

    func precedes(_ other: Place) -> Bool {
      priority == other.priority ? order < other.order : priority > other.priority
    }
  }

  private struct Entry {
    let id: ID
    let place: Place
  }

  private var elements: [ID: (element: Element, place: Place)] = [:]
  /// A binary heap. It may also have entries of elements that were removed or moved.
  private var heap: [Entry] = []
  private var lastOrder = 0

  package init() {}

  package var count: Int { elements.count }
  package var isEmpty: Bool { elements.isEmpty }

  /// The priorities of all elements, in no particular order.
  package var priorities: [Int] { elements.values.map(\.place.priority) }

  /// - Parameter id: Identifies the element. No other element of the queue may have it.
  package mutating func append(_ element: Element, id: ID, priority: Int = 0) {
    lastOrder += 1
    enqueue(element, id, Place(priority: priority, order: lastOrder))
  }

  /// Changes the priority of an element, if it is in the queue.
  package mutating func move(_ id: ID, to priority: Int) {
    guard let (element, old) = elements[id], priority != old.priority else { return }
    lastOrder += 1
    enqueue(element, id, Place(priority: priority, order: priority > old.priority ? lastOrder : -lastOrder))
    dropStaleEntriesIfMany()
  }

  package mutating func remove(_ id: ID) -> Element? {
    guard let element = elements.removeValue(forKey: id)?.element else { return nil }
    dropStaleEntriesIfMany()
    return element
  }

  /// Takes the first element, if there is one and it satisfies the condition.
  package mutating func popFirst(where isWanted: (Element) -> Bool = { _ in true }) -> Element? {
    while let first = heap.first {
      guard let (element, place) = elements[first.id], place.order == first.place.order else {
        removeFirstEntry()
        continue
      }
      guard isWanted(element) else { return nil }
      removeFirstEntry()
      elements[first.id] = nil
      return element
    }
    return nil
  }

  /// Takes all elements, in order.
  package mutating func removeAll() -> [Element] {
    var all: [Element] = []
    while let element = popFirst() { all.append(element) }
    return all
  }

  private mutating func enqueue(_ element: Element, _ id: ID, _ place: Place) {
    elements[id] = (element, place)
    heap.append(Entry(id: id, place: place))
    var child = heap.count - 1
    while child > 0, heap[child].place.precedes(heap[(child - 1) / 2].place) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func removeFirstEntry() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].place.precedes(heap[first].place) { first = child }
      guard first != parent else { return }
      heap.swapAt(parent, first)
      parent = first
    }
  }

  /// A sorted array is a heap.
  private mutating func dropStaleEntriesIfMany() {
    guard heap.count > 32, heap.count > 2 * elements.count else { return }
    heap = elements.map { Entry(id: $0.key, place: $0.value.place) }.sorted { $0.place.precedes($1.place) }
  }
}

extension PriorityQueue: Sendable where Element: Sendable {}
