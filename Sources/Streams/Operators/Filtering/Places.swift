extension RangeExpression where Bound == Int {
  /// The places, counted from zero, that this contains. Traps here if a bound is no place, and not where it is made a range.
  @inlinable
  package var places: Range<Int> {
    let (first, end) = ends
    guard first >= 0 else { Violation.negativeCount("the lower bound of an output range", first) }
    guard end >= 0 else { Violation.negativeCount("the upper bound of an output range", end) }
    return first..<end
  }

  /// The first place, and the one after the last. A trap of the standard library names no law, so it only resolves
  /// ranges whose bounds cannot trap there.
  @inlinable
  var ends: (first: Int, end: Int) {
    if let range = self as? PartialRangeUpTo<Int> { return (0, range.upperBound) }
    if let range = self as? PartialRangeThrough<Int> { return (0, after(range.upperBound)) }
    if let range = self as? ClosedRange<Int> { return (range.lowerBound, after(range.upperBound)) }
    let range = relative(to: 0 ..< .max)
    return (range.lowerBound, range.upperBound)
  }

  @inlinable
  func after(_ place: Int) -> Int {
    guard place < .max else { Violation.lastPlace() }
    return place + 1
  }
}
