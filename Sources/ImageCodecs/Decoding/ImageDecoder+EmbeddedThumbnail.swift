extension ImageDecoder {
  /// Returns the thumbnail that a camera embedded in a JPEG, upright, and no larger than ``DecodingOptions/target``.
  /// `nil` if there is none, or it is damaged or has another aspect ratio.
  ///
  /// The first kilobytes of the file are enough, up to the header of the full image. The thumbnail may show something
  /// else: see ``DecodingOptions/usesEmbeddedThumbnail``.
  public static func embeddedThumbnail(
    of bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image? {
    let watch = DecodingWatch(deadline: options.limits.deadline, isCancelled: isCancelled)
    guard case .jpeg(let whole) = try EncodedImageHeader(ByteView(bytes)),
      let stored = try thumbnail(of: whole, options: options, watch: watch)
    else { return nil }
    return try finish(stored, whole.info, options: options, watch: watch).image
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

  /// The thumbnail of a JPEG, if it can be used; `nil` if the full image has to be decoded.
  static func embeddedThumbnail(
    of header: EncodedImageHeader, options: DecodingOptions, watch: DecodingWatch
  ) throws(ImageCodecError) -> StoredImage? {
    guard options.usesEmbeddedThumbnail, options.target != nil, case .jpeg(let whole) = header else {
      return nil
    }
    let size = try storedResize(whole.info, target: options.target).size
    return try thumbnail(of: whole, options: options, watch: watch) {
      $0.width >= size.width && $0.height >= size.height
    }
  }

  private static func thumbnail(
    of whole: JPEGHeader, options: DecodingOptions, watch: DecodingWatch,
    isLargeEnough: (PixelSize) -> Bool = { _ in true }
  ) throws(ImageCodecError) -> StoredImage? {
    guard let bytes = whole.exif.flatMap({ Exif($0) })?.thumbnail, let thumbnail = try? JPEGHeader(bytes),
      isLargeEnough(thumbnail.size), thumbnail.size.isShaped(like: whole.size)
    else { return nil }

    // It has the orientation of the full image.
    var info = thumbnail.info
    info.orientation = whole.info.orientation
    let resize = try storedResize(info, target: options.target)
    let job = DecodingJob(
      bytes: bytes, resize: resize, limits: options.limits, isStrict: true, watch: watch)
    do throws(ImageCodecError) {
      return try JPEGDecoder(header: thumbnail, job: job).decode()
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
