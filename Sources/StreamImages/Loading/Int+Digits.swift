extension Int {
  /// Parses one or more ASCII digits.
  ///
  /// `nil` for everything else, signs and blanks included, and for numbers above `Int.max`.
  package init?(digits: some Collection<UInt8>) {
    guard let parsed = Self.parse(digits), !parsed.overflows else { return nil }
    self = parsed.number
  }

  /// The same, but numbers above `maximum` become `maximum`.
  package init?(digits: some Collection<UInt8>, clampedTo maximum: Int) {
    guard let parsed = Self.parse(digits) else { return nil }
    self = parsed.overflows ? maximum : Swift.min(parsed.number, maximum)
  }

  private static func parse(_ digits: some Collection<UInt8>) -> (number: Int, overflows: Bool)? {
    guard !digits.isEmpty else { return nil }
    var (number, overflows) = (0, false)
    for byte in digits {
      guard byte.isASCIIDigit else { return nil }
      let (product, productOverflows) = number.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflows) = product.addingReportingOverflow(Int(byte - 0x30))
      number = sum
      overflows = overflows || productOverflows || sumOverflows
    }
    return (number, overflows)
  }
}

extension UInt8 {
  var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
