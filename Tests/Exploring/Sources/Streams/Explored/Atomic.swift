internal import Interleavings
public import Synchronization

/// In place of the standard library's type of this name: whoever uses it may be preempted before.
///
/// What order of memory is asked for makes no difference here: all is sequentially consistent.
@usableFromInline
package struct Atomic<Value: Equatable>: ~Copyable, @unchecked Sendable {  // fibers have one thread in common
  private let word: UnsafeMutablePointer<Value>
  private let object: Int

  @usableFromInline
  package init(_ value: Value) {
    word = .allocate(capacity: 1)
    word.initialize(to: value)
    object = Explorer.shared.newObject()
  }

  @usableFromInline
  deinit { word.deallocate() }

  @usableFromInline
  package borrowing func load(ordering _: AtomicLoadOrdering) -> Value {
    Explorer.shared.point(object, isWrite: false)
    return word.pointee
  }

  @usableFromInline
  package borrowing func store(_ value: Value, ordering _: AtomicStoreOrdering) {
    Explorer.shared.point(object)
    word.pointee = value
  }

  @usableFromInline
  package borrowing func exchange(_ value: Value, ordering _: AtomicUpdateOrdering) -> Value {
    Explorer.shared.point(object)
    defer { word.pointee = value }
    return word.pointee
  }

  @usableFromInline
  package borrowing func compareExchange(
    expected: Value, desired: Value, ordering _: AtomicUpdateOrdering
  ) -> (exchanged: Bool, original: Value) {
    Explorer.shared.point(object)
    let original = word.pointee
    guard original == expected else { return (false, original) }
    word.pointee = desired
    return (true, original)
  }

  @usableFromInline
  package borrowing func compareExchange(
    expected: Value, desired: Value, successOrdering _: AtomicUpdateOrdering,
    failureOrdering _: AtomicLoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent)
  }

  @usableFromInline
  package borrowing func weakCompareExchange(
    expected: Value, desired: Value, successOrdering _: AtomicUpdateOrdering,
    failureOrdering _: AtomicLoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent)
  }
}

extension Atomic where Value: FixedWidthInteger {
  @usableFromInline @discardableResult
  package borrowing func wrappingAdd(
    _ amount: Value, ordering _: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    change { $0 &+ amount }
  }

  @usableFromInline @discardableResult
  package borrowing func wrappingSubtract(
    _ amount: Value, ordering _: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    change { $0 &- amount }
  }

  @usableFromInline @discardableResult
  package borrowing func bitwiseOr(
    _ bits: Value, ordering _: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    change { $0 | bits }
  }

  @usableFromInline @discardableResult
  package borrowing func bitwiseAnd(
    _ bits: Value, ordering _: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    change { $0 & bits }
  }

  private borrowing func change(_ next: (Value) -> Value) -> (oldValue: Value, newValue: Value) {
    Explorer.shared.point(object)
    let old = word.pointee
    word.pointee = next(old)
    return (old, next(old))
  }
}
