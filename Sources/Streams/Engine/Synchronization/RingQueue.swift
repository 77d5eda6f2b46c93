/// A first-in, first-out queue: a ring, which doubles when it is full.
@frozen @usableFromInline
package struct RingQueue<Element> {
  /// `nil` while nothing was ever stored, or since a burst has left. Without its type: code that is not specialised, as in a
  /// debug build, would look that up for each use.
  @usableFromInline var ring: AnyRing?

  @inlinable
  package init() {}

  @inlinable package var count: Int { if let ring { ring.count } else { 0 } }
  @inlinable package var isEmpty: Bool { count == 0 }

  /// Amortised O(1), if the ring is not shared.
  @inlinable
  package mutating func append(_ element: Element) {
    if !isKnownUniquelyReferenced(&ring) || ring!.isFull { makeRoom() }
    let ring = ring!
    ring.place(of: Element.self, after: ring.count).initialize(to: element)
    ring.count &+= 1
  }

  @inlinable @inline(__always)
  package mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }

  /// The first element of a queue that is not empty.
  @inlinable @inline(__always)
  package mutating func removeFirst() -> Element {
    if !isKnownUniquelyReferenced(&ring) { makeRoom() }
    let ring = ring!
    let first = ring.place(of: Element.self, after: 0).move()
    ring.head = (ring.head &+ 1) & ring.mask
    ring.count &-= 1
    if ring.isSpent { self.ring = nil }  // the memory of a burst is freed
    return first
  }

  @inlinable package var first: Element? {
    isEmpty ? nil : ring!.place(of: Element.self, after: 0).pointee
  }

  /// In the order in which they will leave.
  @inlinable
  package func forEach(_ body: (Element) -> Void) {
    for index in 0..<count { body(ring!.place(of: Element.self, after: index).pointee) }
  }

  /// Makes room for one more, in a ring that is not shared.
  @usableFromInline @inline(never)
  mutating func makeRoom() {
    let new = Ring<Element>(room: max(4, count + 1))
    let isShared = !isKnownUniquelyReferenced(&ring)
    if let ring {
      new.count = ring.count
      for index in 0..<ring.count {
        let old = ring.place(of: Element.self, after: index)
        new.place(of: Element.self, after: index).initialize(to: isShared ? old.pointee : old.move())
      }
      if !isShared { ring.count = 0 }
    }
    ring = new
  }
}

/// The memory of a ``RingQueue``, as far as it needs no type.
@usableFromInline
package class AnyRing {
  @exclusivity(unchecked)  // the queue's
  @usableFromInline final var head = 0
  @exclusivity(unchecked)
  @usableFromInline final var count = 0
  /// How many places there are, a power of two, less one.
  @usableFromInline final let mask: Int
  @usableFromInline final let places: UnsafeMutableRawPointer

  fileprivate init(_ places: UnsafeMutableRawPointer, mask: Int) { (self.places, self.mask) = (places, mask) }

  @inlinable final var isFull: Bool { count > mask }
  @inlinable final var isSpent: Bool { count == 0 && mask > 63 }

  @inlinable @inline(__always)
  final func place<Element>(of type: Element.Type, after index: Int) -> UnsafeMutablePointer<Element> {
    places.advanced(by: ((head &+ index) & mask) &* MemoryLayout<Element>.stride).assumingMemoryBound(
      to: type)
  }
}

private final class Ring<Element>: AnyRing {
  /// With room for so many at least.
  init(room: Int) {
    let places = 1 << (Int.bitWidth - (room - 1).leadingZeroBitCount)
    super.init(UnsafeMutablePointer<Element>.allocate(capacity: places), mask: places - 1)
  }

  deinit {
    for index in 0..<count { place(of: Element.self, after: index).deinitialize(count: 1) }
    places.deallocate()
  }
}
