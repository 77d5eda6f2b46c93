/// Decodes percent encoding: `%41` is `A`. The result is bytes, because it need not be text.
enum PercentDecoding {
  /// Returns `nil` if a percent sign is not followed by two hexadecimal digits.
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    var bytes = text.makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = bytes.next().flatMap(hexadecimalValue),
        let low = bytes.next().flatMap(hexadecimalValue)
      else { return nil }
      decoded.append(high << 4 | low)
    }
    return decoded
  }

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
