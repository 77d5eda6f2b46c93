/// Options for decoding.
public struct DecodingOptions: Sendable, Hashable {
  /// The limits.
  public var limits: DecodingLimits

  /// The size of the upright result in pixels; `nil` for all pixels. Never enlarges, even if
  /// ``ResizeTarget/upscales`` is set.
  ///
  /// A JPEG, or a large lossy WebP without transparency, is decoded at a reduced size, so it may have more pixels than the
  /// limits allow for a whole image. A thumbnail of a baseline JPEG of 100 megapixels takes a few megabytes.
  public var target: ResizeTarget?

  /// Whether the thumbnail that cameras embed in a JPEG may be used. `false` by default.
  ///
  /// It is used if it has the pixels that ``target`` requires and the same aspect ratio within 2 %, and is not damaged. It
  /// may show something else, because programs that edit images often do not update it.
  public var usesEmbeddedThumbnail = false

  /// How colors with a profile are handled.
  public var colors: Colors

  /// Whether a file with more than eight bits per channel becomes an image of sixteen. `false` by default.
  ///
  /// Supported for PNG, also in ICO, for AVIF, HEIC, JPEG XL, and TIFF except of inks and of colors that libtiff converts, at twice the
  /// memory. All other files become eight bits. Other numbers of bits are scaled to sixteen.
  public var keepsDepth = false

  /// Whether the gain map of a JPEG (Ultra HDR, ISO 21496-1), AVIF or HEIC is decoded into ``Image/gainMap``. `false` by default.
  ///
  /// Of a file with such a map, it takes at most twice the memory and the time. A map that is missing, damaged, of an HDR
  /// image, or beyond the limits is no error: the image has none then. The image itself is the same with and without it.
  public var keepsGainMap = false

  /// The value of ``Image/scale``.
  public var scale: Double

  /// How colors with a profile are handled.
  public enum Colors: Sendable, Hashable, CaseIterable {
    /// They are converted to sRGB.
    case sRGB
    /// They keep their values and their profile, for example Display P3. Inks, CIELab, HDR in PQ and HLG, and gray
    /// that becomes RGB are converted nevertheless.
    case asStored
  }

  /// Creates options. By default all pixels, the default limits, sRGB, and scale 1.
  public init(
    limits: DecodingLimits = .default, target: ResizeTarget? = nil, usesEmbeddedThumbnail: Bool = false,
    colors: Colors = .sRGB, keepsDepth: Bool = false, keepsGainMap: Bool = false, scale: Double = 1
  ) {
    (self.limits, self.target, self.usesEmbeddedThumbnail) = (limits, target, usesEmbeddedThumbnail)
    (self.colors, self.keepsDepth, self.keepsGainMap) = (colors, keepsDepth, keepsGainMap)
    self.scale = scale
  }
}
