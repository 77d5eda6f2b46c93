import CCodecs

/// Decodes WebP with libwebp: a still image, or the first frame of an animation on its canvas.
struct WebPDecoder {
  let header: WebPHeader
  let job: DecodingJob

  func decode() throws(ImageCodecError) -> StoredImage {
    if job.isStrict, !header.isComplete { throw .truncated }
    if header.isAnimated { return try decodeFirstFrame() }
    guard let start = job.bytes.start else { throw .truncated }
    return try decode(UnsafeBufferPointer(start: start, count: job.bytes.count))
  }

  private func decode(_ file: UnsafeBufferPointer<UInt8>) throws(ImageCodecError) -> StoredImage {
    let found = try readHeader(file)
    guard Int(found.width) == header.size.width, Int(found.height) == header.size.height else {
      throw .corrupt("two sizes")
    }
    let pixelFormat: Image.PixelFormat = found.hasAlpha ? .rgba8 : .rgb8
    let size = header.isDecodedByRows ? job.resize.reducedSize(within: job.limits) : header.size
    try checkLimits(size, isDecodedByRows: header.isDecodedByRows)

    var image = try canvas(size, pixelFormat)
    let bytesPerRow = image.bytesPerRow
    let status = try image.withUnsafeMutableBytes { pixels throws(ImageCodecError) in
      try read(
        file,
        CodecWebPFrame(
          width: UInt32(size.width), height: UInt32(size.height),
          channels: UInt32(pixelFormat.bytesPerPixel), pixels: pixels.bytes, bytesPerRow: bytesPerRow,
          byteCount: pixels.count))
    }
    if job.isStrict || status != .truncated { try check(status) }
    return StoredImage(
      image: image, resize: job.resize.stretched(to: size),
      isComplete: status == .done && (header.isComplete || header.hasOrientation))
  }

  private func decodeFirstFrame() throws(ImageCodecError) -> StoredImage {
    guard let frame = header.firstFrame else { throw .corrupt("an animation without frames") }
    guard frame.x + frame.size.width <= header.size.width, frame.y + frame.size.height <= header.size.height
    else { throw .corrupt("a frame outside of its canvas") }
    try checkLimits(header.size, isDecodedByRows: false)

    let file = frame.file
    var image = try canvas(header.size, .rgba8)
    let bytesPerRow = image.bytesPerRow
    let status = try image.withUnsafeMutableBytes { pixels throws(ImageCodecError) in
      let offset = frame.y * bytesPerRow + frame.x * 4
      let area = UnsafeMutableRawBufferPointer(rebasing: pixels[offset...])
      return try file.withUnsafeBufferPointer { file throws(ImageCodecError) in
        let found = try readHeader(file)
        guard Int(found.width) == frame.size.width, Int(found.height) == frame.size.height else {
          throw .corrupt("two sizes")
        }
        return try read(
          file,
          CodecWebPFrame(
            width: found.width, height: found.height, channels: 4, pixels: area.bytes,
            bytesPerRow: bytesPerRow, byteCount: area.count))
      }
    }
    try check(status)
    return StoredImage(image: image, resize: job.resize, isComplete: true)
  }

  private func checkLimits(_ size: PixelSize, isDecodedByRows: Bool) throws(ImageCodecError) {
    try job.limits.checkFrame(size, bytesPerPixel: isDecodedByRows ? 3 : 4)
    // libwebp has its own frame for lossless data, of the colors or the alpha.
    if !isDecodedByRows { try job.limits.checkWork(byteCount: (size.pixelCount ?? .max / 4) * 4) }
  }

  private func canvas(
    _ size: PixelSize, _ pixelFormat: Image.PixelFormat
  ) throws(ImageCodecError) -> Image {
    let profile = header.profile(maximumBytes: job.limits.maximumMetadataBytes)
    return try Image(
      width: size.width, height: size.height, pixelFormat: pixelFormat,
      colorSpace: .label(profile: profile, pixelFormat: pixelFormat, otherwise: .sRGB))
  }

  private func readHeader(_ file: UnsafeBufferPointer<UInt8>) throws(ImageCodecError) -> CodecWebPHeader {
    var found = CodecWebPHeader()
    try check(codec_webp_read_header(file.baseAddress, file.count, &found))
    return found
  }

  private func read(
    _ file: UnsafeBufferPointer<UInt8>, _ frame: CodecWebPFrame
  ) throws(ImageCodecError) -> CodecStatus {
    var frame = frame
    return try job.watch.reading(isStrict: job.isStrict, limits: job.limits) {
      options throws(ImageCodecError) -> CodecStatus in
      codec_webp_read(file.baseAddress, file.count, &options, &frame)
    }
  }

  private func check(_ status: CodecStatus) throws(ImageCodecError) {
    try status.check("libwebp cannot decode the image data", limits: job.limits, watch: job.watch)
  }
}
