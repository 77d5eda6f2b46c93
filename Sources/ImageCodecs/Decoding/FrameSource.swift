import CCodecs

/// The frames of one format, in order.
protocol FrameSource {
  /// `nil` after the last one.
  func next() throws(ImageCodecError) -> AnimationFrame?
}

/// The bytes of a file at a fixed address, for libraries that return to them.
final class FrameFile {
  private let buffer: PixelBuffer

  init(_ bytes: some Collection<UInt8>, limits: DecodingLimits) throws(ImageCodecError) {
    try limits.checkFile(byteCount: bytes.count)
    buffer = try PixelBuffer(byteCount: bytes.count)
    buffer.bytes.copyBytes(from: bytes)
  }

  /// Valid as long as the file exists.
  var view: ByteView { ByteView(UnsafeRawBufferPointer(buffer.bytes)) }
}

/// The frame of a still image.
final class StillFrame: FrameSource {
  private let file: FrameFile
  private let options: DecodingOptions
  private let watch: DecodingWatch
  private var isOver = false

  init(_ file: FrameFile, options: DecodingOptions, watch: DecodingWatch) {
    self.file = file
    self.options = options
    self.watch = watch
  }

  func next() throws(ImageCodecError) -> AnimationFrame? {
    if isOver { return nil }
    isOver = true
    let bytes = UnsafeRawBufferPointer(start: file.view.start, count: file.view.count)
    let image = try ImageDecoder.read(bytes, options: options, isStrict: true, watch: watch).image
    return AnimationFrame(image: image, duration: AnimationFrame.duration(milliseconds: 0))
  }
}

/// The frames of a GIF, each drawn over the one before.
final class GIFFrames: FrameSource {
  private let file: FrameFile
  private let limits: DecodingLimits
  private let watch: DecodingWatch
  private let reader: OpaquePointer
  private var canvas: Image

  init(
    _ file: FrameFile, size: PixelSize, limits: DecodingLimits, watch: DecodingWatch
  ) throws(ImageCodecError) {
    // The canvas before a frame may have to be kept.
    try limits.checkWork(byteCount: (size.pixelCount ?? .max / 8) * 4)
    self.file = file
    self.limits = limits
    self.watch = watch
    let canvas = try Image(width: size.width, height: size.height, pixelFormat: .rgba8)
    self.canvas = canvas
    // The watch outlives the reader, which holds a pointer to it.
    reader = try watch.reading(isStrict: true, limits: limits) { options throws(ImageCodecError) in
      guard let reader = codec_gif_reader_create(file.view.start, file.view.count, &options) else {
        throw .outOfMemory
      }
      return reader
    }
    try check(codec_gif_reader_read_header(reader, UInt32(size.width), UInt32(size.height)))
  }

  deinit { codec_gif_reader_destroy(reader) }

  func next() throws(ImageCodecError) -> AnimationFrame? {
    var frame = CodecGIFFrame()
    let status = try canvas.withUnsafeMutableBytes { codec_gif_reader_next(reader, $0.bytes, &frame) }
    try check(status)
    guard frame.exists else { return nil }
    return AnimationFrame(
      image: canvas, duration: AnimationFrame.duration(milliseconds: Int(frame.delay) * 10))
  }

  private func check(_ status: CodecStatus) throws(ImageCodecError) {
    try status.check(codec_gif_reader_message(reader), limits: limits, watch: watch)
  }
}

/// The frames of a WebP, composed by libwebp.
final class WebPFrames: FrameSource {
  private let file: FrameFile
  private let size: PixelSize
  private let animation: OpaquePointer

  init(_ file: FrameFile, size: PixelSize, limits: DecodingLimits) throws(ImageCodecError) {
    // libwebp keeps two canvases and the frame it decodes.
    try limits.checkWork(byteCount: (size.pixelCount ?? .max / 16) * 12)
    self.file = file
    self.size = size
    var width: UInt32 = 0
    var height: UInt32 = 0
    guard let animation = codec_webp_animation_create(file.view.start, file.view.count, &width, &height)
    else {
      throw .corrupt("libwebp cannot decode the animation")
    }
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
