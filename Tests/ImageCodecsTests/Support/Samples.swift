import ImageCodecs

enum Samples {
  /// Smooth colors with a few edges: what photographs are made of.
  static func picture(
    _ width: Int, _ height: Int, _ pixelFormat: Image.PixelFormat, colorSpace: Image.ColorSpace = .sRGB
  ) throws -> Image {
    if pixelFormat.bitsPerChannel == 16 {
      let narrow: [Image.PixelFormat: Image.PixelFormat] = [.gray16: .gray8, .rgb16: .rgb8, .rgba16: .rgba8]
      return try picture(width, height, narrow[pixelFormat] ?? .rgb8, colorSpace: colorSpace).widened()
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * pixelFormat.bytesPerPixel)
    for y in 0..<height {
      for x in 0..<width {
        let across = UInt8(x * 255 / max(width - 1, 1))
        let down = UInt8(y * 255 / max(height - 1, 1))
        let edge: UInt8 = (x / 16 + y / 16).isMultiple(of: 2) ? 200 : 90
        switch pixelFormat {
        case .gray8: bytes.append(across / 2 + down / 2)
        case .rgb8: bytes += [across, down, edge]
        default: bytes += [across, down, edge, 255 - across / 2]
        }
      }
    }
    return try Image(
      bytes: bytes, width: width, height: height, pixelFormat: pixelFormat, colorSpace: colorSpace)
  }

  /// Every pixel different from its neighbours, alpha included.
  static func noise(_ width: Int, _ height: Int, _ pixelFormat: Image.PixelFormat) throws -> Image {
    var random = SeededRandom(seed: 7)
    let bytes = (0..<width * height * pixelFormat.bytesPerPixel).map { _ in random.byte() }
    return try Image(bytes: bytes, width: width, height: height, pixelFormat: pixelFormat)
  }

  static func flat(_ width: Int, _ height: Int, _ color: [UInt8]) throws -> Image {
    let pixelFormat = Image.PixelFormat.allCases.first { $0.bytesPerPixel == color.count } ?? .rgb8
    let bytes = [[UInt8]](repeating: color, count: width * height).flatMap { $0 }
    return try Image(bytes: bytes, width: width, height: height, pixelFormat: pixelFormat)
  }
}

extension Image {
  var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

  /// Of an image with sixteen bits a channel.
  var samples: [UInt16] { withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) } }

  /// The same colors in sixteen bits a channel.
  func widened() throws -> Image {
    let wide: [PixelFormat] = [.gray16, .rgb16, .rgba16]
    return try Image(
      bytes: bytes.flatMap { [$0, $0] }, width: width, height: height,
      pixelFormat: wide.first { $0.channelCount == pixelFormat.channelCount } ?? .rgb16,
      colorSpace: colorSpace,
      scale: scale)
  }

  /// How close two images are, in decibels; 99 when they are equal.
  func likeness(to other: Image) -> Double {
    let mine = bytes
    let theirs = other.bytes
    guard size == other.size, mine.count == theirs.count else { return 0 }
    let squares = zip(mine, theirs).reduce(0) { sum, pair in
      let difference = Int(pair.0) - Int(pair.1)
      return sum + difference * difference
    }
    guard squares > 0 else { return 99 }
    return decibels(65_025 * Double(mine.count) / Double(squares))
  }
}

/// Ten times the decimal logarithm, to a quarter: no library is needed for that.
private func decibels(_ ratio: Double) -> Double {
  var rest = ratio
  var result = 0.0
  while rest >= 1.059253725 {
    rest /= 1.059253725
    result += 0.25
  }
  return result
}

extension ImageCodecError {
  /// The name of a case that carries values.
  var kind: String? { Mirror(reflecting: self).children.first?.label }
}

struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }

  mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 32) }

  mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % max(limit, 1) }
}

extension Collection where Element == UInt8 {
  /// Where `pattern` begins.
  func positions(of pattern: [UInt8]) -> [Int] {
    let all = Array(self)
    guard all.count >= pattern.count else { return [] }
    return (0...all.count - pattern.count).filter { all[$0..<$0 + pattern.count].elementsEqual(pattern) }
  }
}

func big(_ value: Int, count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

func little(_ value: Int, count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

/// Several numbers, each with its count of bytes.
func little(_ fields: (value: Int, count: Int)...) -> [UInt8] {
  fields.flatMap { little($0.value, count: $0.count) }
}
