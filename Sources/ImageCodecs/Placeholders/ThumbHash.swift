/// A placeholder of about 25 bytes: a blurred image with its aspect ratio, average color and transparency.
///
/// It has the format of [ThumbHash](https://evanw.github.io/thumbhash/). Store it beside the address of an image, and show it
/// until the image is loaded.
///
/// ```swift
/// let hash = try ThumbHash(encoding: photograph)
/// let placeholder = try hash.image()
/// ```
public struct ThumbHash: Sendable, Hashable {
  /// The bytes, about 25.
  public let bytes: [UInt8]
  private let header: Header

  /// Reads a hash. Bytes after its end are ignored.
  ///
  /// Throws ``ImageCodecError/truncated`` if bytes are missing, and ``ImageCodecError/corrupt(_:)`` if it has no size.
  public init(_ bytes: some Sequence<UInt8>) throws(ImageCodecError) {
    // The longest hash has fewer, so the rest of an endless sequence is not read.
    let start = Array(bytes.prefix(64))
    header = try Header(start)
    guard start.count >= header.byteCount else { throw .truncated }
    self.bytes = Array(start.prefix(header.byteCount))
  }

  /// Hashes an image. A side of more than 100 pixels is reduced first.
  ///
  /// Colors with a profile are converted to sRGB.
  ///
  /// - Complexity: O(pixels).
  public init(
    encoding image: Image, isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) {
    let small = try image.resized(to: .fitting(100), isCancelled: isCancelled)
      .convertedToSRGB(isCancelled: isCancelled).withAlpha()
    try self.init(ThumbHashEncoder(small).bytes)
  }

  /// The approximate width of the image, divided by its height.
  public var aspectRatio: Double { Double(header.columns) / Double(header.rows) }

  /// Whether the image had transparent parts.
  public var hasAlpha: Bool { header.hasAlpha }

  /// The average color of the image.
  public var averageColor: Image.Pixel {
    let color = header.average
    return color.pixel(alpha: header.hasAlpha ? Double(bytes[5] & 15) / 15 : 1, .toNearestOrAwayFromZero)
  }

  /// Draws the placeholder.
  ///
  /// - Parameter side: The length of the longer side in pixels, from 1 to 256. The placeholder has no details that need
  ///     more than 32.
  /// - Throws: ``ImageCodecError/invalidSize(_:)`` for other lengths.
  public func image(side: Int = 32) throws(ImageCodecError) -> Image {
    guard (1...256).contains(side) else { throw .invalidSize("a placeholder of \(side) pixels") }
    let shorter = { (ratio: Double) in max(1, Int((Double(side) * ratio).rounded())) }
    let size =
      aspectRatio > 1
      ? PixelSize(width: side, height: shorter(1 / aspectRatio))
      : PixelSize(width: shorter(aspectRatio), height: side)
    return try draw(size)
  }

  private func draw(_ size: PixelSize) throws(ImageCodecError) -> Image {
    var digits = Nibbles(bytes[(hasAlpha ? 6 : 5)...])
    // Colors are drawn stronger, since rounding makes them paler.
    let luma = digits.waves(header.lumaWaves, scale: header.lumaScale)
    let yellow = digits.waves(.colors, scale: header.yellowScale * 1.25)
    let red = digits.waves(.colors, scale: header.redScale * 1.25)
    let alpha = hasAlpha ? digits.waves(.alpha, scale: Double(bytes[5] >> 4) / 15) : []
    let transform = CosineTransform(
      width: size.width, height: size.height, columns: 7, rows: 7, offset: 0.5)
    var drawn: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let sum = { (waves: [Wave]) in
          waves.reduce(0) { $0 + $1.amount * 2 * transform.value(of: $1.column, $1.row, x: x, y: y) }
        }
        let color = Opponent(
          luma: header.average.luma + sum(luma), yellow: header.average.yellow + sum(yellow),
          red: header.average.red + sum(red))
        let opacity = hasAlpha ? Double(bytes[5] & 15) / 15 + sum(alpha) : 1
        let pixel = color.pixel(alpha: opacity, .down)
        drawn += [pixel.red, pixel.green, pixel.blue] + (hasAlpha ? [pixel.alpha] : [])
      }
    }
    return try Image(
      bytes: drawn, width: size.width, height: size.height, pixelFormat: hasAlpha ? .rgba8 : .rgb8)
  }

  public static func == (left: ThumbHash, right: ThumbHash) -> Bool { left.bytes == right.bytes }
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
