public import Foundation

/// Makes pictures of bytes.
///
/// It is called on a thread of the pipeline's own, several at a time. Bytes come from strangers: a decoder must stay
/// within ``ImageDecodingContext/limits``, whatever they say.
public protocol ImageDecoding: Sendable {
  /// Whether this decoder is for these bytes. Should look at the beginning only.
  func canDecode(_ data: Data) -> Bool

  /// How many bytes of memory decoding will take, so that not too much is decoded at a time.
  ///
  /// Throws if the header says already that nothing will come of it.
  func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int

  /// Throws if the bytes are damaged or end too early: half a picture is no picture.
  func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image
}

/// What a decoder has to know.
public struct ImageDecodingContext: Sendable {
  public let request: ImageRequest

  public let limits: DecodingLimits

  /// The size that is wanted; `nil` for the whole picture. Not to be enlarged to.
  public let target: ResizeTarget?

  /// Whether nobody wants the result any more. Long work should look now and then, and throw.
  public let isCancelled: @Sendable () -> Bool

  public init(
    request: ImageRequest, limits: DecodingLimits = .default, target: ResizeTarget? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.request = request
    self.limits = limits
    self.target = target
    self.isCancelled = isCancelled
  }
}

/// The decoders that come with the library.
public enum ImageDecoders {
  /// JPEG, PNG, WebP, GIF, and AVIF and HEIC unless the package's traits of these names are off.
  public struct Default: ImageDecoding {
    /// What becomes of colors that a file describes by a profile.
    public var colors: DecodingOptions.Colors

    /// With `.asStored`, wide colors (Display P3) are kept.
    public init(colors: DecodingOptions.Colors = .sRGB) { self.colors = colors }

    public func canDecode(_ data: Data) -> Bool {
      ImageFormat(sniffing: data.prefix(ImageFormat.sniffingLength)).map(ImageDecoder.formats.contains)
        ?? false
    }

    public func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int {
      let info = try data.withUnsafeBytes { (bytes) throws(ImageCodecError) in
        try ImageDecoder.info(of: bytes)
      }
      // A scaled decode works on a few rows of the whole at a time.
      let size = try context.target.map { target throws(ImageCodecError) in try target.size(for: info.size) }
      let shown = size ?? info.size
      let (pixels, overflows) = shown.width.multipliedReportingOverflow(by: shown.height)
      return overflows ? .max : pixels > .max / 4 ? .max : pixels * 4
    }

    public func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
      let options = DecodingOptions(
        limits: context.limits, target: context.target, colors: colors, scale: context.request.scale)
      return try data.withUnsafeBytes { (bytes) throws(ImageCodecError) in
        try ImageDecoder.decode(bytes, options: options, isCancelled: context.isCancelled)
      }
    }
  }
}
