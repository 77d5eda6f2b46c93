public import Foundation

/// Decodes images.
///
/// It is called on any thread, concurrently. The bytes are not trusted, so a decoder must enforce
/// ``ImageDecodingContext/limits``.
public protocol ImageDecoding: Sendable {
  /// Returns whether this decoder can decode these bytes. It should check only their beginning.
  func canDecode(_ data: Data) -> Bool

  /// Returns the memory that decoding needs in bytes, so that the pipeline can limit concurrent decoding.
  ///
  /// Throws if the header shows that the bytes cannot be decoded.
  func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int

  /// Returns the decoded image. Throws if the bytes are damaged or truncated.
  func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image

  /// Returns a preview of incomplete bytes; `nil`, the default, if there is none. Errors are ignored.
  func decodePreview(_ data: Data, _ context: ImageDecodingContext) throws -> Image?

  /// Returns which previews to make; `nil` while the header is incomplete.
  func previewPolicy(for data: Data) -> PreviewPolicy?

  /// Returns the metadata in the header, if it is available.
  func info(of data: Data) -> ImageInfo?
}

extension ImageDecoding {
  public func decodePreview(_ data: Data, _ context: ImageDecodingContext) throws -> Image? { nil }
  public func info(of data: Data) -> ImageInfo? { nil }

  /// Returns the policy that suits the format, if ``info(of:)`` returns metadata.
  public func previewPolicy(for data: Data) -> PreviewPolicy? {
    info(of: data).map { PreviewPolicy(fitting: $0) }
  }
}

/// Decodes images elsewhere: in another process, on a device, or over the network.
///
/// Like ``ImageDecoding``, but decoding runs on the shared threads of Swift's tasks and must not block them. It
/// takes a place in the decoding queue, and its task is cancelled when the image is not needed any more.
public protocol AsyncImageDecoding: Sendable {
  /// Returns whether this decoder can decode these bytes. It should check only their beginning.
  func canDecode(_ data: Data) -> Bool

  /// Returns the memory in this process that decoding needs; 0 by default.
  func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int

  /// Returns the decoded image. Throws if the bytes are damaged or truncated.
  func decode(_ data: Data, _ context: ImageDecodingContext) async throws -> Image
}

extension AsyncImageDecoding {
  public func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { 0 }
}

/// Information for a decoder.
public struct ImageDecodingContext: Sendable {
  /// The request. If several requests share the work, one of them.
  public let request: ImageRequest

  /// The limits.
  public let limits: DecodingLimits

  /// The size of the result; `nil` for the full size. Never enlarge to it.
  public let target: ResizeTarget?

  /// Whether all bytes are available.
  public let isComplete: Bool

  /// The type that the server sent. A hint.
  public let contentType: String?

  /// The requested preview; `nil` for the full image.
  public var previewPolicy: PreviewPolicy?

  /// Whether the result is not needed any more. Long-running work should check it and throw.
  public let isCancelled: @Sendable () -> Bool

  /// Creates a context, for calling a decoder yourself.
  public init(
    request: ImageRequest, limits: DecodingLimits = .default, target: ResizeTarget? = nil,
    isComplete: Bool = true, contentType: String? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.request = request
    self.limits = limits
    self.target = target
    self.isComplete = isComplete
    self.contentType = contentType
    self.isCancelled = isCancelled
  }
}

extension ImageDecodingContext {
  /// The same context with another cancellation check.
  func asking(_ isCancelled: @escaping @Sendable () -> Bool) -> ImageDecodingContext {
    var context = ImageDecodingContext(
      request: request, limits: limits, target: target, isComplete: isComplete, contentType: contentType,
      isCancelled: isCancelled)
    context.previewPolicy = previewPolicy
    return context
  }
}

extension ImageFormat {
  /// The format of a file, by its first bytes.
  init?(of data: Data) { self.init(sniffing: data.prefix(Self.sniffingLength)) }
}

/// The included decoders.
public enum ImageDecoders {
  /// JPEG, PNG, WebP, GIF, BMP and ICO; and AVIF, HEIC, JPEG XL and TIFF as the package traits select them, all by default.
  public struct Default: ImageDecoding {
    /// How colors with a profile are handled.
    public var colors: DecodingOptions.Colors

    /// Whether files with more than eight bits per channel become images of sixteen, if the format supports it.
    public var keepsDepth: Bool

    /// Whether the gain maps of HDR photographs are kept; see `DecodingOptions.keepsGainMap`.
    public var keepsGainMap: Bool

    /// Creates a decoder. `.asStored` keeps wide colors such as Display P3, `keepsDepth` keeps sixteen bits per channel, and
    /// `keepsGainMap` keeps HDR of JPEG, AVIF and HEIC.
    public init(
      colors: DecodingOptions.Colors = .sRGB, keepsDepth: Bool = false, keepsGainMap: Bool = false
    ) {
      self.colors = colors
      self.keepsDepth = keepsDepth
      self.keepsGainMap = keepsGainMap
    }

    public func canDecode(_ data: Data) -> Bool {
      ImageFormat(of: data).map(ImageDecoder.formats.contains) ?? false
    }

    public func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int {
      try data.withUnsafeBytes { (bytes) throws(ImageCodecError) in
        try ImageDecoder.byteCost(of: bytes, options: options(context))
      }
    }

    public func info(of data: Data) -> ImageInfo? {
      data.withUnsafeBytes { bytes in try? ImageDecoder.info(of: bytes) }
    }

    public func decodePreview(_ data: Data, _ context: ImageDecodingContext) throws -> Image? {
      try preview(data, context)
    }

    func preview(_ data: Data, _ context: ImageDecodingContext) throws(ImageCodecError) -> Image? {
      try data.withBytes { (bytes) throws(ImageCodecError) -> Image? in
        if context.previewPolicy == .thumbnail {
          return try ImageDecoder.embeddedThumbnail(
            of: bytes, options: options(context), isCancelled: context.isCancelled)
        }
        return try ImageDecoder.decodeAvailable(
          bytes, options: options(context), isCancelled: context.isCancelled
        )
        .image
      }
    }

    func options(_ context: ImageDecodingContext) -> DecodingOptions {
      var options = DecodingOptions(
        limits: context.limits, target: context.target, colors: colors, scale: context.request.scale)
      options.keepsDepth = keepsDepth
      options.keepsGainMap = keepsGainMap
      options.usesEmbeddedThumbnail = context.request.thumbnail?.usesEmbeddedThumbnail ?? false
      return options
    }

    public func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
      try image(data, context)
    }

    func image(_ data: Data, _ context: ImageDecodingContext) throws(ImageCodecError) -> Image {
      let options = options(context)
      return try data.withBytes { (bytes) throws(ImageCodecError) in
        try ImageDecoder.decode(bytes, options: options, isCancelled: context.isCancelled)
      }
    }
  }
}
