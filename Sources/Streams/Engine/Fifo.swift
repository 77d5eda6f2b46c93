/// A queue: elements leave in the order they came. A ring, which doubles when it is full.
@frozen @usableFromInline
package struct Fifo<Element> {
  /// Empty, or a power of two of places.
  @usableFromInline var places: ContiguousArray<Element?> = []
  @usableFromInline var head = 0
  @usableFromInline package var count = 0

  @inlinable
  package init() {}

  @inlinable package var isEmpty: Bool { count == 0 }

  /// Amortised O(1).
  @inlinable
  package mutating func append(_ element: Element) {
    if count == places.count { grow() }
    places[(head &+ count) & (places.count &- 1)] = element
    count &+= 1
  }

  @inlinable
  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let first = places[head].take()
    head = (head &+ 1) & (places.count &- 1)
    count &-= 1
    if count == 0, places.count > 64 { self = Fifo() }  // what a burst has taken is given back
    return first
  }

  @inlinable
  mutating func grow() {
    var larger = ContiguousArray<Element?>()
    larger.reserveCapacity(max(4, 2 * places.count))
    larger.append(contentsOf: places[head...])
    larger.append(contentsOf: places[..<head])
    while larger.count < max(4, 2 * places.count) { larger.append(nil) }
    places = larger
    head = 0
  }
}
