/// The binary form of ISO 21496-1, in an application segment of a JPEG: versions, flags and fractions, big-endian.
extension GainMap.Metadata {
  /// The beginning of the segment.
  static let isoName: StaticString = "urn:iso:std:iso:ts:21496:-1\0"

  private static let hasThreeChannels = 0x80
  private static let usesBaseColors = 0x40
  private static let isOfHDRBase = 0x04
  /// Written by libultrahdr before 1.5, with one denominator for all fractions.
  private static let hasOneDenominator = 0x08

  /// `nil` for metadata of another version, of an HDR image with an SDR map, and for numbers out of range.
  init?(iso bytes: ByteView) {
    guard bytes.big(0, count: 2) == 0, let flags = bytes.byte(4), flags & Self.isOfHDRBase == 0 else {
      return nil
    }
    var fractions = Fractions(bytes: bytes, position: 5)
    if flags & Self.hasOneDenominator != 0 {
      guard let denominator = fractions.integer(isSigned: false) else { return nil }
      fractions.denominator = denominator
    }
    guard let base = fractions.next(isSigned: false), let headroom = fractions.next(isSigned: false) else {
      return nil
    }
    var channels: [GainMap.Channel] = []
    for _ in 0..<(flags & Self.hasThreeChannels != 0 ? 3 : 1) {
      guard let minimum = fractions.next(), let maximum = fractions.next(),
        let gamma = fractions.next(isSigned: false), let baseOffset = fractions.next(),
        let offset = fractions.next()
      else { return nil }
      channels.append(
        GainMap.Channel(
          minimum: minimum, maximum: maximum, gamma: gamma, baseOffset: baseOffset, offset: offset))
    }
    self.init(
      red: channels[0], green: channels[channels.count / 2], blue: channels[channels.count - 1],
      baseHeadroom: base, headroom: headroom)
    guard isValid else { return nil }
  }

  /// The segment of the main image: the versions only.
  static var isoVersion: [UInt8] { isoName.bytes + [0, 0, 0, 0] }

  /// The segment of the map.
  var iso: [UInt8] {
    let flags = Self.usesBaseColors | (isUniform ? 0 : Self.hasThreeChannels)
    var bytes = Self.isoVersion + [UInt8(flags)]
    var numbers = [baseHeadroom, headroom]
    for channel in isUniform ? [red] : channels {
      numbers += [channel.minimum, channel.maximum, channel.gamma, channel.baseOffset, channel.offset]
    }
    for number in numbers {
      // All numbers are at most 64, so there is room for the sign.
      bytes += Self.big(Int((number * Double(Self.denominator)).rounded())) + Self.big(Self.denominator)
    }
    return bytes
  }

  private static let denominator = 1 << 24

  private static func big(_ value: Int) -> [UInt8] { ByteView.bigEndian(value, count: 4) }
}

private struct Fractions {
  let bytes: ByteView
  var position: Int
  /// Of all fractions; `nil` if each has its own.
  var denominator: Int?

  mutating func integer(isSigned: Bool) -> Int? {
    guard let value = bytes.big(position, count: 4) else { return nil }
    position += 4
    return isSigned ? Int(Int32(truncatingIfNeeded: value)) : value
  }

  mutating func next(isSigned: Bool = true) -> Double? {
    guard let numerator = integer(isSigned: isSigned), let divisor = denominator ?? integer(isSigned: false),
      divisor > 0
    else { return nil }
    return Double(numerator) / Double(divisor)
  }
}

extension StaticString {
  var bytes: [UInt8] { withUTF8Buffer { Array($0) } }
}
