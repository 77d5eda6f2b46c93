/// Arithmetic of the nanoseconds of strides: a result that does not fit is the number nearest to it.
extension Int {
  package func plus(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return !overflows ? sum : self < 0 ? .min : .max
  }

  package func minus(_ other: Int) -> Int {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return !overflows ? difference : self < 0 ? .min : .max
  }

  /// As many units of `unit` nanoseconds each.
  package func times(unit: Int) -> Int {
    let (product, overflows) = multipliedReportingOverflow(by: unit)
    return !overflows ? product : self < 0 ? .min : .max
  }

  /// The product of two lengths in seconds, without what is less than a nanosecond.
  package func timesSeconds(_ other: Int) -> Int {
    let product = multipliedFullWidth(by: other)
    let unit = 1_000_000_000
    // The quotient fits if the high word is within half of the divisor.
    guard (-unit / 2..<unit / 2).contains(product.high) else { return product.high < 0 ? .min : .max }
    return unit.dividingFullWidth(product).quotient
  }

  /// The nanoseconds nearest to a number of seconds. NaN becomes zero.
  package init(nanosecondsOf seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded()
    self = nanoseconds.isNaN ? 0 : Int(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max)
  }
}
