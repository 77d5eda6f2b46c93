public import Foundation

extension ImageProcessing where Self == ImageProcessors.Resize {
  /// Resizes the image to fill or fit a box.
  public static func resize(
    size: CGSize, unit: ImageProcessors.Unit = .pixels,
    contentMode: ImageProcessors.ContentMode = .aspectFill, crop: Bool = false, upscale: Bool = false,
    light: Image.Light = .encoded
  ) -> Self {
    Self(size: size, unit: unit, contentMode: contentMode, crop: crop, upscale: upscale, light: light)
  }

  /// Resizes the image to a width and keeps the aspect ratio.
  public static func resize(
    width: Double, unit: ImageProcessors.Unit = .pixels, upscale: Bool = false,
    light: Image.Light = .encoded
  ) -> Self {
    Self(width: width, unit: unit, upscale: upscale, light: light)
  }

  /// Resizes the image to a height and keeps the aspect ratio.
  public static func resize(
    height: Double, unit: ImageProcessors.Unit = .pixels, upscale: Bool = false,
    light: Image.Light = .encoded
  ) -> Self {
    Self(height: height, unit: unit, upscale: upscale, light: light)
  }
}

extension ImageProcessors {
  /// The unit of a length.
  public enum Unit: Sendable, Hashable {
    /// Pixels of the image.
    case pixels
    /// Points of `scale` pixels.
    case points(scale: Double)
  }

  /// How an image is fitted to a box of another shape.
  public enum ContentMode: Sendable, Hashable {
    /// The image covers the box. It extends beyond the box unless it is cropped.
    case aspectFill
    /// The whole image is inside the box.
    case aspectFit
  }

  /// Resizes an image and keeps its aspect ratio.
  ///
  /// Pixels are not enlarged, unless `upscale` is set. A size that is not positive, or with `upscale` above 65,535 pixels, fails with
  /// ``ImagePipeline/Error/processingFailed(processor:_:)``.
  ///
  /// If it is the first processor, the decoder can resize while decoding. For a JPEG, that takes a fraction of the memory.
  /// In photographs, the difference to decoding the whole image first is not visible (about 50 dB). Patterns of sharp lines
  /// can differ visibly (about 30 dB).
  public struct Resize: ImageProcessing, Hashable {
    /// The size in pixels, and how the image is fitted to it.
    public let target: ResizeTarget
    public let identifier: String

    /// Creates a processor that resizes to fill or fit a box.
    ///
    /// - Parameters:
    ///   - size: The size of the box.
    ///   - unit: The unit of `size`: pixels, or points of several pixels.
    ///   - contentMode: Whether the image fills the box or fits into it.
    ///   - crop: Whether to cut off what extends beyond the box, evenly on both sides. Only with `.aspectFill`.
    ///   - upscale: Whether smaller images are enlarged.
    ///   - light: Whether encoded or linear values are averaged. `.linear` is slower, and prevents resizing while
    ///     decoding.
    public init(
      size: CGSize, unit: Unit = .pixels, contentMode: ContentMode = .aspectFill, crop: Bool = false,
      upscale: Bool = false, light: Image.Light = .encoded
    ) {
      self.init(
        ResizeTarget(
          width: Double(size.width) * unit.pixels, height: Double(size.height) * unit.pixels,
          mode: contentMode.resizeMode, crops: crop && contentMode == .aspectFill, upscales: upscale,
          light: light))
    }

    /// Creates a processor that resizes to a width and keeps the aspect ratio.
    public init(
      width: Double, unit: Unit = .pixels, upscale: Bool = false, light: Image.Light = .encoded
    ) {
      self.init(
        ResizeTarget(width: width * unit.pixels, height: nil, mode: .fit, upscales: upscale, light: light))
    }

    /// Creates a processor that resizes to a height and keeps the aspect ratio.
    public init(
      height: Double, unit: Unit = .pixels, upscale: Bool = false, light: Image.Light = .encoded
    ) {
      self.init(
        ResizeTarget(width: nil, height: height * unit.pixels, mode: .fit, upscales: upscale, light: light))
    }

    private init(_ target: ResizeTarget) {
      self.target = target
      identifier = "resize \(target.identifier)"
    }

    /// Decoders do not enlarge pixels.
    public var decodingTarget: ResizeTarget? { target.upscales ? nil : target }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      try image.resized(to: target, isCancelled: context.isCancelled)
    }
  }
}

extension ImageProcessors.Unit {
  var pixels: Double {
    switch self {
    case .pixels: 1
    case .points(let scale): scale
    }
  }
}

extension ImageProcessors.ContentMode {
  var resizeMode: ResizeTarget.Mode {
    switch self {
    case .aspectFill: .fill
    case .aspectFit: .fit
    }
  }
}

extension ResizeTarget {
  /// Part of cache keys, so it contains every parameter.
  var identifier: String {
    let sides = [width, height].map { $0.map { "\($0)" } ?? "any" }.joined(separator: "x")
    let flags = (crops ? " crop" : "") + (upscales ? " upscale" : "") + (light == .linear ? " linear" : "")
    return "\(sides) \(mode == .fill ? "fill" : "fit")\(flags)"
  }
}
