/// Decodes ICO: the largest image of a file, which is a PNG or a bitmap with a mask.
struct ICODecoder {
  let header: ICOHeader
  let job: DecodingJob

  func decode() throws(ImageCodecError) -> StoredImage {
    switch header.picture {
    case .png(let png):
      let inner = DecodingJob(
        bytes: header.bytes, resize: job.resize, limits: job.limits, keepsDepth: job.keepsDepth,
        isStrict: job.isStrict, watch: job.watch)
      return try PNGDecoder(header: png, job: inner).decode()
    case .bitmap(let bitmap):
      return try decode(bitmap)
    }
  }

  private func decode(_ bitmap: BitmapHeader) throws(ImageCodecError) -> StoredImage {
    let height = bitmap.size.height / 2
    let reader = BitmapReader(
      header: bitmap, bytes: header.bytes, start: bitmap.end, height: height, hasFourthByte: true, job: job)
    var (image, isComplete) = try reader.read()
    if image.pixelFormat != .rgba8 || image.isInvisible {
      let maskStart = bitmap.end + bitmap.bytesPerRow * height
      image = try image.opaque().withAlpha()
      let isMasked = try mask(&image, at: maskStart)
      if job.isStrict, !isMasked { throw .truncated }
      isComplete = isComplete && isMasked
    }
    return StoredImage(image: image, resize: job.resize, isComplete: isComplete)
  }

  /// Makes the pixels of set bits transparent. Returns false if bits are missing.
  private func mask(_ image: inout Image, at start: Int) throws(ImageCodecError) -> Bool {
    let (width, height) = (image.width, image.height)
    let maskRow = (width + 31) / 32 * 4
    for row in 0..<height {
      guard let source = header.bytes.slice(start + row * maskRow, count: maskRow) else { return false }
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
  /// Whether the alpha channel contains only zeros.
  fileprivate var isInvisible: Bool {
    pixelFormat == .rgba8
      && withUnsafeBytes { bytes in stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 0 } }
  }
}
