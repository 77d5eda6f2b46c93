public import Foundation

/// Pictures of SVG documents, for who wants them.
///
/// ```swift
/// try registry.register(SVGDecoder())
/// ```
///
/// The registry is ``ImageDecoderRegistry/shared``, or one of a pipeline. Without it, SVG is no picture. `SVGRenderer` says
/// what is refused, and has limits, which hold beside those of the pipeline. A size that is wanted is drawn as it is, also if
/// it is larger than what the document asks for.
public struct SVGDecoder: ImageDecoding {
  private let renderer: SVGRenderer

  /// Throws `ImageCodecError.missingLibrary` if librsvg is not there.
  public init() throws(ImageCodecError) { try self.init(SVGRenderer()) }

  /// A decoder with limits of its own.
  public init(_ renderer: SVGRenderer) { self.renderer = renderer }

  public func canDecode(_ data: Data) -> Bool { SVGRenderer.isDocument(data) }

  public func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int {
    try data.withUnsafeBytes { (bytes) throws(ImageCodecError) in
      try renderer.byteCost(of: bytes, options: options(context))
    }
  }

  public func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
    try data.withUnsafeBytes { (bytes) throws(ImageCodecError) in
      try renderer.image(of: bytes, options: options(context), isCancelled: context.isCancelled)
    }
  }

  private func options(_ context: ImageDecodingContext) -> DecodingOptions {
    DecodingOptions(limits: context.limits, target: context.target, scale: context.request.scale)
  }
}
