import CCodecs

extension ImageCodec {
  static let png = ImageCodec(
    extensions: ["png", "apng"], mimeTypes: ["image/png", "image/apng", "image/x-png"],
    signatures: [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]], readHeader: PNGHeader.init)
}

extension PNGHeader: EncodedImageHeader {
  func decode(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    try PNGDecoder(header: self, job: job).decode()
  }

  func decodingCost(_ resize: ResizePlan, _ options: DecodingOptions) -> Int {
    Cost.bytes(size, each: Double(bytesPerPixel(keepsDepth: options.keepsDepth)))
  }
}

/// Decodes PNG with libpng, always at full size.
struct PNGDecoder {
  let header: PNGHeader
  let job: DecodingJob

  func decode() throws(ImageCodecError) -> StoredImage {
    try job.watch.reading(isStrict: job.isStrict, limits: job.limits) {
      options throws(ImageCodecError) -> StoredImage in
      guard let reader = codec_png_reader_create(job.bytes.start, job.bytes.count, &options) else {
        throw .outOfMemory
      }
      defer { codec_png_reader_destroy(reader) }
      return try decode(with: reader)
    }
  }

  private func decode(with reader: OpaquePointer) throws(ImageCodecError) -> StoredImage {
    try job.limits.checkFrame(header.size, bytesPerPixel: bytesPerPixel)
    var found = CodecPNGHeader()
    try check(
      codec_png_reader_read_header(
        reader, UInt32(header.size.width), UInt32(header.size.height), job.keepsDepth,
        &found),
      reader)
    guard Int(found.width) == header.size.width, Int(found.height) == header.size.height,
      let pixelFormat = Image.PixelFormat(channels: Int(found.channels), bits: Int(found.bits)),
      pixelFormat.bytesPerPixel <= bytesPerPixel
    else { throw .corrupt("two sizes") }

    var profile: [UInt8]?
    if let start = found.profile, found.profileCount <= job.limits.maximumMetadataBytes {
      profile = Array(UnsafeBufferPointer(start: start, count: found.profileCount))
    }
    var image = try Image(
      width: header.size.width, height: header.size.height, pixelFormat: pixelFormat,
      colorSpace: .label(
        profile: profile, pixelFormat: pixelFormat, otherwise: header.isSRGB ? .sRGB : .untagged))
    let bytesPerRow = image.bytesPerRow
    let status = try image.withUnsafeMutableBytes { pixels in
      codec_png_reader_read(reader, pixels.bytes, bytesPerRow)
    }
    if status == .done, !header.hasDamagedEnd {
      return StoredImage(image: image, resize: job.resize, isComplete: true)
    }
    let lacksEnd = codec_png_reader_has_all_rows(reader) && lacksEnd(status)
    if job.isStrict {
      if lacksEnd { throw .truncated }
      try check(status, reader)
    } else if status != .truncated, status != .corrupt, !lacksEnd {
      try check(status, reader)
    }
    return StoredImage(image: image, resize: job.resize, isComplete: lacksEnd)
  }

  /// Whether nothing but the end of a file is wrong if it has all rows. The data may lack its checksum, or have a wrong one,
  /// as long as that of its chunk is right.
  private func lacksEnd(_ status: CodecStatus) -> Bool {
    switch status {
    case .done: header.hasDamagedEnd
    case .truncated: true
    case .corrupt: header.hasIntactPixels(job.bytes)
    default: false
    }
  }

  private var bytesPerPixel: Int { header.bytesPerPixel(keepsDepth: job.keepsDepth) }

  private func check(_ status: CodecStatus, _ reader: OpaquePointer) throws(ImageCodecError) {
    try status.check(codec_png_reader_message(reader), limits: job.limits, watch: job.watch)
  }
}
