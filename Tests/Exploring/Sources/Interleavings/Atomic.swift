/// In place of the standard library's type of this name: whoever uses it may be preempted before, and a load may read an
/// older store than the newest.
public struct Atomic<Value: BitwiseCopyable>: ~Copyable, @unchecked Sendable {  // fibers share one thread
  public let place: UnsafeMutablePointer<Place>

  @inlinable
  public init(_ value: Value) { place = Explorer.shared.newAtomic(Self.bits(value)) }

  @inlinable
  deinit { Explorer.shared.end(place) }

  @inlinable @inline(__always)
  static func bits(_ value: Value) -> UInt64 {
    precondition(MemoryLayout<Value>.size <= 8, "The explorer has no atomics of more than eight bytes.")
    var bits: UInt64 = 0
    withUnsafeMutableBytes(of: &bits) { $0.storeBytes(of: value, as: Value.self) }
    return bits
  }

  @inlinable @inline(__always)
  static func value(_ bits: UInt64) -> Value {
    withUnsafeBytes(of: bits) { $0.loadUnaligned(as: Value.self) }
  }

  @inlinable
  public borrowing func load(ordering: MemoryOrder) -> Value {
    Self.value(Explorer.shared.load(place, ordering))
  }

  @inlinable
  public borrowing func store(_ value: Value, ordering: MemoryOrder) {
    Explorer.shared.store(Self.bits(value), to: place, ordering)
  }

  @inlinable
  public borrowing func exchange(_ value: Value, ordering: MemoryOrder) -> Value {
    Self.value(change(ordering) { _ in Self.bits(value) })
  }

  @inlinable
  public borrowing func compareExchange(
    expected: Value, desired: Value, ordering: MemoryOrder
  ) -> (exchanged: Bool, original: Value) {
    exchange(expected, desired, ordering, ordering, isWeak: false)
  }

  @inlinable
  public borrowing func compareExchange(
    expected: Value, desired: Value, successOrdering: MemoryOrder, failureOrdering: MemoryOrder
  ) -> (exchanged: Bool, original: Value) {
    exchange(expected, desired, successOrdering, failureOrdering, isWeak: false)
  }

  @inlinable
  public borrowing func weakCompareExchange(
    expected: Value, desired: Value, ordering: MemoryOrder
  ) -> (exchanged: Bool, original: Value) {
    exchange(expected, desired, ordering, ordering, isWeak: true)
  }

  @inlinable
  public borrowing func weakCompareExchange(
    expected: Value, desired: Value, successOrdering: MemoryOrder, failureOrdering: MemoryOrder
  ) -> (exchanged: Bool, original: Value) {
    exchange(expected, desired, successOrdering, failureOrdering, isWeak: true)
  }

  @inlinable @inline(__always)
  borrowing func exchange(
    _ expected: Value, _ desired: Value, _ success: MemoryOrder, _ failure: MemoryOrder, isWeak: Bool
  ) -> (exchanged: Bool, original: Value) {
    let (exchanged, original) = Explorer.shared.compareExchange(
      place, Self.bits(expected), Self.bits(desired), success, failure, isWeak: isWeak)
    return (exchanged, Self.value(original))
  }

  @inlinable @inline(__always)
  borrowing func change(_ order: MemoryOrder, _ next: (UInt64) -> UInt64) -> UInt64 {
    let (old, place) = Explorer.shared.beginUpdate(self.place, order)
    Explorer.shared.endUpdate(next(old), of: self.place, before: place, order)
    return old
  }
}

extension Atomic where Value: FixedWidthInteger {
  @inlinable @discardableResult
  public borrowing func wrappingAdd(
    _ amount: Value, ordering: MemoryOrder
  ) -> (oldValue: Value, newValue: Value) {
    change(ordering) { $0 &+ amount }
  }

  @inlinable @discardableResult
  public borrowing func add(_ amount: Value, ordering: MemoryOrder) -> (oldValue: Value, newValue: Value) {
    change(ordering) { $0 + amount }
  }

  @inlinable @discardableResult
  public borrowing func subtract(
    _ amount: Value, ordering: MemoryOrder
  ) -> (oldValue: Value, newValue: Value) {
    change(ordering) { $0 - amount }
  }

  @inlinable @discardableResult
  public borrowing func wrappingSubtract(
    _ amount: Value, ordering: MemoryOrder
  ) -> (oldValue: Value, newValue: Value) {
    change(ordering) { $0 &- amount }
  }

  @inlinable @discardableResult
  public borrowing func bitwiseOr(
    _ bits: Value, ordering: MemoryOrder
  ) -> (oldValue: Value, newValue: Value) {
    change(ordering) { $0 | bits }
  }

  @inlinable @discardableResult
  public borrowing func bitwiseAnd(
    _ bits: Value, ordering: MemoryOrder
  ) -> (oldValue: Value, newValue: Value) {
    change(ordering) { $0 & bits }
  }

  @inlinable @inline(__always)
  borrowing func change(
    _ order: MemoryOrder, _ next: (Value) -> Value
  ) -> (oldValue: Value, newValue: Value) {
    let old = Self.value(change(order) { (bits: UInt64) in Self.bits(next(Self.value(bits))) })
    return (old, next(old))
  }
}

/// In place of the standard library's protocol of this name.
public protocol AtomicRepresentable: BitwiseCopyable {}
