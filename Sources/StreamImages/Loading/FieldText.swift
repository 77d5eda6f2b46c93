// Header values are split and compared by their bytes. A character can consist of several: a line break of two bytes is
// one character, and so is a comma with the combining mark after it.

/// Returns the elements of a comma-separated list, without blanks around them, and without empty ones.
func listElements(_ value: String) -> [String] {
  value.utf8.split(separator: UInt8(ascii: ",")).map { trimmed(String(decoding: $0, as: UTF8.self)) }
    .filter { !$0.isEmpty }
}

/// Returns the text without blanks, or other unwanted bytes, at either end.
func trimmed(_ text: String, of isUnwanted: (UInt8) -> Bool = isBlank) -> String {
  var bytes = text.utf8[...]
  while let first = bytes.first, isUnwanted(first) { bytes.removeFirst() }
  while let last = bytes.last, isUnwanted(last) { bytes.removeLast() }
  return String(decoding: bytes, as: UTF8.self)
}

func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == 0x09 }

/// Whether a byte can hide or split a header, in a program that takes it for the end of a line or of a text.
func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

/// Whether a byte may appear in the name of a header or of a directive.
func isTokenByte(_ byte: UInt8) -> Bool {
  byte.isASCIILetter || byte.isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
}

extension HeaderFields {
  /// The fields with a space in place of each control byte, as RFC 9110 section 5.5 allows.
  var withoutControls: HeaderFields {
    guard
      contains(where: { $0.value.utf8.contains(where: isControl) || $0.name.utf8.contains(where: isControl) })
    else { return self }
    return HeaderFields(
      map { field in
        var clean = field
        clean.name = trimmed(Self.spaced(field.name))
        clean.value = trimmed(Self.spaced(field.value))
        return clean
      })
  }

  private static func spaced(_ text: String) -> String {
    String(decoding: text.utf8.map { isControl($0) ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }
}

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
  var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
