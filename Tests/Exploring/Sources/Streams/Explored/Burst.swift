/// In place of the product's: one event is a burst, so that a few threads see its end.
@frozen @usableFromInline
package struct Burst {
  @usableFromInline var number = 0
  @usableFromInline package var isOver = false
  @usableFromInline let isEndless: Bool

  @inlinable
  package init(isEndless: Bool = false) { self.isEndless = isEndless }

  @usableFromInline
  package mutating func count() { count(upTo: 1) }

  package mutating func count(upTo most: Int) {
    number += 1
    isOver = !isEndless && number >= most
  }
}
