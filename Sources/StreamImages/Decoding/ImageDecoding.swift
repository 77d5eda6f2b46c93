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

  /// A picture of the first part of the bytes; `nil`, the default, if there is nothing to be seen.
  ///
  /// What it throws counts as nothing to be seen.
  func decodePreview(_ data: Data, _ context: ImageDecodingContext) throws -> Image?

  /// Which previews are worth the work; `nil` as long as too little has come to tell.
  func previewPolicy(for data: Data) -> PreviewPolicy?

  /// What the header says, as far as it is there.
  func info(of data: Data) -> ImageInfo?
}

extension ImageDecoding {
  public func decodePreview(_ data: Data, _ context: ImageDecodingContext) throws -> Image? { nil }
  public func info(of data: Data) -> ImageInfo? { nil }

  /// What fits the format, if there is a header; else none.
  public func previewPolicy(for data: Data) -> PreviewPolicy? {
    info(of: data).map { PreviewPolicy(fitting: $0) }
  }
}

/// Makes pictures of bytes, somewhere else: in another process, on a device, over the network.
///
/// As ``ImageDecoding``, but it is called on a thread of the pool of tasks and must not hold it up. Its work counts
/// against the places for decoding, and its task is cancelled when nobody wants the picture any more.
public protocol AsyncImageDecoding: Sendable {
  /// Whether this decoder is for these bytes. Should look at the beginning only.
  func canDecode(_ data: Data) -> Bool

  /// How many bytes of memory decoding will take here; 0 by default.
  func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int

  /// Throws if the bytes are damaged or end too early.
  func decode(_ data: Data, _ context: ImageDecodingContext) async throws -> Image
}

extension AsyncImageDecoding {
  public func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { 0 }
}

/// What a decoder has to know.
public struct ImageDecodingContext: Sendable {
  /// Whose picture it is; one of those who share the work, if there are several.
  public let request: ImageRequest

  /// What the picture may take at most.
  public let limits: DecodingLimits

  /// The size that is wanted; `nil` for the whole picture. Not to be enlarged to.
  public let target: ResizeTarget?

  /// Whether all bytes are there.
  public let isComplete: Bool

  /// What the server called the bytes. A hint.
  public let contentType: String?

  /// Which preview is wanted; `nil` unless it is one.
  public var previewPolicy: PreviewPolicy?

  /// Whether nobody wants the result any more. Long work should look now and then, and throw.
  public let isCancelled: @Sendable () -> Bool

  /// What a decoder is told, for who calls one by hand.
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
  /// The same, with another way to ask whether the result is wanted.
  func asking(_ isCancelled: @escaping @Sendable () -> Bool) -> ImageDecodingContext {
    var context = ImageDecodingContext(
      request: request, limits: limits, target: target, isComplete: isComplete, contentType: contentType,
      isCancelled: isCancelled)
    context.previewPolicy = previewPolicy
    return context
  }
}

/// The decoders that come with the library.
public enum ImageDecoders {
  /// JPEG, PNG, WebP, GIF, BMP, ICO, and AVIF, HEIC and TIFF unless the package trait `AllFormats` is off.
  public struct Default: ImageDecoding {
    /// What becomes of colors that a file describes by a profile.
    public var colors: DecodingOptions.Colors

    /// Whether files of more than eight bits a channel become images of sixteen, where their format can do that.
    public var keepsDepth: Bool

    /// With `.asStored`, wide colors (Display P3) are kept; with `keepsDepth`, sixteen bits a channel.
    public init(colors: DecodingOptions.Colors = .sRGB, keepsDepth: Bool = false) {
      self.colors = colors
      self.keepsDepth = keepsDepth
    }

    public func canDecode(_ data: Data) -> Bool {
      ImageFormat(sniffing: data.prefix(ImageFormat.sniffingLength)).map(ImageDecoder.formats.contains)
        ?? false
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
      try data.withUnsafeBytes { (bytes) throws(ImageCodecError) -> Image? in
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

    private func options(_ context: ImageDecodingContext) -> DecodingOptions {
      var options = DecodingOptions(
        limits: context.limits, target: context.target, colors: colors, scale: context.request.scale)
      options.keepsDepth = keepsDepth
      options.usesEmbeddedThumbnail = context.request.thumbnail?.usesEmbeddedThumbnail ?? false
      return options
    }

    public func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
      let options = options(context)
      return try data.withUnsafeBytes { (bytes) throws(ImageCodecError) in
        try ImageDecoder.decode(bytes, options: options, isCancelled: context.isCancelled)
      }
    }
  }
}
