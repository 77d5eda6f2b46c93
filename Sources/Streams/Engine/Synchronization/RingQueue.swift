/// A first-in, first-out queue: a ring, which doubles when it is full.
@frozen @usableFromInline
package struct RingQueue<Element> {
  /// `nil` while nothing was ever stored, or since a burst has left.
  @usableFromInline var ring: Ring<Element>?

  @inlinable
  package init() {}

  @inlinable package var count: Int { ring?.state.pointee.count ?? 0 }
  @inlinable package var isEmpty: Bool { count == 0 }

  /// Amortised O(1), if the ring is not shared.
  @inlinable
  package mutating func append(_ element: Element) {
    if !isKnownUniquelyReferenced(&ring) || ring.unsafelyUnwrapped.state.pointee.isFull { makeRoom() }
    ring.unsafelyUnwrapped.append(element)
  }

  @inlinable @inline(__always)
  package mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }

  /// The first element of a queue that is not empty.
  @inlinable @inline(__always)
  package mutating func removeFirst() -> Element {
    if !isKnownUniquelyReferenced(&ring) { makeRoom() }
    let first = ring.unsafelyUnwrapped.removeFirst()
    if ring.unsafelyUnwrapped.state.pointee.isSpent { ring = nil }  // the memory of a burst is freed
    return first
  }

  @inlinable package var first: Element? { isEmpty ? nil : ring.unsafelyUnwrapped.place(after: 0).pointee }

  /// In the order in which they will leave.
  @inlinable
  package func forEach(_ body: (Element) -> Void) {
    for index in 0..<count { body(ring.unsafelyUnwrapped.place(after: index).pointee) }
  }

  /// Makes room for one more, in a ring that is not shared.
  @usableFromInline @inline(never)
  mutating func makeRoom() {
    let room = Ring<Element>.make(room: max(4, count + 1))
    if isKnownUniquelyReferenced(&ring) { ring?.move(to: room) } else { ring?.copy(to: room) }
    ring = room
  }
}

/// The memory of a ``RingQueue``.
@usableFromInline
package final class Ring<Element>: ManagedBuffer<Ring<Element>.Header, Element> {
  @frozen @usableFromInline
  package struct Header {
    @usableFromInline var head = 0
    @usableFromInline var count = 0
    /// How many places there are, a power of two, less one.
    @usableFromInline let mask: Int

    @inlinable
    init(mask: Int) { self.mask = mask }

    @inlinable var isFull: Bool { count > mask }
    @inlinable var isSpent: Bool { count == 0 && mask > 63 }
  }

  /// A ring with room for so many at least.
  static func make(room: Int) -> Ring {
    let places = 1 << (Int.bitWidth - (room - 1).leadingZeroBitCount)
    let ring = create(minimumCapacity: places) { _ in Header(mask: places - 1) }
    return unsafeDowncast(ring, to: Ring.self)
  }

  deinit {
    (places + state.pointee.head).deinitialize(count: state.pointee.count - wrapped)
    places.deinitialize(count: wrapped)
  }

  /// The header, without the check of exclusive access that its own accessor makes each time.
  @inlinable @inline(__always)
  var state: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }

  @inlinable @inline(__always)
  var places: UnsafeMutablePointer<Element> { withUnsafeMutablePointerToElements { $0 } }

  @inlinable @inline(__always)
  func place(after index: Int) -> UnsafeMutablePointer<Element> {
    places + (state.pointee.head &+ index) & state.pointee.mask
  }

  @inlinable @inline(__always)
  func append(_ element: Element) {
    place(after: state.pointee.count).initialize(to: element)
    state.pointee.count &+= 1
  }

  @inlinable @inline(__always)
  func removeFirst() -> Element {
    let first = place(after: 0)
    state.pointee.head = (state.pointee.head &+ 1) & state.pointee.mask
    state.pointee.count &-= 1
    return first.move()
  }

  /// How many of the elements are at the beginning, since there was no room left at the end.
  var wrapped: Int { max(0, state.pointee.head + state.pointee.count - state.pointee.mask - 1) }

  func move(to other: Ring) {
    let (count, wrapped) = (state.pointee.count, wrapped)
    other.places.moveInitialize(from: places + state.pointee.head, count: count - wrapped)
    (other.places + count - wrapped).moveInitialize(from: places, count: wrapped)
    other.state.pointee.count = count
    state.pointee.count = 0
  }

  func copy(to other: Ring) {
    for index in 0..<state.pointee.count { other.append(place(after: index).pointee) }
  }
}
