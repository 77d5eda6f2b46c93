/// A vector clock: for each fiber, how many of its steps happen before something.
///
/// What runs outside the fibers needs no place here. It happens before or after all of them.
public typealias VectorClock = SIMD8<UInt16>

extension VectorClock {
  @inlinable @inline(__always)
  public mutating func join(_ other: VectorClock) { replace(with: other, where: other .> self) }

  @inline(__always)
  func includes(_ other: VectorClock) -> Bool { all(other .<= self) }

  /// Includes nothing, in comparisons with ``knows(any:)``.
  static var never: VectorClock { VectorClock(repeating: .max) }

  /// Whether one of `steps`, a step for each fiber, happens before.
  @inline(__always)
  func knows(any steps: VectorClock) -> Bool { any(steps .<= self) }
}
