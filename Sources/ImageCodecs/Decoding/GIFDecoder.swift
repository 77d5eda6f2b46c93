import CCodecs

extension ImageCodec {
  static let gif = ImageCodec(
    extensions: ["gif"], mimeTypes: ["image/gif"], signatures: [Array("GIF87a".utf8), Array("GIF89a".utf8)],
    decodesAnimations: true, framesWriter: { GIFEncodedFrames(plays: $1) }, readHeader: GIFHeader.init)
}

/// Decodes GIF with giflib: the first frame on its canvas.
extension GIFHeader: EncodedImageHeader {
  func decode(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    if job.isStrict, !isComplete { throw .truncated }
    try job.limits.checkFrame(size, bytesPerPixel: 4)
    let reader = try GIFReader(job, size)
    let (status, frame) = try reader.next()
    let isDamaged = !job.isStrict && (status == .truncated || status == .corrupt)
    if !isDamaged {
      try reader.check(status)
      guard frame.exists else { throw .corrupt("no frame") }
    }
    let isOpaque = !info.hasAlpha && status == .done
    return StoredImage(
      image: isOpaque ? try reader.canvas.opaque() : reader.canvas, resize: job.resize,
      isComplete: status == .done)
  }

  func decodingCost(_ resize: ResizePlan, _ options: DecodingOptions) -> Int {
    // The canvas; for an opaque image, also a copy without alpha.
    Cost.bytes(size, each: 7)
  }

  func animation(
    of file: FrameFile, limits: DecodingLimits, watch: DecodingWatch
  ) throws(ImageCodecError) -> Animation? {
    let endsEarly =
      switch limits.incomplete {
      case .refuse: false
      case .acceptAllPixels: lacksEndOnly
      case .acceptAnyPixels: !isComplete
      }
    guard isComplete || endsEarly else { throw .truncated }
    return Animation(
      frames: try GIFFrames(file, size: size, limits: limits, watch: watch), plays: plays,
      endsEarly: endsEarly)
  }
}

/// A decoder of giflib, and its canvas. The bytes have to outlive it.
private final class GIFReader {
  private let job: DecodingJob
  private let reader: OpaquePointer
  private(set) var canvas: Image

  init(_ job: DecodingJob, _ size: PixelSize) throws(ImageCodecError) {
    self.job = job
    canvas = try Image(width: size.width, height: size.height, pixelFormat: .rgba8)
    // The watch outlives the reader, which holds a pointer to it.
    reader = try job.watch.reading(isStrict: job.isStrict, limits: job.limits) {
      options throws(ImageCodecError) -> OpaquePointer in
      guard let reader = codec_gif_reader_create(job.bytes.start, job.bytes.count, &options) else {
        throw .outOfMemory
      }
      return reader
    }
    try check(codec_gif_reader_read_header(reader, UInt32(size.width), UInt32(size.height)))
  }

  deinit { codec_gif_reader_destroy(reader) }

  /// Draws the next frame over the one before.
  func next() throws(ImageCodecError) -> (status: CodecStatus, frame: CodecGIFFrame) {
    var frame = CodecGIFFrame()
    let status = try canvas.withUnsafeMutableBytes { codec_gif_reader_next(reader, $0.bytes, &frame) }
    return (status, frame)
  }

  func check(_ status: CodecStatus) throws(ImageCodecError) {
    try status.check(codec_gif_reader_message(reader), limits: job.limits, watch: job.watch)
  }
}

/// The frames of a GIF, each drawn over the one before.
private final class GIFFrames: FrameSource {
  private let file: FrameFile
  private let reader: GIFReader

  init(
    _ file: FrameFile, size: PixelSize, limits: DecodingLimits, watch: DecodingWatch
  ) throws(ImageCodecError) {
    try limits.checkFrame(size, bytesPerPixel: 4)
    // The canvas before a frame may have to be kept.
    try limits.checkWork(byteCount: (size.pixelCount ?? .max / 8) * 4)
    self.file = file
    let job = DecodingJob(
      bytes: file.view, resize: ResizePlan(unchanged: size), limits: limits, isStrict: true, watch: watch)
    reader = try GIFReader(job, size)
  }

  func next() throws(ImageCodecError) -> AnimationFrame? {
    let (status, frame) = try reader.next()
    try reader.check(status)
    guard frame.exists else { return nil }
    return AnimationFrame(
      image: reader.canvas, duration: AnimationFrame.duration(milliseconds: Int(frame.delay) * 10))
  }
}
