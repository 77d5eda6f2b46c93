extension ImageDecoder {
  /// Decodes a file, and if it ends early and that may be accepted, once more what there is.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions, isStrict: Bool, watch: DecodingWatch
  ) throws(ImageCodecError) -> AvailableImage {
    do throws(ImageCodecError) {
      return try readOnce(bytes, options: options, isStrict: isStrict, watch: watch)
    } catch {
      guard isStrict, options.limits.incomplete.mayAccept(error), decodesParts(bytes) else { throw error }
      let part: AvailableImage
      do throws(ImageCodecError) {
        part = try readOnce(bytes, options: options, isStrict: false, watch: watch)
      } catch let second {
        throw watch.interruption == nil ? error : second
      }
      guard part.isComplete || options.limits.incomplete == .acceptAnyPixels else { throw error }
      return part
    }
  }

  /// Whether the format can show a part of the file.
  private static func decodesParts(_ bytes: UnsafeRawBufferPointer) -> Bool {
    ImageFormat(sniffing: bytes.prefix(ImageFormat.sniffingLength))?.codec.decodesParts ?? true
  }

  /// bytes ─▶ header ─▶ limits ─▶ pixels as stored ─▶ resized ─▶ in sRGB ─▶ upright ─▶ with gain map
  private static func readOnce(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions, isStrict: Bool, watch: DecodingWatch
  ) throws(ImageCodecError) -> AvailableImage {
    let limits = options.limits
    try limits.checkFile(byteCount: bytes.count)
    let header = try ImageCodec.header(of: ByteView(bytes))
    try limits.checkStored(header.info, byteCount: bytes.count)
    try watch.check()
    let target = options.target ?? header.reducedTarget(within: limits)

    let resize = try storedResize(header.info, target: target)
    let stored: StoredImage
    if let thumbnail = try embeddedThumbnail(in: header, options: options, watch: watch) {
      stored = thumbnail
    } else {
      let job = DecodingJob(
        bytes: ByteView(bytes), resize: resize, limits: limits, keepsDepth: options.keepsDepth,
        isStrict: isStrict, watch: watch)
      stored = try header.decode(job)
    }
    try watch.check()
    var available = try finish(stored, header.info, options: options, watch: watch)
    if options.keepsGainMap {
      available.image.gainMap = try gainMap(
        in: header, ByteView(bytes), resize, imageByteCount: available.image.byteCount, options: options,
        watch: watch)
    }
    return available
  }

  /// pixels as stored ─▶ resized ─▶ in sRGB ─▶ upright
  static func finish(
    _ stored: StoredImage, _ info: ImageInfo, options: DecodingOptions, watch: DecodingWatch
  ) throws(ImageCodecError) -> AvailableImage {
    var image = try stored.image.resampled(stored.resize, limits: options.limits, watch: watch)
    try watch.check()
    if let hdr = stored.hdr {
      image = try hdr.toneMapped(image, watch: watch)
      if !options.keepsDepth { image = try image.reducedTo8Bits() }
    } else if let gray = stored.grayProfile {
      image = try image.convertedToSRGB(gray: gray, watch: watch)
    } else if options.colors == .sRGB {
      image = try image.convertedToSRGB(watch: watch)
    }
    image = try image.oriented(info.orientation)
    image.scale = options.scale
    return AvailableImage(image: image, isComplete: stored.isComplete)
  }

  /// The target is upright, and the stored pixels may not be. Centered crops are the same from every side, so swapping
  /// the sides is enough.
  static func storedResize(
    _ info: ImageInfo, target: ResizeTarget?
  ) throws(ImageCodecError) -> ResizePlan {
    guard var target else { return ResizePlan(unchanged: info.storedSize) }
    target.upscales = false
    return try (info.orientation.swapsSides ? target.swapped : target).plan(for: info.storedSize)
  }
}

extension DecodingLimits.Incomplete {
  /// Whether a file with this error is accepted if enough of it can be decoded.
  fileprivate func mayAccept(_ error: ImageCodecError) -> Bool {
    switch (self, error) {
    case (.acceptAllPixels, .truncated), (.acceptAnyPixels, .truncated), (.acceptAnyPixels, .corrupt): true
    default: false
    }
  }
}
