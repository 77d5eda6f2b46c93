public import Foundation

extension ImageProcessing where Self == ImageProcessors.Resize {
  /// Scales the picture so that it fills or fits a box.
  public static func resize(
    size: CGSize, unit: ImageProcessors.Unit = .pixels,
    contentMode: ImageProcessors.ContentMode = .aspectFill, crop: Bool = false, upscale: Bool = false,
    light: Image.Light = .encoded
  ) -> Self {
    Self(size: size, unit: unit, contentMode: contentMode, crop: crop, upscale: upscale, light: light)
  }

  /// Scales the picture to a width; the height follows.
  public static func resize(
    width: Double, unit: ImageProcessors.Unit = .pixels, upscale: Bool = false,
    light: Image.Light = .encoded
  ) -> Self {
    Self(width: width, unit: unit, upscale: upscale, light: light)
  }

  /// Scales the picture to a height; the width follows.
  public static func resize(
    height: Double, unit: ImageProcessors.Unit = .pixels, upscale: Bool = false,
    light: Image.Light = .encoded
  ) -> Self {
    Self(height: height, unit: unit, upscale: upscale, light: light)
  }
}

extension ImageProcessors {
  /// In what a length is given.
  public enum Unit: Sendable, Hashable {
    /// Pixels of the picture.
    case pixels
    /// A point is `scale` pixels.
    case points(scale: Double)
  }

  /// How a picture meets a box of another shape.
  public enum ContentMode: Sendable, Hashable {
    /// The picture covers the box; what sticks out stays, unless cropped.
    case aspectFill
    /// The whole picture is inside the box.
    case aspectFit
  }

  /// Scales a picture, keeping its proportions.
  ///
  /// Pictures that are smaller already stay as they are, unless `upscale` is set. Sizes that are not finite or not
  /// above zero fail with ``ImagePipeline/Error/processingFailed(processor:_:)``.
  ///
  /// As the first processor it is done by the decoder where that can scale while decoding. The picture then differs
  /// from one decoded whole and scaled by less than is seen (JPEG: about 50 dB), and takes a fraction of the
  /// memory.
  public struct Resize: ImageProcessing, Hashable {
    /// The size in pixels, and how the picture is to meet it.
    public let target: ResizeTarget
    public let identifier: String

    /// Resizes to this size.
    ///
    /// - Parameters:
    ///   - size: The box that the picture is to cover or to fit.
    ///   - unit: In what `size` is given: pixels, or points of so many pixels.
    ///   - contentMode: Whether the picture covers the box or lies in it, where their shapes differ.
    ///   - crop: Cuts off, evenly on both sides, what sticks out of the box. With `.aspectFill` only.
    ///   - upscale: Whether smaller pictures are enlarged.
    ///   - light: What is averaged. `.linear` is slower, and keeps decoders from scaling.
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

    /// Resizes to a width; the height follows.
    public init(
      width: Double, unit: Unit = .pixels, upscale: Bool = false, light: Image.Light = .encoded
    ) {
      self.init(
        ResizeTarget(width: width * unit.pixels, height: nil, mode: .fit, upscales: upscale, light: light))
    }

    /// Resizes to a height; the width follows.
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

    /// Decoders do not enlarge.
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
  /// Part of keys: every parameter appears.
  var identifier: String {
    let sides = [width, height].map { $0.map { "\($0)" } ?? "any" }.joined(separator: "x")
    let flags = (crops ? " crop" : "") + (upscales ? " upscale" : "") + (light == .linear ? " linear" : "")
    return "\(sides) \(mode == .fill ? "fill" : "fit")\(flags)"
  }
}
