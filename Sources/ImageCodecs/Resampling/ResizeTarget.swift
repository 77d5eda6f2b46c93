/// The size an image should have, in pixels.
///
/// The shape of the image is kept; what does not fit sticks out, or is cut off when `crops` is set.
///
/// | target 200 × 200 | from 400 × 100 | from 100 × 50 | from 100 × 50, `upscales` |
/// |---|---|---|---|
/// | `.fit` | 200 × 50 | 100 × 50 | 200 × 100 |
/// | `.fill` | 400 × 100 | 100 × 50 | 400 × 200 |
/// | `.fill`, `crops` | 200 × 100 | 100 × 50 | 200 × 200 |
public struct ResizeTarget: Sendable, Hashable {
  /// Which of image and target holds the other.
  public enum Mode: Sendable, Hashable, CaseIterable {
    /// All of the image inside of the target.
    case fit
    /// All of the target inside of the image.
    case fill
  }

  /// Nil follows from the height.
  public var width: Double?
  /// Nil follows from the width.
  public var height: Double?
  /// Matters when both sides are given.
  public var mode: Mode
  /// Cuts what sticks out, evenly on both sides. Only ``Mode/fill`` has something that sticks out.
  public var crops: Bool
  /// Whether a small image is enlarged.
  public var upscales: Bool
  /// What is averaged. Over ``Image/Light/linear``, decoders do not reduce on their own, as they cannot.
  public var light: Image.Light

  /// A target. Nothing is checked before it is used.
  public init(
    width: Double?, height: Double?, mode: Mode = .fill, crops: Bool = false, upscales: Bool = false,
    light: Image.Light = .encoded
  ) {
    self.width = width
    self.height = height
    self.mode = mode
    self.crops = crops
    self.upscales = upscales
    self.light = light
  }

  /// No side longer than `side`; never enlarges.
  public static func fitting(_ side: Double) -> ResizeTarget {
    ResizeTarget(width: side, height: side, mode: .fit)
  }

  /// What resizing an image of this size will yield.
  ///
  /// Throws ``ImageCodecError/invalidSize(_:)`` when a side is not a number, not positive, above 65,535, or
  /// when neither is given.
  public func size(for source: PixelSize) throws(ImageCodecError) -> PixelSize {
    try plan(for: source).size
  }

  package var swapped: ResizeTarget {
    ResizeTarget(width: height, height: width, mode: mode, crops: crops, upscales: upscales, light: light)
  }
}
