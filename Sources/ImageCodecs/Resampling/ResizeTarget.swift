/// The size to resize an image to, in pixels.
///
/// The image is not distorted. The result may be larger than the target, or is cropped if `crops` is set.
///
/// | target 200 × 200 | from 400 × 100 | from 100 × 50 | from 100 × 50, `upscales` |
/// |---|---|---|---|
/// | `.fit` | 200 × 50 | 100 × 50 | 200 × 100 |
/// | `.fill` | 400 × 100 | 100 × 50 | 400 × 200 |
/// | `.fill`, `crops` | 200 × 100 | 100 × 50 | 200 × 200 |
public struct ResizeTarget: Sendable, Hashable {
  /// How an image is fitted to the target.
  public enum Mode: Sendable, Hashable, CaseIterable {
    /// The whole image is inside the target.
    case fit
    /// The image covers the target.
    case fill
  }

  /// The width, or `nil` to derive it from the height.
  public var width: Double?
  /// The height, or `nil` to derive it from the width.
  public var height: Double?
  /// Used if both sides are given.
  public var mode: Mode
  /// Whether parts outside of the target are cut off, evenly on both sides. Only with ``Mode/fill`` and both sides.
  public var crops: Bool
  /// Whether a small image is enlarged.
  public var upscales: Bool
  /// Whether encoded or linear values are averaged. With ``Image/Light/linear``, decoders do not reduce the size
  /// themselves.
  public var light: Image.Light

  /// Creates a target. It is checked when it is used.
  public init(
    width: Double?, height: Double?, mode: Mode = .fill, crops: Bool = false, upscales: Bool = false,
    light: Image.Light = .encoded
  ) {
    (self.width, self.height, self.mode) = (width, height, mode)
    (self.crops, self.upscales, self.light) = (crops, upscales, light)
  }

  /// A target with no side longer than `side`, without enlarging.
  public static func fitting(_ side: Double) -> ResizeTarget {
    ResizeTarget(width: side, height: side, mode: .fit)
  }

  /// Returns the size that an image of this size is resized to.
  ///
  /// Throws ``ImageCodecError/invalidSize(_:)`` if a side is not a number or not positive, if neither is given, or if a side of the
  /// result or of a target that ``upscales`` is above 65,535.
  public func size(for source: PixelSize) throws(ImageCodecError) -> PixelSize {
    try plan(for: source).size
  }

  package var swapped: ResizeTarget {
    ResizeTarget(width: height, height: width, mode: mode, crops: crops, upscales: upscales, light: light)
  }
}
