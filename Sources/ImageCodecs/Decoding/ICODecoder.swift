extension ImageCodec {
  static let ico = ImageCodec(
    extensions: ["ico", "cur"], mimeTypes: ["image/vnd.microsoft.icon", "image/x-icon"],
    signatures: [[0x00, 0x00, 0x01, 0x00], [0x00, 0x00, 0x02, 0x00]], readHeader: ICOHeader.init)
}

/// Decodes ICO: the largest image of a file, which is a PNG or a bitmap with a mask.
extension ICOHeader: EncodedImageHeader {
  func decode(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    switch picture {
    case .png(let png):
      let inner = DecodingJob(
        bytes: bytes, resize: job.resize, limits: job.limits, keepsDepth: job.keepsDepth,
        isStrict: job.isStrict, watch: job.watch)
      return try png.decode(inner)
    case .bitmap(let bitmap):
      return try decode(bitmap, job)
    }
  }

  func decodingCost(_ resize: ResizePlan, _ options: DecodingOptions) -> Int {
    Cost.bytes(info.storedSize, each: 12)
  }

  private func decode(_ bitmap: BitmapHeader, _ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    let height = bitmap.size.height / 2
    let reader = BitmapReader(
      header: bitmap, bytes: bytes, start: bitmap.end, height: height, hasFourthByte: true, job: job)
    var (image, isComplete) = try reader.read()
    if image.pixelFormat != .rgba8 || image.isInvisible {
      let maskStart = bitmap.end + bitmap.bytesPerRow * height
      image = try image.opaque().withAlpha()
      let isMasked = try mask(&image, at: maskStart, job.watch)
      if job.isStrict, !isMasked { throw .truncated }
      isComplete = isComplete && isMasked
    }
    return StoredImage(image: image, resize: job.resize, isComplete: isComplete)
  }

  /// Makes the pixels of set bits transparent. Returns false if bits are missing.
  private func mask(
    _ image: inout Image, at start: Int, _ watch: DecodingWatch
  ) throws(ImageCodecError) -> Bool {
    let (width, height) = (image.width, image.height)
    let maskRow = (width + 31) / 32 * 4
    for row in 0..<height {
      try watch.check()
      guard let source = bytes.slice(start + row * maskRow, count: maskRow) else { return false }
      try image.withUnsafeMutableBytes { pixels in
        let target = (height - 1 - row) * width * 4
        for x in 0..<width where (source.byte(x / 8) ?? 0) >> (7 - x % 8) & 1 == 1 {
          pixels[target + x * 4 + 3] = 0
        }
      }
    }
    return true
  }
}

extension Image {
  /// Whether the alpha channel, which it has, contains only zeros.
  fileprivate var isInvisible: Bool {
    withUnsafeBytes { bytes in stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 0 } }
  }
}
