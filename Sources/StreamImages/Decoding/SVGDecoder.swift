public import Foundation

/// Decodes SVG documents. You have to register it:
///
/// ```swift
/// try registry.register(SVGDecoder())
/// ```
///
/// The registry is ``ImageDecoderRegistry/shared``, or that of a pipeline. Otherwise, SVG documents are not images.
/// `SVGRenderer` documents what is refused, and has limits in addition to those of the pipeline. A requested size is
/// drawn exactly, even if it is larger than that of the document.
///
/// Documents are drawn in worker processes, even if other images are not: call `ImageWorker.runIfAsked()` first in
/// your program. To draw documents of your own in the program, set `SVGRenderer.isolation` to `.none`.
public struct SVGDecoder: ImageDecoding {
  let renderer: SVGRenderer

  /// Creates a decoder. Throws `ImageCodecError.missingLibrary` if librsvg is not installed.
  public init() throws(ImageCodecError) { try self.init(SVGRenderer()) }

  /// Creates a decoder with its own limits.
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

  func options(_ context: ImageDecodingContext) -> DecodingOptions {
    DecodingOptions(limits: context.limits, target: context.target, scale: context.request.scale)
  }
}
