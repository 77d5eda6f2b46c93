import CCodecs

extension ImageCodec {
  static let avif = ImageCodec(
    extensions: ["avif"], mimeTypes: ["image/avif"], brands: ["avif", "avis"],
    decodesAnimations: boxesReader(.avif) != nil, decodesParts: false, readHeader: boxesReader(.avif),
    readMetadata: { $0.readBoxes($1) }, namesSRGB: true)

  static let heic = ImageCodec(
    extensions: ["heic", "heif"], mimeTypes: ["image/heic", "image/heif"],
    brands: ["heic", "heix", "hevc", "hevx", "heim", "heis"], decodesParts: false,
    readHeader: boxesReader(.heic), readMetadata: { $0.readBoxes($1) })

  private static func boxesReader(_ format: ImageFormat) -> HeaderReader? {
    guard BoxesLibrary(format) != nil else { return nil }
    return { bytes throws(ImageCodecError) in try BoxesHeader(bytes, format: format) }
  }
}

extension BoxesHeader: EncodedImageHeader {
  func decode(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    try BoxesDecoder(header: self, job: job).decode()
  }

  func decodingCost(_ resize: ResizePlan, _ options: DecodingOptions) -> Int {
    // A part that is cut out is copied, when the library has released its memory.
    let pixels = info.hasAlpha ? 4 : 3
    let isDeep = options.keepsDepth || colors?.isHDR == true
    let each = workingBytesPerPixel + pixels + (isDeep ? 8 : 0)
    return Cost.bytes(codedSize, each: Double(each))
  }
}

/// Decodes AVIF with libavif and HEIC with libheif, always completely and at full size.
package struct BoxesDecoder {
  let header: BoxesHeader
  let job: DecodingJob

  /// Whether output of the libraries is kept away from the program's standard error. True on Linux, except with the
  /// address sanitizer.
  package static var isQuiet: Bool { codec_can_be_quiet() }

  func decode() throws(ImageCodecError) -> StoredImage {
    let size = header.codedSize
    // HDR is made SDR before its bits become fewer.
    let hdr = header.colors.flatMap { $0.isHDR ? $0 : nil }
    let isWide = (job.keepsDepth || hdr != nil) && header.info.bitsPerComponent > 8
    let profile = header.profile(maximumBytes: job.limits.maximumMetadataBytes)
    let pixelFormat = (header.info.hasAlpha ? Image.PixelFormat.rgba8 : .rgb8).of(bits: isWide ? 16 : 8)
    try job.limits.checkFrame(size, bytesPerPixel: pixelFormat.bytesPerPixel)
    try job.limits.checkWork(byteCount: Cost.bytes(size, each: Double(header.workingBytesPerPixel)))
    let selection = try header.selection(job.bytes, watch: job.watch)

    var image = try Image(
      width: size.width, height: size.height, pixelFormat: pixelFormat,
      colorSpace: .label(
        profile: profile, pixelFormat: pixelFormat, otherwise: header.colors?.colorSpace ?? .untagged))
    try selection.withBytes { bytes throws(ImageCodecError) in
      try read(bytes, selection.isOfNewKind, into: &image)
    }
    try job.watch.check()
    let area = header.area
    image = try image.cropped(x: area.x, y: area.y, width: area.width, height: area.height)
    return StoredImage(
      image: image, resize: job.resize, isComplete: true, hdr: hdr,
      grayProfile: header.isGray ? .ofGray(profile, pixelFormat) : nil)
  }

  private func read(
    _ bytes: ByteView, _ isOfNewKind: Bool, into image: inout Image
  ) throws(ImageCodecError) {
    let library = BoxesLibrary(header.format)
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
        library?.read(bytes.start, bytes.count, &options, &frame, &message) ?? .unsupported
      }
    }
    if status == .unsupported || isOfNewKind && status == .corrupt, let library {
      throw .unsupported(CodecStatus.text(message), by: library.installed)
    }
    try status.check(message, limits: job.limits, watch: job.watch)
  }
}

extension ImageCodecError {
  /// The error for a file that may be right, and that a library does not know how to read.
  static func unsupported(_ feature: String, by library: String) -> ImageCodecError {
    .unsupportedFeature("\(feature) (\(library); a newer one may read the file)")
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

/// The functions of libavif or libheif.
struct BoxesLibrary {
  let name: String
  let version: () -> UnsafePointer<CChar>?
  let read:
    (
      UnsafePointer<UInt8>?, Int, UnsafePointer<CodecReadOptions>?, UnsafePointer<CodecBoxesFrame>?,
      UnsafeMutablePointer<CChar>?
    ) -> CodecStatus
  let write:
    (
      UnsafePointer<CodecBoxesEncoding>?, UnsafePointer<UInt8>?, Int,
      UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, UnsafeMutablePointer<Int>?,
      UnsafeMutablePointer<CChar>?
    ) -> CodecStatus

  /// The name and the version of the library that is installed.
  var installed: String { "\(name) \(CodecStatus.text(version()))" }

  /// `nil` if the library is not part of this build.
  init?(_ format: ImageFormat) {
    switch format {
    #if CODECS_AVIF
      case .avif:
        (name, version, read, write) = ("libavif", codec_avif_version, codec_avif_read, codec_avif_write)
    #endif
    #if CODECS_HEIF
      case .heic:
        (name, version, read, write) = ("libheif", codec_heif_version, codec_heif_read, codec_heif_write)
    #endif
    default: return nil
    }
  }
}
