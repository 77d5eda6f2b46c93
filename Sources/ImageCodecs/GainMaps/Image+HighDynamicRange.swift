import CCodecs

/// Pixels in linear light, for HDR displays and for measuring.
public struct LinearImage: Sendable, Equatable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// Red, green and blue of each pixel, with the primaries of sRGB. 1 is the white of SDR. Values above are brighter, and values
  /// can be slightly negative.
  public let samples: [Float]

  /// Width and height.
  public var size: PixelSize { PixelSize(width: width, height: height) }
}

extension Image {
  /// Returns the image in linear light, with its ``gainMap`` applied for a display of this headroom.
  ///
  /// `headroom` is by how much the display can be brighter than the white of SDR, in stops: 0 applies no gains, and
  /// ``GainMap/Metadata/headroom`` or more all of them. An image without a gain map is in linear light only. Other colors than
  /// sRGB are converted first. Alpha is dropped.
  ///
  /// Throws ``ImageCodecError/invalidSetting(_:)`` for a headroom that is not a number,
  /// ``ImageCodecError/tooLarge(width:height:limit:)`` if the result of twelve bytes per pixel would exceed `limits`, and the
  /// errors of deadline and cancellation. `isCancelled` is called between rows.
  public func highDynamicRange(
    headroom: Double = .infinity, limits: DecodingLimits = .default,
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> LinearImage {
    guard !headroom.isNaN else { throw .invalidSetting("a headroom of \(headroom)") }
    try limits.checkFrame(size, bytesPerPixel: 12)
    let watch = DecodingWatch(deadline: limits.deadline, isCancelled: isCancelled)
    let source = try convertedToSRGB(watch: watch)
    var samples = [Float](repeating: 0, count: width * height * 3)
    var base = CodecGainBase()
    (base.width, base.height, base.channels) = (width, height, pixelFormat.channelCount)
    base.isWide = pixelFormat.isWide
    codec_gain_prepare(&base)
    try samples.withUnsafeMutableBufferPointer { samples throws(ImageCodecError) in
      try source.withUnsafeBytes { pixels throws(ImageCodecError) in
        base.pixels = pixels.baseAddress
        for row in 0..<height {
          try watch.check()
          codec_gain_light(&base, row, samples.baseAddress.map { $0 + row * width * 3 })
        }
      }
      try gainMap?.apply(to: samples.baseAddress, of: size, headroom: headroom, watch)
    }
    return LinearImage(width: width, height: height, samples: samples)
  }
}

extension GainMap {
  fileprivate func apply(
    to samples: UnsafeMutablePointer<Float>?, of size: PixelSize, headroom: Double, _ watch: DecodingWatch
  ) throws(ImageCodecError) {
    let weight = metadata.weight(headroom: headroom)
    if weight == 0 { return }
    var map = CodecGainMap(
      pixels: nil, width: image.width, height: image.height, channels: image.pixelFormat.channelCount,
      weight: Float(weight),
      gains: (metadata.red.values, metadata.green.values, metadata.blue.values))
    try image.withUnsafeBytes { pixels throws(ImageCodecError) in
      map.pixels = pixels.bytes
      for row in 0..<size.height {
        try watch.check()
        codec_gain_apply(&map, size.width, size.height, row, samples.map { $0 + row * size.width * 3 })
      }
    }
  }
}

extension GainMap.Channel {
  fileprivate var values: CodecGainChannel {
    CodecGainChannel(
      minimum: Float(minimum), maximum: Float(maximum), inverseGamma: Float(1 / gamma),
      baseOffset: Float(baseOffset), offset: Float(offset))
  }
}
