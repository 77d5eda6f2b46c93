import CCodecs

/// Decodes AVIF with libavif and HEIC with libheif, always completely and at full size.
package struct BoxesDecoder {
  let header: BoxesHeader
  let job: DecodingJob

  /// Whether output of the libraries is kept away from the program's standard error. True on Linux, except with the
  /// address sanitizer.
  package static var isQuiet: Bool { codec_can_be_quiet() }

  func decode() throws(ImageCodecError) -> StoredImage {
    let selection = try header.selection(job.bytes, watch: job.watch)
    let size = header.codedSize
    let isWide = job.keepsDepth && header.info.bitsPerComponent > 8
    let pixelFormat = (header.info.hasAlpha ? Image.PixelFormat.rgba8 : .rgb8).of(bits: isWide ? 16 : 8)
    try job.limits.checkFrame(size, bytesPerPixel: pixelFormat.bytesPerPixel)
    try job.limits.checkWork(byteCount: (size.pixelCount ?? .max / 32) * header.workingBytesPerPixel)

    var image = try Image(
      width: size.width, height: size.height, pixelFormat: pixelFormat, colorSpace: colorSpace(pixelFormat))
    try selection.withBytes { bytes throws(ImageCodecError) in
      try read(bytes, selection.isOfNewKind, into: &image)
    }
    try job.watch.check()
    let area = header.area
    image = try image.cropped(x: area.x, y: area.y, width: area.width, height: area.height)
    return StoredImage(image: image, resize: job.resize, isComplete: true)
  }

  private func read(
    _ bytes: ByteView, _ isOfNewKind: Bool, into image: inout Image
  ) throws(ImageCodecError) {
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
        read(bytes, &options, &frame, &message)
      }
    }
    if isOfNewKind, status == .corrupt || status == .unsupported {
      throw .unsupportedFeature("\(CodecStatus.text(message)) (\(library); a newer one may read the file)")
    }
    try status.check(message, limits: job.limits, watch: job.watch)
  }

  /// The name and the version of the library.
  private var library: String {
    switch header.format {
    #if CODECS_AVIF
      case .avif: "libavif " + CodecStatus.text(codec_avif_version())
    #endif
    #if CODECS_HEIF
      case .heic: "libheif " + CodecStatus.text(codec_heif_version())
    #endif
    default: ""
    }
  }

  private func read(
    _ bytes: ByteView, _ options: inout CodecReadOptions, _ frame: inout CodecBoxesFrame,
    _ message: inout [CChar]
  ) -> CodecStatus {
    switch header.format {
    #if CODECS_AVIF
      case .avif: codec_avif_read(bytes.start, bytes.count, &options, &frame, &message)
    #endif
    #if CODECS_HEIF
      case .heic: codec_heif_read(bytes.start, bytes.count, &options, &frame, &message)
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

extension BoxesHeader {
  /// The planes of the image and its alpha, and the colors made of them, as measured with all samplings.
  var workingBytesPerPixel: Int {
    let isDeep = info.bitsPerComponent > 8
    let isHEIC = format == .heic
    let colors = isHEIC ? (isDeep ? 10 : 8) : (isDeep ? 8 : 6)
    return colors + (info.hasAlpha && isDeep ? 3 : 0) + (info.hasAlpha && !isHEIC ? 2 : 0)
  }
}
