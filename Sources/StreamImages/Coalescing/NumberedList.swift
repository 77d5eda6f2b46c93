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
