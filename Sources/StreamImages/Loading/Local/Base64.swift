/// Decodes Base64 as browsers do in data URLs: white space is skipped, and padding may be missing but not wrong.
enum Base64 {
  static func decode(_ text: [UInt8]) throws(DataLoadingError) -> [UInt8] {
    var decoded: [UInt8] = []
    var bits: UInt32 = 0
    var digits = 0
    var padding = 0
    for byte in text where !isSpace(byte) {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = value(of: byte) else { throw .malformedDataURL("not base64") }
      bits = bits << 6 | UInt32(value)
      digits += 1
      if digits % 4 == 0 {
        decoded.append(UInt8(truncatingIfNeeded: bits >> 16))
        decoded.append(UInt8(truncatingIfNeeded: bits >> 8))
        decoded.append(UInt8(truncatingIfNeeded: bits))
      }
    }
    let rest = digits % 4
    guard rest != 1, padding == 0 || (rest != 0 && rest + padding == 4) else {
      throw .malformedDataURL("wrong padding")
    }
    if rest == 2 { decoded.append(UInt8(truncatingIfNeeded: bits >> 4)) }
    if rest == 3 { decoded += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)] }
    return decoded
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
