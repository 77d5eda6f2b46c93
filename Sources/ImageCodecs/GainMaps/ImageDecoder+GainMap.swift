extension ImageDecoder {
  /// The gain map of a file, for the image of `size` that `plan` makes of it; `nil` if there is none that can be used.
  ///
  /// Damage of a gain map does not affect its image, and nor do limits that it exceeds; deadline and cancellation do.
  static func gainMap(
    in header: any EncodedImageHeader, _ bytes: ByteView, _ plan: ResizePlan, imageByteCount: Int,
    options: DecodingOptions, watch: DecodingWatch
  ) throws(ImageCodecError) -> GainMap? {
    guard let encoded = header.gainMap(in: bytes) else { return nil }
    let info = encoded.header.info
    let own = plan.forGainMap(of: info.storedSize)
    // What both have in memory together is limited.
    var limits = options.limits
    limits.maximumDecodedBytes -= imageByteCount
    do throws(ImageCodecError) {
      try limits.checkStored(info, byteCount: encoded.bytes.count)
      let job = DecodingJob(bytes: encoded.bytes, resize: own, limits: limits, isStrict: true, watch: watch)
      let stored = try encoded.header.decode(job)
      var image = try stored.image.resampled(stored.resize, limits: limits, watch: watch)
      // Those of 10 bits that are named as HDR were decoded with 16.
      image = try image.reducedTo8Bits()
      if encoded.isGray { image = try image.firstChannel() }
      return try GainMap(image: image, metadata: encoded.metadata).oriented(header.info.orientation)
    } catch {
      if let interruption = watch.interruption { throw interruption }
      return nil
    }
  }
}

extension Image {
  /// The first of three channels of 8 bits.
  fileprivate func firstChannel() throws(ImageCodecError) -> Image {
    guard pixelFormat == .rgb8 else { return self }
    let values = withUnsafeBytes { pixels in stride(from: 0, to: pixels.count, by: 3).map { pixels[$0] } }
    return try Image(bytes: values, width: width, height: height, pixelFormat: .gray8)
  }
}
