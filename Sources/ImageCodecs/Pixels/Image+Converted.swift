import CCodecs

extension Image {
  /// Returns the same colors in sRGB, as far as sRGB contains them (perceptual intent).
  ///
  /// Images without a profile are returned unchanged. If a profile cannot be used, it is dropped, and the pixels are
  /// not changed.
  public func convertedToSRGB(isCancelled: @escaping () -> Bool = { false }) throws(ImageCodecError) -> Image
  {
    let watch = DecodingWatch(deadline: DecodingLimits.default.deadline, isCancelled: isCancelled)
    return try convertedToSRGB(watch: watch)
  }

  /// - Parameter gray: The profile of three equal colors, with alpha or without, instead of the label.
  func convertedToSRGB(gray: ICCProfile? = nil, watch: DecodingWatch) throws(ImageCodecError) -> Image {
    guard let profile = gray ?? colorSpace.profile else { return self }
    var result = self
    let create =
      gray == nil ? codec_profile_transform_create : codec_profile_transform_create_for_gray
    guard
      let transform = create(
        profile.bytes, profile.bytes.count, UInt32(pixelFormat.channelCount), pixelFormat.isWide)
    else {
      result.colorSpace = .untagged
      return result
    }
    defer { codec_profile_transform_destroy(transform) }
    try result.withUnsafeMutableBytes { pixels throws(ImageCodecError) in
      for row in 0..<height {
        try watch.check()
        let line = pixels.bytes.map { $0 + row * bytesPerRow }
        codec_profile_transform_apply(transform, line, line, width)
      }
    }
    result.colorSpace = .sRGB
    return result
  }
}
