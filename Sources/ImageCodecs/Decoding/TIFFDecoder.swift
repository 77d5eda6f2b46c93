import CCodecs

/// Decodes the first image of a TIFF with libtiff, always at full size.
struct TIFFDecoder {
  let header: TIFFHeader
  let job: DecodingJob

  func decode() throws(ImageCodecError) -> StoredImage {
    if job.isStrict, !header.isComplete { throw .truncated }
    let isWide = job.keepsDepth && header.info.bitsPerComponent == 16
    let pixelFormat = header.plainFormat?.of(bits: isWide ? 16 : 8) ?? .rgba8
    try job.limits.checkFrame(header.size, bytesPerPixel: pixelFormat.bytesPerPixel)
    // One strip may contain the whole image, with samples of eight bytes.
    try job.limits.checkWork(
      byteCount: (header.size.pixelCount ?? .max / 64) * max(header.info.bitsPerComponent / 8, 1))
    var image = try Image(
      width: header.size.width, height: header.size.height, pixelFormat: pixelFormat,
      colorSpace: colorSpace(pixelFormat))
    let status = try read(into: &image)
    if header.plainFormat == nil, !header.hasAlpha { image = try image.opaque() }
    return StoredImage(image: image, resize: job.resize, isComplete: status == .done && header.isComplete)
  }

  private func read(into image: inout Image) throws(ImageCodecError) -> CodecStatus {
    #if CODECS_TIFF
      var frame = CodecTIFFFrame()
      frame.width = UInt32(image.width)
      frame.height = UInt32(image.height)
      frame.channels = UInt32(image.pixelFormat.channelCount)
      frame.isWide = image.pixelFormat.isWide
      frame.isPlain = header.plainFormat != nil
      frame.isLab = header.isLab
      frame.bytesPerRow = image.bytesPerRow
      var message = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
      let status = try image.withUnsafeMutableBytes { pixels throws(ImageCodecError) in
        frame.pixels = pixels.bytes
        return try job.watch.reading(isStrict: job.isStrict, limits: job.limits) {
          options throws(ImageCodecError) -> CodecStatus in
          codec_tiff_read(job.bytes.start, job.bytes.count, &options, &frame, &message)
        }
      }
      if !job.isStrict, status == .truncated || status == .corrupt { return status }
      try status.check(message, limits: job.limits, watch: job.watch)
      return status
    #else
      throw .unsupportedFormat(.tiff)
    #endif
  }

  private func colorSpace(_ pixelFormat: Image.PixelFormat) -> Image.ColorSpace {
    // The profile, if any, describes the stored samples, not the converted ones.
    if header.isLab { return .sRGB }
    let profile = header.profile(maximumBytes: job.limits.maximumMetadataBytes)
    return .label(profile: profile, pixelFormat: pixelFormat, otherwise: .untagged)
  }
}
