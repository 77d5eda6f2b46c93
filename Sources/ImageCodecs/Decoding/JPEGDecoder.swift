import CCodecs

extension ImageCodec {
  static let jpeg = ImageCodec(
    extensions: ["jpg", "jpeg", "jpe", "jfif"], mimeTypes: ["image/jpeg", "image/jpg", "image/pjpeg"],
    signatures: [[0xFF, 0xD8, 0xFF]], maximumSide: 65_500, readHeader: JPEGHeader.init,
    readMetadata: { $0.readJPEG($1) })
}

/// Decodes JPEG with libjpeg, at full size or at one that is somewhat larger than the result.
extension JPEGHeader: EncodedImageHeader {
  func decode(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    try job.watch.reading(isStrict: job.isStrict, limits: job.limits) {
      options throws(ImageCodecError) -> StoredImage in
      let bytes = job.isStrict ? job.bytes : job.bytes.wholeJPEGSegments
      guard let reader = codec_jpeg_reader_create(bytes.start, bytes.count, &options) else {
        throw .outOfMemory
      }
      defer { codec_jpeg_reader_destroy(reader) }
      return try decode(with: reader, job)
    }
  }

  func decodingCost(_ resize: ResizePlan, _ options: DecodingOptions) -> Int {
    let reduced = eighths(for: resize, within: options.limits)
    let decoded = PixelSize(
      width: size.width / 8 * reduced + reduced, height: size.height / 8 * reduced + reduced)
    return Cost.sum(
      Cost.bytes(decoded, each: 3), Cost.bytes(size, each: isProgressive ? coefficientBytes : 0))
  }

  func reducedSize(for resize: ResizePlan, within limits: DecodingLimits) -> PixelSize? {
    size.reduced(toEighths: eighths(for: resize, within: limits))
  }

  var embeddedThumbnail: (header: any EncodedImageHeader, bytes: ByteView)? {
    guard let bytes = exif.flatMap({ Exif($0) })?.thumbnail, let header = try? JPEGHeader(bytes) else {
      return nil
    }
    return (header, bytes)
  }

  private func decode(
    with reader: OpaquePointer, _ job: DecodingJob
  ) throws(ImageCodecError) -> StoredImage {
    let check = { (status: CodecStatus) throws(ImageCodecError) in
      try status.check(codec_jpeg_reader_message(reader), limits: job.limits, watch: job.watch)
    }
    var found = CodecJPEGHeader()
    try check(codec_jpeg_reader_read_header(reader, &found))
    // libjpeg parses the header itself; limits were checked with our own parser.
    guard Int(found.width) == self.size.width, Int(found.height) == self.size.height,
      let pixelFormat = Image.PixelFormat(channels: Int(found.channels))
    else { throw .corrupt("two sizes") }

    let eighths = self.eighths(for: job.resize, within: job.limits)
    let size = self.size.reduced(toEighths: eighths)
    try job.limits.checkFrame(size, bytesPerPixel: pixelFormat.bytesPerPixel)

    var width: UInt32 = 0
    var height: UInt32 = 0
    let stopsEarly = try stopsEarly(eighths, job)
    try check(codec_jpeg_reader_start(reader, UInt32(eighths), stopsEarly, &width, &height))
    guard Int(width) == size.width, Int(height) == size.height else { throw .corrupt("an unexpected size") }

    let profile = self.profile(maximumBytes: job.limits.maximumMetadataBytes)
    let isOfKnownInks = found.hasInkColors && profile.map { use(inkProfile: $0, reader) } == true
    var image = try Image(
      width: size.width, height: size.height, pixelFormat: pixelFormat,
      colorSpace: .label(
        profile: profile, pixelFormat: pixelFormat, otherwise: isOfKnownInks ? .sRGB : .untagged))
    let bytesPerRow = image.bytesPerRow
    let status = try image.withUnsafeMutableBytes { pixels in
      codec_jpeg_reader_read(reader, pixels.bytes, bytesPerRow)
    }
    var isComplete = codec_jpeg_reader_is_complete(reader)
    if !job.isStrict, status == .corrupt {
      isComplete = false
    } else {
      try check(status)
    }
    let factor = Double(eighths) / 8
    return StoredImage(
      image: image, resize: job.resize.scaled(across: factor, down: factor, to: size),
      isComplete: isComplete)
  }

  /// A small image of a progressive file needs only its first scans. The others are not decoded, but they must exist.
  private func stopsEarly(_ eighths: Int, _ job: DecodingJob) throws(ImageCodecError) -> Bool {
    guard isProgressive, job.isStrict, eighths <= 4, job.resize.light == .encoded else { return false }
    guard codec_jpeg_is_whole(job.bytes.start, job.bytes.count) else { throw .truncated }
    return true
  }

  private func use(inkProfile profile: [UInt8], _ reader: OpaquePointer) -> Bool {
    codec_jpeg_reader_use_ink_profile(reader, profile, profile.count)
  }
}
