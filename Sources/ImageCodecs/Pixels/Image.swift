/// An image in memory: its size, its pixels, their format and their color space.
///
/// An image is a value. Copies share their pixels until one of them is changed. The first row is at the top: the
/// orientation of the file was applied when it was decoded.
///
/// ```swift
/// let photograph = try ImageDecoder.decode(bytes)
/// let thumbnail = try photograph.resized(to: .fitting(320))
/// let file = try ImageEncoder.encode(thumbnail, as: .jpeg(quality: 0.8))
/// ```
///
/// Two images are equal if their size, format, color space, scale, gain map and all pixels are.
public struct Image: Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The layout of a pixel in memory.
  public let pixelFormat: PixelFormat

  /// The color space. Setting it relabels the pixels without converting them.
  public var colorSpace: ColorSpace

  /// The number of pixels per point, for layout. It does not affect pixels.
  public var scale: Double

  private var pixels: PixelBuffer
  private var attached = AttachedGainMap.none

  /// The longest side that can be represented.
  package static let maximumSide = 1 << 24

  /// Creates a black image; a transparent one if there is an alpha channel.
  ///
  /// Throws ``ImageCodecError/invalidSize(_:)`` for sides below 1 or above 16,777,216, and ``ImageCodecError/outOfMemory``.
  public init(
    width: Int, height: Int, pixelFormat: PixelFormat, colorSpace: ColorSpace = .sRGB, scale: Double = 1
  ) throws(ImageCodecError) {
    let byteCount = try Image.byteCount(width: width, height: height, pixelFormat: pixelFormat)
    self.init(
      width: width, height: height, pixelFormat: pixelFormat, colorSpace: colorSpace, scale: scale,
      pixels: try PixelBuffer(byteCount: byteCount))
  }

  /// An image whose pixels are written before anything reads them, all of them, or it is thrown away.
  ///
  /// Throws the errors of ``init(width:height:pixelFormat:colorSpace:scale:)``.
  init(
    unset size: PixelSize, pixelFormat: PixelFormat, colorSpace: ColorSpace, scale: Double = 1
  ) throws(ImageCodecError) {
    let byteCount = try Image.byteCount(width: size.width, height: size.height, pixelFormat: pixelFormat)
    let pixels = try PixelBuffer(byteCount: byteCount, isZeroed: false)
    self.init(
      width: size.width, height: size.height, pixelFormat: pixelFormat, colorSpace: colorSpace, scale: scale,
      pixels: pixels)
  }

  /// An image of pixels that lie somewhere already. Their number has been checked.
  init(
    width: Int, height: Int, pixelFormat: PixelFormat, colorSpace: ColorSpace, scale: Double,
    pixels: PixelBuffer
  ) {
    (self.width, self.height, self.pixelFormat) = (width, height, pixelFormat)
    (self.colorSpace, self.scale, self.pixels) = (colorSpace, scale, pixels)
  }

  /// Creates an image from bytes: rows from top to bottom, without padding.
  ///
  /// Throws ``ImageCodecError/invalidSize(_:)`` unless their number is `width * height * bytesPerPixel`, and the errors of
  /// ``init(width:height:pixelFormat:colorSpace:scale:)``.
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

  /// The size of a row in bytes. Rows are not padded.
  public var bytesPerRow: Int { width * pixelFormat.bytesPerPixel }

  /// The size of the pixels in bytes, without those of ``gainMap``.
  public var byteCount: Int { pixels.bytes.count }

  /// The size of all that the image keeps in memory.
  package var cachedByteCount: Int { byteCount + (gainMap?.image.byteCount ?? 0) }

  /// By how much each pixel is brighter on an HDR display; `nil` if that is not known.
  ///
  /// Decoded with ``DecodingOptions/keepsGainMap``. Resizing, cropping, mirroring, rotating by multiples of 90 degrees,
  /// conversion to sRGB and encoding as JPEG and AVIF keep it. All other filters and encoders drop it.
  public var gainMap: GainMap? {
    get { if case .map(let map) = attached { map } else { nil } }
    set { attached = newValue.map(AttachedGainMap.map) ?? .none }
  }

  /// Calls `body` with all rows, top to bottom.
  ///
  /// The pointer is valid afterwards only as long as you keep a copy of the image and never write to that copy. Writing to
  /// another copy does not change these pixels. So whatever reads from pointers, such as the texture of a toolkit, can use
  /// them without copying.
  public func withUnsafeBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // The pointer must not outlive the last reference to the buffer.
    defer { withExtendedLifetime(pixels) {} }
    return try body(UnsafeRawBufferPointer(pixels.bytes))
  }

  /// Calls `body` with all rows, which it may change. The pointer is not valid afterwards.
  ///
  /// Throws ``ImageCodecError/outOfMemory`` if the pixels are shared and cannot be copied.
  ///
  /// - Complexity: O(`byteCount`) if the pixels are shared with another image, otherwise O(1).
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
      && left.attached == right.attached
  }
}

extension Image: CustomStringConvertible {
  public var description: String { "Image(\(size), \(pixelFormat), \(colorSpace))" }
}
