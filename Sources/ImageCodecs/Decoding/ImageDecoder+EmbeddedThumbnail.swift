extension ImageDecoder {
  /// Returns the thumbnail that a camera embedded in a JPEG, upright, and reduced to ``DecodingOptions/target``.
  /// `nil` if there is none, or it cannot be decoded or has another aspect ratio.
  ///
  /// The first kilobytes of the file are enough, up to the header of the full image. The thumbnail may show something
  /// else: see ``DecodingOptions/usesEmbeddedThumbnail``.
  public static func embeddedThumbnail(
    of bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image? {
    let watch = DecodingWatch(deadline: options.limits.deadline, isCancelled: isCancelled)
    let header = try ImageCodec.header(of: ByteView(bytes))
    guard let stored = try thumbnail(in: header, options: options, watch: watch) else { return nil }
    return try finish(stored, header.info, options: options, watch: watch).image
  }

  /// The same for an array, `Data`, or any other collection of bytes.
  public static func embeddedThumbnail(
    of bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image? {
    try bytes.withBytes { buffer throws(ImageCodecError) in
      try embeddedThumbnail(of: buffer, options: options, isCancelled: isCancelled)
    }
  }

  /// The thumbnail in a file, if it can be used; `nil` if the full image has to be decoded.
  static func embeddedThumbnail(
    in header: any EncodedImageHeader, options: DecodingOptions, watch: DecodingWatch
  ) throws(ImageCodecError) -> StoredImage? {
    guard options.usesEmbeddedThumbnail, options.target != nil else { return nil }
    let size = try storedResize(header.info, target: options.target).size
    return try thumbnail(in: header, options: options, watch: watch) {
      $0.width >= size.width && $0.height >= size.height
    }
  }

  private static func thumbnail(
    in header: any EncodedImageHeader, options: DecodingOptions, watch: DecodingWatch,
    isLargeEnough: (PixelSize) -> Bool = { _ in true }
  ) throws(ImageCodecError) -> StoredImage? {
    guard let (thumbnail, bytes) = header.embeddedThumbnail else { return nil }
    var info = thumbnail.info
    guard isLargeEnough(info.storedSize), info.storedSize.isShaped(like: header.info.storedSize) else {
      return nil
    }

    // It has the orientation of the full image.
    info.orientation = header.info.orientation
    let resize = try storedResize(info, target: options.target)
    let job = DecodingJob(
      bytes: bytes, resize: resize, limits: options.limits, isStrict: true, watch: watch)
    do throws(ImageCodecError) {
      return try thumbnail.decode(job)
    } catch {
      // Damage of the thumbnail does not affect the full image; deadline and cancellation do.
      if let interruption = watch.interruption { throw interruption }
      return nil
    }
  }
}

extension PixelSize {
  /// Some cameras add black bars to their thumbnails.
  fileprivate func isShaped(like other: PixelSize) -> Bool {
    let mine = Double(width) / Double(height)
    let others = Double(other.width) / Double(other.height)
    return abs(mine - others) <= 0.02 * others
  }
}
