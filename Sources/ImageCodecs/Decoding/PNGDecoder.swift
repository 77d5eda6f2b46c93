import CCodecs

extension ImageCodec {
  static let png = ImageCodec(
    extensions: ["png", "apng"], mimeTypes: ["image/png", "image/apng", "image/x-png"],
    signatures: [PNGChunk.signature], decodesAnimations: true, readHeader: PNGHeader.init,
    readMetadata: { $0.readPNG($1) }, namesSRGB: true)
}

/// Decodes PNG with libpng, always at full size.
extension PNGHeader: EncodedImageHeader {
  func decode(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    try job.watch.reading(isStrict: job.isStrict, limits: job.limits) {
      options throws(ImageCodecError) -> StoredImage in
      guard let reader = codec_png_reader_create(job.bytes.start, job.bytes.count, &options) else {
        throw .outOfMemory
      }
      defer { codec_png_reader_destroy(reader) }
      return try decode(with: reader, job)
    }
  }

  func decodingCost(_ resize: ResizePlan, _ options: DecodingOptions) -> Int {
    // HDR is copied when its bits become fewer.
    let copy = hdr == nil || options.keepsDepth ? 0 : 4
    return Cost.bytes(size, each: Double(bytesPerPixel(keepsDepth: options.keepsDepth) + copy))
  }

  func animation(
    of file: FrameFile, limits: DecodingLimits, watch: DecodingWatch
  ) throws(ImageCodecError) -> Animation? {
    guard frameCount > 0 else { return nil }
    return Animation(
      frames: try APNGFrames(file, header: self, limits: limits, watch: watch), plays: plays,
      endsEarly: limits.incomplete == .acceptAnyPixels)
  }

  private func decode(
    with reader: OpaquePointer, _ job: DecodingJob
  ) throws(ImageCodecError) -> StoredImage {
    let bytesPerPixel = bytesPerPixel(keepsDepth: job.keepsDepth)
    let check = { (status: CodecStatus) throws(ImageCodecError) in
      try status.check(codec_png_reader_message(reader), limits: job.limits, watch: job.watch)
    }
    try job.limits.checkFrame(size, bytesPerPixel: bytesPerPixel)
    var found = CodecPNGHeader()
    try check(
      codec_png_reader_read_header(
        reader, UInt32(size.width), UInt32(size.height), keepsDepthWhileDecoding(job.keepsDepth), &found))
    guard Int(found.width) == size.width, Int(found.height) == size.height,
      let pixelFormat = Image.PixelFormat(channels: Int(found.channels), bits: Int(found.bits)),
      pixelFormat.bytesPerPixel <= bytesPerPixel
    else { throw .corrupt("two sizes") }

    let profile = self.profile(maximumBytes: job.limits.maximumMetadataBytes)
    var image = try Image(
      width: size.width, height: size.height, pixelFormat: pixelFormat,
      colorSpace: colorSpace(profile: profile, pixelFormat))
    let isNamed = (colors?.colorSpace ?? .untagged) != .untagged
    let gray = isGray && !isNamed ? ICCProfile.ofGray(profile, pixelFormat) : nil
    let bytesPerRow = image.bytesPerRow
    let status = try image.withUnsafeMutableBytes { pixels in
      codec_png_reader_read(reader, pixels.bytes, bytesPerRow)
    }
    if status == .done, !hasDamagedEnd {
      return StoredImage(image: image, resize: job.resize, isComplete: true, hdr: hdr, grayProfile: gray)
    }
    let lacksEnd = codec_png_reader_has_all_rows(reader) && lacksEnd(status, job.bytes)
    if job.isStrict {
      if lacksEnd { throw .truncated }
      try check(status)
    } else if status != .truncated, status != .corrupt, !lacksEnd {
      try check(status)
    }
    return StoredImage(image: image, resize: job.resize, isComplete: lacksEnd, hdr: hdr, grayProfile: gray)
  }

  private var hdr: CodedColors? { colors.flatMap { $0.isHDR ? $0 : nil } }

  /// Numbers take precedence over a profile, as the PNG standard has it.
  private func colorSpace(profile: [UInt8]?, _ pixelFormat: Image.PixelFormat) -> Image.ColorSpace {
    switch colors?.colorSpace {
    case .sRGB: .sRGB
    case .profile(let named) where named.describes(pixelFormat): .profile(named)
    default: .label(profile: profile, pixelFormat: pixelFormat, otherwise: isSRGB ? .sRGB : .untagged)
    }
  }

  /// Whether nothing but the end of a file is wrong if it has all rows. The data may lack its checksum, or have a wrong one,
  /// as long as that of its chunk is right.
  private func lacksEnd(_ status: CodecStatus, _ bytes: ByteView) -> Bool {
    switch status {
    case .done: hasDamagedEnd
    case .truncated: true
    case .corrupt: hasIntactPixels(bytes)
    default: false
    }
  }
}
