/// The value of a tag in Exif data.
public enum ExifValue: Sendable, Hashable {
  /// Text without the zero at its end: UTF-8, or else Latin 1.
  case text(String)
  /// Integers with or without a sign.
  case integers([Int])
  /// Fractions of integers with or without a sign.
  case fractions([Fraction])
  /// Floating-point numbers.
  case numbers([Double])
  /// Bytes whose meaning the tag defines.
  case bytes([UInt8])
}

/// A fraction as Exif data has it. Cameras write a denominator of zero for numbers that they do not have.
public struct Fraction: Sendable, Hashable, CustomStringConvertible {
  /// The number above the line.
  public var numerator: Int
  /// The number below the line.
  public var denominator: Int

  /// Creates a fraction. It is not reduced.
  public init(_ numerator: Int, _ denominator: Int) {
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  /// The quotient; `nil` if the denominator is zero.
  public var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }

  public var description: String { "\(numerator)/\(denominator)" }
}

extension ExifValue {
  /// The text, without spaces at its ends; `nil` for other values and for no text.
  var trimmedText: String? {
    guard case .text(let text) = self else { return nil }
    return text.trimmed
  }

  var integer: Int? {
    guard case .integers(let numbers) = self else { return nil }
    return numbers.first
  }

  var fraction: Fraction? {
    guard case .fractions(let fractions) = self else { return nil }
    return fractions.first
  }
}

/// The value of a tag as stored, in the byte order of its data.
struct ExifField: Sendable, Hashable {
  let type: Int
  var bytes: [UInt8]

  /// The size of a number of each type, from 1.
  private static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
  static let ascii = 2
  static let short = 3
  static let long = 4
  static let undefined = 7

  static func size(ofType type: Int) -> Int { sizes.indices.contains(type) ? sizes[type] : 0 }

  /// The bytes of a number.
  static func number(_ value: Int, _ count: Int, isBigEndian: Bool) -> [UInt8] {
    let bytes = ByteView.bigEndian(value, count: count)
    return isBigEndian ? bytes : bytes.reversed()
  }

  var count: Int { bytes.count / ExifField.size(ofType: type) }

  func value(isBigEndian: Bool) -> ExifValue? {
    switch type {
    case ExifField.ascii: return .text(String(latinOrUTF8: bytes.prefix { $0 != 0 }))
    case ExifField.undefined: return .bytes(bytes)
    case 5, 10:
      let numbers = integers(4, isBigEndian, isSigned: type == 10)
      let pairs = stride(from: 0, to: numbers.count - 1, by: 2)
      return .fractions(pairs.map { Fraction(numbers[$0], numbers[$0 + 1]) })
    case 11:
      return .numbers(
        integers(4, isBigEndian, isSigned: false).map {
          Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0)))
        })
    case 12:
      return .numbers(
        integers(8, isBigEndian, isSigned: true).map { Double(bitPattern: UInt64(bitPattern: Int64($0))) })
    case 1, 3, 4, 13, 6, 8, 9, 16, 17, 18:
      let isSigned = [6, 8, 9, 16, 17, 18].contains(type)
      return .integers(integers(ExifField.size(ofType: type), isBigEndian, isSigned: isSigned))
    default: return nil
    }
  }

  private func integers(_ size: Int, _ isBigEndian: Bool, isSigned: Bool) -> [Int] {
    stride(from: 0, to: bytes.count - size + 1, by: size).map { start in
      let part = bytes[start..<start + size]
      let number = (isBigEndian ? Array(part) : part.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let unused = UInt64(64 - size * 8)
      return isSigned ? Int(Int64(bitPattern: number << unused) >> unused) : Int(truncatingIfNeeded: number)
    }
  }
}

extension String {
  /// UTF-8, or Latin 1 if the bytes are not UTF-8.
  init(latinOrUTF8 bytes: some Collection<UInt8>) {
    self =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Without spaces at its ends; `nil` if nothing else is there.
  var trimmed: String? {
    let isSpace = { (character: Character) in character.isWhitespace || character == "\0" }
    guard let start = firstIndex(where: { !isSpace($0) }), let end = lastIndex(where: { !isSpace($0) }) else {
      return nil
    }
    return String(self[start...end])
  }
}
