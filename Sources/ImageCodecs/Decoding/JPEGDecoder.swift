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
    // A damaged file may still be shown, so its rows are kept. Scans of a progressive file would be read twice if rows are
    // needed in another order.
    if job.isStrict, !isProgressive, !job.resize.changesNothing {
      let resized = try started(job) { decoding throws(ImageCodecError) in try decoding.resized(job) }
      if let resized { return resized }
    }
    return try started(job) { decoding throws(ImageCodecError) in try decoding.whole(job) }
  }

  private func started<Value>(
    _ job: DecodingJob, _ body: (JPEGDecoding) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    try job.watch.reading(isStrict: job.isStrict, limits: job.limits) {
      options throws(ImageCodecError) -> Value in
      let bytes = job.isStrict ? job.bytes : job.bytes.wholeJPEGSegments
      guard let reader = codec_jpeg_reader_create(bytes.start, bytes.count, &options) else {
        throw .outOfMemory
      }
      defer { codec_jpeg_reader_destroy(reader) }
      return try body(try start(reader, job))
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
    guard let bytes = exif.flatMap({ TIFFReader(exif: $0) })?.thumbnail, let header = try? JPEGHeader(bytes)
    else { return nil }
    return (header, bytes)
  }

  private func start(
    _ reader: OpaquePointer, _ job: DecodingJob
  ) throws(ImageCodecError) -> JPEGDecoding {
    var found = CodecJPEGHeader()
    try reader.check(codec_jpeg_reader_read_header(reader, &found), job)
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
    try reader.check(codec_jpeg_reader_start(reader, UInt32(eighths), stopsEarly, &width, &height), job)
    guard Int(width) == size.width, Int(height) == size.height else { throw .corrupt("an unexpected size") }

    let profile = self.profile(maximumBytes: job.limits.maximumMetadataBytes)
    let isOfKnownInks =
      found.hasInkColors
      && profile.map { codec_jpeg_reader_use_ink_profile(reader, $0, $0.count) } == true
    let factor = Double(eighths) / 8
    return JPEGDecoding(
      reader: reader, size: size, pixelFormat: pixelFormat,
      colorSpace: .label(
        profile: profile, pixelFormat: pixelFormat, otherwise: isOfKnownInks ? .sRGB : .untagged),
      resize: job.resize.scaled(across: factor, down: factor, to: size))
  }

  /// A small image of a progressive file needs only its first scans. The others are not decoded, but they must exist.
  private func stopsEarly(_ eighths: Int, _ job: DecodingJob) throws(ImageCodecError) -> Bool {
    guard isProgressive, job.isStrict, eighths <= 4, job.resize.light == .encoded else { return false }
    guard codec_jpeg_is_whole(job.bytes.start, job.bytes.count) else { throw .truncated }
    return true
  }
}

/// A JPEG whose rows can be read.
private struct JPEGDecoding {
  let reader: OpaquePointer
  let size: PixelSize
  let pixelFormat: Image.PixelFormat
  let colorSpace: Image.ColorSpace
  /// What is to be made of the rows.
  let resize: ResizePlan

  func whole(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    // Rows that a damaged file lacks are black.
    var image =
      job.isStrict
      ? try Image(unset: size, pixelFormat: pixelFormat, colorSpace: colorSpace)
      : try Image(width: size.width, height: size.height, pixelFormat: pixelFormat, colorSpace: colorSpace)
    let bytesPerRow = image.bytesPerRow
    let status = try image.withUnsafeMutableBytes { pixels in
      codec_jpeg_reader_read(reader, pixels.bytes, bytesPerRow)
    }
    var isComplete = codec_jpeg_reader_is_complete(reader)
    if !job.isStrict, status == .corrupt {
      isComplete = false
    } else {
      try reader.check(status, job)
    }
    return StoredImage(image: image, resize: resize, isComplete: isComplete)
  }

  /// Resizes the rows while they are decoded; `nil` if that needs them in another order.
  func resized(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage? {
    if resize.changesNothing { return nil }
    let rows = try RowReader(
      reader, bytesPerRow: size.width * pixelFormat.bytesPerPixel, readNext: codec_jpeg_reader_read_row)
    let image = try Image(
      resampling: rows, resize, pixelFormat: pixelFormat, colorSpace: colorSpace, limits: job.limits,
      watch: job.watch
    ) { status throws(ImageCodecError) in try reader.check(status, job) }
    guard let image else { return nil }
    // Rows below the part that is used may be damaged, too.
    try reader.check(codec_jpeg_reader_read(reader, rows.row, 0), job)
    return StoredImage(
      image: image, resize: ResizePlan(unchanged: image.size),
      isComplete: codec_jpeg_reader_is_complete(reader))
  }
}

extension OpaquePointer {
  /// Throws the error of a reader of JPEG.
  fileprivate func check(_ status: CodecStatus, _ job: DecodingJob) throws(ImageCodecError) {
    try status.check(codec_jpeg_reader_message(self), limits: job.limits, watch: job.watch)
  }
}
