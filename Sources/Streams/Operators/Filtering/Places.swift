extension RangeExpression where Bound == Int {
  /// The places, counted from zero, that this names. Traps here if a bound is none, and not where it is made a range.
  @inlinable
  package var places: Range<Int> {
    let range = relative(to: AllPlaces())
    let first = range.lowerBound == AllPlaces().startIndex ? 0 : range.lowerBound
    guard first >= 0 else { Violation.negativeCount("the lower bound of an output range", first) }
    guard range.upperBound >= 0 else {
      Violation.negativeCount("the upper bound of an output range", range.upperBound)
    }
    return first..<range.upperBound
  }
}

/// What a range is relative to: negative places, too, so that the standard library has nothing against them.
@usableFromInline
package struct AllPlaces: Collection {
  @inlinable
  package init() {}

  @inlinable package var startIndex: Int { .min }
  @inlinable package var endIndex: Int { .max }
  @inlinable package subscript(place: Int) -> Int { place }

  @inlinable
  package func index(after place: Int) -> Int {
    guard place < endIndex else { Violation.lastPlace() }
    return place + 1
  }
}
