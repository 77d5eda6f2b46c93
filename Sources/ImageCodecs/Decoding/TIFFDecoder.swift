import CCodecs

extension ImageCodec {
  static let tiff: ImageCodec = {
    var codec = ImageCodec(
      extensions: ["tiff", "tif"], mimeTypes: ["image/tiff"],
      signatures: [
        [0x49, 0x49, 0x2A, 0x00], [0x4D, 0x4D, 0x00, 0x2A],
        // BigTIFF.
        [0x49, 0x49, 0x2B, 0x00], [0x4D, 0x4D, 0x00, 0x2B],
      ], readMetadata: { $0.readTIFF($1) })
    #if CODECS_TIFF
      codec.readHeader = TIFFHeader.init
    #endif
    return codec
  }()
}

/// Decodes the first image of a TIFF with libtiff, always at full size.
extension TIFFHeader: EncodedImageHeader {
  func decode(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    if job.isStrict, !isComplete { throw .truncated }
    let pixelFormat = layout.pixelFormat(keepsDepth: job.keepsDepth)
    try job.limits.checkFrame(size, bytesPerPixel: pixelFormat.bytesPerPixel)
    // One strip may contain the whole image, with samples of eight bytes.
    try job.limits.checkWork(
      byteCount: (size.pixelCount ?? .max / 64) * max(layout.bits / 8, 1))
    let profile = self.profile(maximumBytes: job.limits.maximumMetadataBytes)
    var image = try Image(
      width: size.width, height: size.height, pixelFormat: pixelFormat,
      colorSpace: colorSpace(pixelFormat, profile))
    let status = try read(into: &image, profile ?? [], job)
    if layout.colors == .converted { image = try image.opaque() }
    let isGray = layout.colors == .gray || layout.colors == .invertedGray
    return StoredImage(
      image: image, resize: job.resize, isComplete: status == .done && hasAllPixels,
      grayProfile: isGray ? .ofGray(profile, pixelFormat) : nil)
  }

  func decodingCost(_ resize: ResizePlan, _ options: DecodingOptions) -> Int {
    // Everything may be in one strip of stored samples, and what libtiff converts is copied at the end.
    let pixels = layout.pixelFormat(keepsDepth: options.keepsDepth).bytesPerPixel
    return Cost.bytes(
      size, each: Double((layout.colors == .converted ? 7 : pixels) + layout.bytesPerStoredPixel))
  }

  private func read(
    into image: inout Image, _ profile: [UInt8], _ job: DecodingJob
  ) throws(ImageCodecError) -> CodecStatus {
    #if CODECS_TIFF
      var frame = layout.frame
      frame.width = UInt32(image.width)
      frame.height = UInt32(image.height)
      frame.channels = UInt32(image.pixelFormat.channelCount)
      frame.isWide = image.pixelFormat.isWide
      frame.bytesPerRow = image.bytesPerRow
      var message = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
      let status = try profile.withUnsafeBufferPointer { profile throws(ImageCodecError) in
        frame.profile = profile.isEmpty ? nil : profile.baseAddress
        frame.profileCount = profile.count
        return try image.withUnsafeMutableBytes { pixels throws(ImageCodecError) in
          frame.pixels = pixels.bytes
          return try job.watch.reading(isStrict: job.isStrict, limits: job.limits) {
            options throws(ImageCodecError) -> CodecStatus in
            codec_tiff_read(job.bytes.start, job.bytes.count, &options, &frame, &message)
          }
        }
      }
      if !job.isStrict, status == .truncated || status == .corrupt { return status }
      try status.check(message, limits: job.limits, watch: job.watch)
      return status
    #else
      throw .unsupportedFormat(.tiff)
    #endif
  }

  /// The profile, if any, describes the stored samples, not those that are converted here.
  private func colorSpace(_ pixelFormat: Image.PixelFormat, _ profile: [UInt8]?) -> Image.ColorSpace {
    switch layout.colors {
    case .lab, .profileLab: .sRGB
    case .inks: profile == nil ? .untagged : .sRGB
    default: .label(profile: profile, pixelFormat: pixelFormat, otherwise: .untagged)
    }
  }
}

extension TIFFLayout {
  fileprivate var frame: CodecTIFFFrame {
    var frame = CodecTIFFFrame()
    frame.colors =
      switch colors {
      case .gray: .gray
      case .invertedGray: .invertedGray
      case .rgb: .RGB
      case .palette: .palette
      case .inks: .inks
      case .lab: .lab
      case .profileLab: .profileLab
      case .converted: .converted
      }
    frame.samples = UInt32(samples)
    frame.bits = UInt32(bits)
    frame.isFloat = isFloat
    frame.alpha = Int32(alpha ?? -1)
    frame.isMultiplied = isMultiplied
    return frame
  }
}
