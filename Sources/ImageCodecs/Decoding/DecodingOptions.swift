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

  /// Becomes ``Image/scale``.
  public var scale: Double

  /// All pixels, within the default limits, at scale 1, unless said otherwise.
  public init(limits: DecodingLimits = .default, target: ResizeTarget? = nil, scale: Double = 1) {
    self.limits = limits
    self.target = target
    self.scale = scale
  }
}
