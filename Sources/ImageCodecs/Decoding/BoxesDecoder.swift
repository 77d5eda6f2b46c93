import CCodecs

/// Decodes AVIF with libavif and HEIC with libheif, always completely and at full size.
package struct BoxesDecoder {
  let header: BoxesHeader
  let job: DecodingJob

  /// Whether output of the libraries is kept away from the program's standard error. True on Linux, except with the
  /// address sanitizer.
  package static var isQuiet: Bool { codec_can_be_quiet() }

  /// For both libraries: the planes of the image and its alpha, and the colors made of them.
  private static let workingBytesPerPixel = 8

  func decode() throws(ImageCodecError) -> StoredImage {
    guard header.isComplete else { throw .truncated }
    try header.checkPictures(job.bytes, watch: job.watch)
    let isWide = job.keepsDepth && header.info.bitsPerComponent > 8
    let pixelFormat = (header.info.hasAlpha ? Image.PixelFormat.rgba8 : .rgb8).of(bits: isWide ? 16 : 8)
    try job.limits.checkFrame(header.size, bytesPerPixel: pixelFormat.bytesPerPixel)
    let depth = header.info.bitsPerComponent > 8 ? 2 : 1
    try job.limits.checkWork(
      byteCount: (header.size.pixelCount ?? .max / 32) * BoxesDecoder.workingBytesPerPixel * depth)

    var image = try Image(
      width: header.size.width, height: header.size.height, pixelFormat: pixelFormat,
      colorSpace: colorSpace(pixelFormat))
    try read(into: &image)
    try job.watch.check()
    return StoredImage(image: image, resize: job.resize, isComplete: true)
  }

  private func read(into image: inout Image) throws(ImageCodecError) {
    var frame = CodecBoxesFrame()
    frame.width = UInt32(image.width)
    frame.height = UInt32(image.height)
    frame.channels = UInt32(image.pixelFormat.channelCount)
    frame.isWide = image.pixelFormat.isWide
    frame.bytesPerRow = image.bytesPerRow
    var message = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
    let status = try image.withUnsafeMutableBytes { pixels throws(ImageCodecError) in
      frame.pixels = pixels.bytes
      return try job.watch.reading(isStrict: job.isStrict, limits: job.limits) {
        options throws(ImageCodecError) -> CodecStatus in
        read(&options, &frame, &message)
      }
    }
    try status.check(message, limits: job.limits, watch: job.watch)
  }

  private func read(
    _ options: inout CodecReadOptions, _ frame: inout CodecBoxesFrame, _ message: inout [CChar]
  ) -> CodecStatus {
    switch header.format {
    #if CODECS_AVIF
      case .avif: codec_avif_read(job.bytes.start, job.bytes.count, &options, &frame, &message)
    #endif
    #if CODECS_HEIF
      case .heic: codec_heif_read(job.bytes.start, job.bytes.count, &options, &frame, &message)
    #endif
    default: .unsupported
    }
  }

  private func colorSpace(_ pixelFormat: Image.PixelFormat) -> Image.ColorSpace {
    let profile = header.profile(maximumBytes: job.limits.maximumMetadataBytes)
    return .label(profile: profile, pixelFormat: pixelFormat, otherwise: named)
  }

  /// The color space numbers of ITU-T H.273, in files without a profile.
  private var named: Image.ColorSpace {
    switch header.primaries {
    case 1: .sRGB
    case 12: ICCProfile.displayP3.map { .profile($0) } ?? .untagged
    default: .untagged
    }
  }
}
