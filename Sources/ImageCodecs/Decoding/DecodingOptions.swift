/// How to decode.
public struct DecodingOptions: Sendable, Hashable {
  /// What the file may cost.
  public var limits: DecodingLimits

  /// The size wanted, in pixels of the upright image. Nil decodes all pixels. Never enlarges, whatever
  /// ``ResizeTarget/upscales`` says.
  ///
  /// A JPEG, or a WebP without transparency, is decoded at a reduced size and may then hold more pixels than
  /// the limits allow for a whole image: a thumbnail of 100 megapixels takes a few megabytes.
  public var target: ResizeTarget?

  /// Whether the small picture that cameras put into a JPEG may be taken for the whole. False unless it is set.
  ///
  /// It is, if it has the pixels that ``target`` wants, the same shape, and no damage. Nobody promises that it shows
  /// the same: programs that edit pictures forget it.
  public var usesEmbeddedThumbnail = false

  /// What becomes of colors that a file describes by a profile.
  public var colors: Colors

  /// Whether a file of more than eight bits a channel becomes an image of sixteen. False unless it is set.
  ///
  /// So it is for PNG, AVIF, HEIC, and TIFF in rows of gray, RGB or RGBA, at twice the memory; all other files become eight.
  /// What was stored in ten or twelve bits is stretched over all sixteen.
  public var keepsDepth = false

  /// Becomes ``Image/scale``.
  public var scale: Double

  /// What becomes of colors that a file describes by a profile.
  public enum Colors: Sendable, Hashable, CaseIterable {
    /// They are converted, so that numbers of all images mean the same.
    case sRGB
    /// They keep their numbers and their profile: for wide colors, Display P3 for example. Inks are converted
    /// nevertheless.
    case asStored
  }

  /// All pixels, within the default limits, in sRGB, at scale 1, unless said otherwise.
  public init(
    limits: DecodingLimits = .default, target: ResizeTarget? = nil, usesEmbeddedThumbnail: Bool = false,
    colors: Colors = .sRGB, keepsDepth: Bool = false, scale: Double = 1
  ) {
    self.limits = limits
    self.target = target
    self.usesEmbeddedThumbnail = usesEmbeddedThumbnail
    self.colors = colors
    self.keepsDepth = keepsDepth
    self.scale = scale
  }
}
