extension ImageEncoder {
  /// Returns a file of at most `maximumByteCount` bytes, with nearly the best quality for that, up to that of `encoding`.
  ///
  /// Encodes up to seven times. Throws ``ImageCodecError/encodingFailed(_:)`` if even the lowest quality, or an
  /// encoding without quality, needs more.
  public static func encode(
    _ image: Image, as encoding: Encoding, maximumByteCount: Int
  ) throws(ImageCodecError) -> [UInt8] {
    try encode(
      image, as: encoding, maximumByteCount: maximumByteCount, keeping: .none, of: ImageMetadata())
  }

  /// The same with metadata of the file that the image was decoded from, whose bytes count too; see
  /// ``encode(_:as:keeping:of:)``.
  public static func encode(
    _ image: Image, as encoding: Encoding, maximumByteCount: Int, keeping kept: KeptMetadata,
    of metadata: ImageMetadata
  ) throws(ImageCodecError) -> [UInt8] {
    let wanted = try encode(image, as: encoding, keeping: kept, of: metadata)
    if wanted.count <= maximumByteCount { return wanted }
    var best: [UInt8]?
    if var upper = encoding.quality {
      var lower = 0.0
      for attempt in 0..<6 {
        let quality = attempt == 0 ? 0 : (lower + upper) / 2
        let file = try encode(image, as: encoding.with(quality: quality), keeping: kept, of: metadata)
        if file.count <= maximumByteCount {
          best = file
          lower = quality
        } else if attempt == 0 {
          break
        } else {
          upper = quality
        }
      }
    }
    guard let best else { throw .encodingFailed("more than \(maximumByteCount) bytes at any quality") }
    return best
  }
}

extension ImageEncoder.Encoding {
  fileprivate var quality: Double? {
    switch self {
    case .jpeg(let quality, _), .webp(let quality, _), .avif(let quality), .heic(let quality),
      .jpegXL(let quality, _):
      quality
    case .png, .losslessWebP, .gif, .losslessJPEGXL: nil
    }
  }

  fileprivate func with(quality: Double) -> Self {
    switch self {
    case .jpeg(_, let progressive): .jpeg(quality: quality, progressive: progressive)
    case .webp(_, let effort): .webp(quality: quality, effort: effort)
    case .avif: .avif(quality: quality)
    case .heic: .heic(quality: quality)
    case .jpegXL(_, let effort): .jpegXL(quality: quality, effort: effort)
    case .png, .losslessWebP, .gif, .losslessJPEGXL: self
    }
  }
}
