import Streams

/// What actions write down, in the order in which they run.
final class Line<Element: Sendable>: Sendable {
  private let elements = Guarded<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }
  var count: Int { elements.withLock { $0.count } }

  func add(_ element: Element) { elements.withLock { $0.append(element) } }
}
