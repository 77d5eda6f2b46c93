/// The frames of one format, in order.
protocol FrameSource {
  /// `nil` after the last one.
  func next() throws(ImageCodecError) -> AnimationFrame?
}

/// How a file of several frames is read.
struct Animation {
  let frames: any FrameSource
  /// How many times it plays; `nil` for ever.
  var plays: Int? = 1
  /// Whether the end of the file is that of the animation.
  var endsEarly = false
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
    (self.file, self.options, self.watch) = (file, options, watch)
  }

  func next() throws(ImageCodecError) -> AnimationFrame? {
    if isOver { return nil }
    isOver = true
    let bytes = UnsafeRawBufferPointer(start: file.view.start, count: file.view.count)
    let image = try ImageDecoder.read(bytes, options: options, isStrict: true, watch: watch).image
    return AnimationFrame(image: image, duration: AnimationFrame.duration(milliseconds: 0))
  }
}
