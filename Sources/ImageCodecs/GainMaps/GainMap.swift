/// The gain map of an image: by how much each pixel is brighter on an HDR display.
///
/// Cameras store a gain map beside an SDR image (Ultra HDR, ISO 21496-1). Set ``DecodingOptions/keepsGainMap`` to decode it into
/// ``Image/gainMap``, and call ``Image/highDynamicRange(headroom:limits:isCancelled:)`` to apply it.
public struct GainMap: Sendable, Equatable {
  /// The pixels, `gray8` or `rgb8`: 0 is the least gain of a channel, and 255 the greatest. Often smaller than the image, over
  /// which it is stretched.
  public let image: Image

  /// How gains are stored in the pixels.
  public let metadata: Metadata

  /// Creates a gain map. Its color space, its scale, and a gain map of its own are dropped.
  ///
  /// Throws ``ImageCodecError/invalidSetting(_:)`` unless the image is `gray8` or `rgb8` and ``Metadata/isValid``.
  public init(image: Image, metadata: Metadata) throws(ImageCodecError) {
    guard image.pixelFormat == .gray8 || image.pixelFormat == .rgb8 else {
      throw .invalidSetting("a gain map of \(image.pixelFormat)")
    }
    guard metadata.isValid else { throw .invalidSetting("a gain map whose metadata is out of range") }
    var image = image
    (image.colorSpace, image.scale, image.gainMap) = (.untagged, 1, nil)
    (self.image, self.metadata) = (image, metadata)
  }
}

extension GainMap {
  /// How gains are stored in the pixels of a gain map. Gains and headrooms are in stops: 2 stops are four times as bright.
  public struct Metadata: Sendable, Hashable {
    /// The gains of red; of all colors if the map is gray.
    public var red: Channel
    /// The gains of green.
    public var green: Channel
    /// The gains of blue.
    public var blue: Channel

    /// Up to this headroom of a display, the image is shown without gains. 0 in most files.
    public var baseHeadroom: Double

    /// From this headroom of a display on, gains are applied in full.
    public var headroom: Double

    /// Creates metadata with the same gains for all colors.
    public init(_ channel: Channel, baseHeadroom: Double = 0, headroom: Double) {
      self.init(red: channel, green: channel, blue: channel, baseHeadroom: baseHeadroom, headroom: headroom)
    }

    /// Creates metadata.
    public init(red: Channel, green: Channel, blue: Channel, baseHeadroom: Double = 0, headroom: Double) {
      (self.red, self.green, self.blue) = (red, green, blue)
      (self.baseHeadroom, self.headroom) = (baseHeadroom, headroom)
    }

    /// Whether all numbers can be used: headrooms from 0 to 32 stops, the second one above the first, and valid channels.
    public var isValid: Bool {
      baseHeadroom >= 0 && headroom <= 32 && baseHeadroom < headroom && channels.allSatisfy(\.isValid)
    }

    /// The part of the gains that a display with this headroom shows, from 0 to 1.
    public func weight(headroom display: Double) -> Double {
      min(max((display - baseHeadroom) / (headroom - baseHeadroom), 0), 1)
    }

    var channels: [Channel] { [red, green, blue] }
    var isUniform: Bool { red == green && green == blue }
  }

  /// How the gains of one color are stored.
  public struct Channel: Sendable, Hashable {
    /// The gain of the value 0, in stops. Negative gains darken.
    public var minimum: Double
    /// The gain of the value 255, in stops.
    public var maximum: Double
    /// The exponent that was applied to gains before they were stored.
    public var gamma: Double
    /// Added to linear values of the image before they are multiplied by the gain.
    public var baseOffset: Double
    /// Subtracted afterwards.
    public var offset: Double

    /// Creates a channel, with the offsets that most files have.
    public init(
      minimum: Double = 0, maximum: Double, gamma: Double = 1, baseOffset: Double = 1 / 64,
      offset: Double = 1 / 64
    ) {
      (self.minimum, self.maximum, self.gamma) = (minimum, maximum, gamma)
      (self.baseOffset, self.offset) = (baseOffset, offset)
    }

    /// Whether gains are from -32 to 32 stops and the maximum is not below the minimum, gamma is from 1/64 to 64, and offsets
    /// are from -1 to 1.
    public var isValid: Bool {
      minimum >= -32 && maximum <= 32 && minimum <= maximum && (1.0 / 64...64).contains(gamma)
        && (-1...1).contains(baseOffset) && (-1...1).contains(offset)
    }
  }
}

/// A box, because an image cannot contain itself.
indirect enum AttachedGainMap: Sendable, Equatable {
  case none
  case map(GainMap)
}
