import CCodecs

/// A placeholder of 6 to 166 characters: a blurred image without its proportions.
///
/// It has the format of [BlurHash](https://blurha.sh), which many services send. ``ThumbHash`` is smaller, has more details, and
/// keeps proportions and transparency.
///
/// ```swift
/// let blur = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
/// let blurred = try blur.image(width: 32, height: 24)
/// ```
public struct BlurHash: Sendable, Hashable, CustomStringConvertible {
  /// The text.
  public let description: String
  /// The number of waves across, from 1 to 9.
  public let columns: Int
  /// The number of waves down, from 1 to 9.
  public let rows: Int
  private let digits: [Int]

  /// Reads a hash.
  ///
  /// Throws ``ImageCodecError/corrupt(_:)`` for characters that no hash has, a value beyond its range or another length than
  /// that of its waves, and ``ImageCodecError/truncated`` if characters are missing.
  public init(_ text: String) throws(ImageCodecError) {
    // The longest hash has fewer, so the rest of a long text is not read.
    let scalars = text.unicodeScalars.prefix(200)
    var digits: [Int] = []
    for scalar in scalars {
      guard scalar.isASCII, let digit = Self.alphabet.firstIndex(of: UInt8(scalar.value)) else {
        throw .corrupt("a character of a placeholder")
      }
      digits.append(digit)
    }
    guard digits.count >= 6 else { throw .truncated }
    guard digits[0] < 81 else { throw .corrupt("the size of a placeholder") }
    (columns, rows) = (digits[0] % 9 + 1, digits[0] / 9 + 1)
    let length = 4 + 2 * columns * rows
    guard digits.count >= length else { throw .truncated }
    guard digits.count == length else { throw .corrupt("the length of a placeholder") }
    self.digits = digits
    description = text
    guard number(2..<6) <= 0xFF_FF_FF else { throw .corrupt("the color of a placeholder") }
    for start in stride(from: 6, to: length, by: 2) where number(start..<start + 2) >= 6_859 {
      throw .corrupt("a wave of a placeholder")
    }
  }

  /// Hashes an image. A side of more than 100 pixels is reduced first.
  ///
  /// Colors with a profile are converted to sRGB. Transparent parts have the color `background`.
  ///
  /// Throws ``ImageCodecError/invalidSetting(_:)`` unless `columns` and `rows` are from 1 to 9.
  ///
  /// - Complexity: O(pixels · `columns` · `rows`).
  public init(
    encoding image: Image, columns: Int = 4, rows: Int = 3,
    background: Image.Pixel = Image.Pixel(red: 255, green: 255, blue: 255),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) {
    guard (1...9).contains(columns), (1...9).contains(rows) else {
      throw .invalidSetting("a placeholder of \(columns) × \(rows) waves")
    }
    let small = try image.resized(to: .fitting(100), isCancelled: isCancelled)
      .convertedToSRGB(isCancelled: isCancelled)
    let opaque = try small.blended(with: background, mode: .destinationOver).colored().opaque()
    let amounts = Self.amounts(of: opaque, columns, rows)
    let largest = amounts.dropFirst().joined().map(abs).max()
    let step = largest.map { min(max(Int($0 * 166 - 0.5), 0), 82) } ?? 0
    let scale = largest == nil ? 1 : Double(step + 1) / 166
    var text = Self.text(columns - 1 + (rows - 1) * 9, digits: 1) + Self.text(step, digits: 1)
    text += Self.text(amounts[0].reduce(0) { $0 << 8 | Int(codec_srgb_of($1)) }, digits: 4)
    for amount in amounts.dropFirst() {
      text += Self.text(amount.reduce(0) { $0 * 19 + Self.step(of: $1 / scale) }, digits: 2)
    }
    try self.init(text)
  }

  /// The average color of the image.
  public var averageColor: Image.Pixel {
    let color = number(2..<6)
    return Image.Pixel(
      red: UInt8(color >> 16), green: UInt8(color >> 8 & 255), blue: UInt8(color & 255))
  }

  /// Draws the placeholder.
  ///
  /// - Parameters:
  ///   - width: From 1 to 256 pixels. The placeholder has no details that need more than 32.
  ///   - height: The same.
  ///   - punch: The contrast. 1 is that of the image.
  /// - Throws: ``ImageCodecError/invalidSize(_:)`` and ``ImageCodecError/invalidSetting(_:)`` for other values.
  public func image(width: Int, height: Int, punch: Double = 1) throws(ImageCodecError) -> Image {
    guard (1...256).contains(width), (1...256).contains(height) else {
      throw .invalidSize("a placeholder of \(width) × \(height) pixels")
    }
    guard punch.isFinite, punch >= 0 else { throw .invalidSetting("a punch of \(punch)") }
    let scale = Double(digits[1] + 1) / 166 * punch
    let transform = CosineTransform(width: width, height: height, columns: columns, rows: rows, offset: 0)
    var lights = [Double](repeating: 0, count: width * height * 3)
    for index in 0..<columns * rows {
      let amount = amount(index, scale)
      for y in 0..<height {
        for x in 0..<width {
          let value = transform.value(of: index % columns, index / columns, x: x, y: y)
          for channel in 0..<3 { lights[(y * width + x) * 3 + channel] += amount[channel] * value }
        }
      }
    }
    return try Image(
      bytes: lights.map { codec_srgb_of($0) }, width: width, height: height, pixelFormat: .rgb8)
  }

  public static func == (left: BlurHash, right: BlurHash) -> Bool { left.digits == right.digits }
  public func hash(into hasher: inout Hasher) { hasher.combine(digits) }
}

// MARK: Numbers

extension BlurHash {
  private static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

  private static let lights = [Double](unsafeUninitializedCapacity: 256) { buffer, filled in
    codec_light_table(buffer.baseAddress)
    filled = 256
  }

  private static func text(_ number: Int, digits: Int) -> String {
    var (rest, text) = (number, [UInt8]())
    for _ in 0..<digits {
      text.append(alphabet[rest % 83])
      rest /= 83
    }
    return String(decoding: text.reversed(), as: UTF8.self)
  }

  private func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 83 + $1 } }

  /// The light of the average color, or the amount of a wave in each channel.
  private func amount(_ index: Int, _ scale: Double) -> [Double] {
    if index == 0 {
      let color = averageColor
      return [color.red, color.green, color.blue].map { Self.lights[Int($0)] }
    }
    let value = number(4 + index * 2..<6 + index * 2)
    return [value / 361, value / 19 % 19, value % 19].map { step in
      let share = Double(step - 9) / 9
      return share * abs(share) * scale
    }
  }

  /// From 0 to 18, where 9 is nothing. Small amounts have finer steps.
  private static func step(of share: Double) -> Int {
    let root = abs(share).squareRoot()
    return min(max(Int(((share < 0 ? -root : root) * 9 + 9.5).rounded(.down)), 0), 18)
  }

  private static func amounts(of image: Image, _ columns: Int, _ rows: Int) -> [[Double]] {
    let transform = CosineTransform(
      width: image.width, height: image.height, columns: columns, rows: rows, offset: 0)
    let planes = image.withUnsafeBytes { pixels in
      (0..<3).map { channel in
        stride(from: channel, to: pixels.count, by: 3).map { lights[Int(pixels[$0])] }
      }
    }
    let positions = (0..<columns * rows).map { (column: $0 % columns, row: $0 / columns) }
    let amounts = planes.map { transform.amounts(of: positions, in: $0) }
    return positions.indices.map { index in amounts.map { $0[index] * (index == 0 ? 1 : 2) } }
  }
}
