extension ImageDecoder {
  /// The thumbnail of a JPEG, if it serves; nil if the picture itself has to be decoded.
  static func embeddedThumbnail(
    of header: EncodedImageHeader, options: DecodingOptions, watch: DecodingWatch
  ) throws(ImageCodecError) -> StoredImage? {
    guard options.usesEmbeddedThumbnail, options.target != nil, case .jpeg(let whole) = header,
      let bytes = whole.exif.flatMap({ Exif($0) })?.thumbnail, let thumbnail = try? JPEGHeader(bytes)
    else { return nil }
    let size = try storedResize(whole.info, target: options.target).size
    guard thumbnail.size.width >= size.width, thumbnail.size.height >= size.height,
      thumbnail.size.isShaped(like: whole.size)
    else { return nil }

    // It is turned as the whole is.
    var info = thumbnail.info
    info.orientation = whole.info.orientation
    let resize = try storedResize(info, target: options.target)
    let job = DecodingJob(
      bytes: bytes, resize: resize, limits: options.limits, isStrict: true, watch: watch)
    do throws(ImageCodecError) {
      return try JPEGDecoder(header: thumbnail, job: job).decode()
    } catch {
      // Damage of the thumbnail is none of the picture; the rest concerns both.
      if let interruption = watch.interruption { throw interruption }
      return nil
    }
  }
}

extension PixelSize {
  /// Some cameras put black bars around their thumbnails.
  fileprivate func isShaped(like other: PixelSize) -> Bool {
    let mine = Double(width) / Double(height)
    let others = Double(other.width) / Double(other.height)
    return abs(mine - others) <= 0.02 * others
  }
}
