/// Pixels in memory: a width, a height, a pixel format and what the numbers mean.
///
/// An image is a value. Copies share their pixels until one of them is written to. The first row is the top
/// row: orientation has been applied when the file was decoded, exactly once.
///
/// ```swift
/// let photograph = try ImageDecoder.decode(bytes)
/// let thumbnail = try photograph.resized(to: .fitting(320))
/// let file = try ImageEncoder.encode(thumbnail, as: .jpeg(quality: 0.8))
/// ```
///
/// Two images are equal when size, format, color space, scale and all pixels are.
public struct Image: Sendable {
  /// In pixels.
  public let width: Int
  /// In pixels.
  public let height: Int
  /// How a pixel lies in memory.
  public let pixelFormat: PixelFormat

  /// What the numbers mean. Setting it relabels the pixels; it converts nothing.
  public var colorSpace: ColorSpace

  /// Pixels per point, for whoever lays the image out; nothing here reads it.
  public var scale: Double

  private var pixels: PixelBuffer

  /// The longest side that can be represented.
  package static let maximumSide = 1 << 24

  /// A black image; with an alpha channel, a transparent one.
  ///
  /// Throws ``ImageCodecError/invalidSize(_:)`` for sides below 1 and ``ImageCodecError/outOfMemory``.
  public init(
    width: Int, height: Int, pixelFormat: PixelFormat, colorSpace: ColorSpace = .sRGB, scale: Double = 1
  ) throws(ImageCodecError) {
    let byteCount = try Image.byteCount(width: width, height: height, pixelFormat: pixelFormat)
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.colorSpace = colorSpace
    self.scale = scale
    pixels = try PixelBuffer(byteCount: byteCount)
  }

  /// An image of the given bytes: rows from top to bottom, no padding between them.
  ///
  /// Throws ``ImageCodecError/invalidSize(_:)`` when their number is not `width * height * bytesPerPixel`.
  public init(
    bytes: some Collection<UInt8>, width: Int, height: Int, pixelFormat: PixelFormat,
    colorSpace: ColorSpace = .sRGB, scale: Double = 1
  ) throws(ImageCodecError) {
    let byteCount = try Image.byteCount(width: width, height: height, pixelFormat: pixelFormat)
    guard bytes.count == byteCount else {
      throw .invalidSize("\(bytes.count) bytes where \(byteCount) are needed")
    }
    try self.init(
      width: width, height: height, pixelFormat: pixelFormat, colorSpace: colorSpace, scale: scale)
    pixels.bytes.copyBytes(from: bytes)
  }
}

extension Image {
  /// Width and height.
  public var size: PixelSize { PixelSize(width: width, height: height) }

  /// The distance between two rows in bytes. Rows are not padded.
  public var bytesPerRow: Int { width * pixelFormat.bytesPerPixel }

  /// What the pixels cost in memory.
  public var byteCount: Int { pixels.bytes.count }

  /// Calls `body` with all rows, top to bottom. The pointer is not valid afterwards.
  public func withUnsafeBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // The pointer must not outlive the last reference to the buffer.
    defer { withExtendedLifetime(pixels) {} }
    return try body(UnsafeRawBufferPointer(pixels.bytes))
  }

  /// Calls `body` with all rows to be written. The pointer is not valid afterwards.
  ///
  /// Throws ``ImageCodecError/outOfMemory`` when the pixels are shared and there is no memory for a copy.
  ///
  /// - Complexity: O(`byteCount`) when the pixels are shared with another image, else O(1).
  public mutating func withUnsafeMutableBytes<Value>(
    _ body: (UnsafeMutableRawBufferPointer) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    if !isKnownUniquelyReferenced(&pixels) { pixels = try pixels.copy() }
    defer { withExtendedLifetime(pixels) {} }
    return try body(pixels.bytes)
  }

  private static func byteCount(
    width: Int, height: Int, pixelFormat: PixelFormat
  ) throws(ImageCodecError) -> Int {
    guard width >= 1, height >= 1, width <= maximumSide, height <= maximumSide else {
      throw .invalidSize("\(width) × \(height) pixels")
    }
    return width * height * pixelFormat.bytesPerPixel
  }
}

extension Image: Equatable {
  public static func == (left: Image, right: Image) -> Bool {
    left.size == right.size && left.pixelFormat == right.pixelFormat && left.scale == right.scale
      && left.colorSpace == right.colorSpace && left.pixels.holdsSameBytes(as: right.pixels)
  }
}

extension Image: CustomStringConvertible {
  public var description: String { "Image(\(size), \(pixelFormat), \(colorSpace))" }
}
