import CCodecs

extension ImageCodec {
  static let webp = ImageCodec(
    extensions: ["webp"], mimeTypes: ["image/webp"],
    signatures: [Array("RIFF".utf8) + [nil, nil, nil, nil] + Array("WEBP".utf8)], maximumSide: 16_383,
    decodesAnimations: true, framesWriter: { WebPEncodedFrames($0, plays: $1) }, readHeader: WebPHeader.init,
    readMetadata: { $0.readWebP($1) })
}

extension WebPHeader: EncodedImageHeader {
  func decode(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    try WebPDecoder(header: self, job: job).decode()
  }

  func decodingCost(_ resize: ResizePlan, _ options: DecodingOptions) -> Int {
    // Three bytes by rows. Otherwise libwebp has its own frame, and animations have a canvas.
    isDecodedByRows
      ? Cost.bytes(resize.reducedSize(within: options.limits), each: 3)
      : Cost.bytes(size, each: isAnimated ? 12 : 8)
  }

  func reducedSize(for resize: ResizePlan, within limits: DecodingLimits) -> PixelSize? {
    isDecodedByRows ? resize.reducedSize(within: limits) : nil
  }

  func animation(
    of file: FrameFile, limits: DecodingLimits, watch: DecodingWatch
  ) throws(ImageCodecError) -> Animation? {
    guard isAnimated else { return nil }
    guard isComplete else { throw .truncated }
    return Animation(frames: try WebPFrames(file, size: size, limits: limits), plays: plays)
  }
}

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

/// The frames of a WebP, composed by libwebp.
final class WebPFrames: FrameSource {
  private let file: FrameFile
  private let size: PixelSize
  private let animation: OpaquePointer

  init(_ file: FrameFile, size: PixelSize, limits: DecodingLimits) throws(ImageCodecError) {
    try limits.checkFrame(size, bytesPerPixel: 4)
    // libwebp keeps two canvases and the frame it decodes.
    try limits.checkWork(byteCount: (size.pixelCount ?? .max / 16) * 12)
    (self.file, self.size) = (file, size)
    var width: UInt32 = 0
    var height: UInt32 = 0
    guard let animation = codec_webp_animation_create(file.view.start, file.view.count, &width, &height)
    else { throw .corrupt("libwebp cannot decode the animation") }
    self.animation = animation
    guard Int(width) == size.width, Int(height) == size.height else { throw .corrupt("two sizes") }
  }

  deinit { codec_webp_animation_destroy(animation) }

  func next() throws(ImageCodecError) -> AnimationFrame? {
    var step = CodecWebPStep()
    var canvas = try Image(width: size.width, height: size.height, pixelFormat: .rgba8)
    let status = try canvas.withUnsafeMutableBytes { codec_webp_animation_next(animation, $0.bytes, &step) }
    guard status == .done else { throw .corrupt("libwebp cannot decode a frame") }
    guard step.exists else { return nil }
    return AnimationFrame(
      image: canvas, duration: AnimationFrame.duration(milliseconds: Int(step.milliseconds)))
  }
}
