/// For each thread, how many of its steps happen before something.
///
/// What runs outside the threads needs no place here. It happens before or after all of them.
public typealias VectorClock = SIMD32<UInt16>

extension VectorClock {
  public mutating func join(_ other: VectorClock) { replace(with: other, where: other .> self) }

  func withWords<Result>(_ body: (UnsafePointer<UInt16>) -> Result) -> Result {
    withUnsafeBytes(of: self) { body($0.baseAddress!.assumingMemoryBound(to: UInt16.self)) }
  }

  mutating func withMutableWords(_ body: (UnsafeMutablePointer<UInt16>) -> Void) {
    withUnsafeMutableBytes(of: &self) { body($0.baseAddress!.assumingMemoryBound(to: UInt16.self)) }
  }
}
