#if CODECS_AVIF
  import CCodecs

  extension BoxesHeader {
    /// `nil` for HEIC, and for an AVIF without the brand of sequences.
    func animation(
      of file: FrameFile, limits: DecodingLimits, watch: DecodingWatch
    ) throws(ImageCodecError) -> Animation? {
      guard format == .avif, info.isAnimated, isSequence(file.view) else { return nil }
      // libavif calls places of frames outside of the file damaged.
      guard Box.list(file.view).allSatisfy(\.isComplete) else { throw .truncated }
      return Animation(
        frames: try AVIFFrames(self, file, limits: limits, watch: watch),
        plays: SequenceTrack(file.view).plays)
    }

    private func isSequence(_ file: ByteView) -> Bool {
      guard let brands = Box(file, at: 0)?.payload else { return false }
      return stride(from: 0, to: brands.count, by: 4).contains { $0 != 4 && brands.holds("avis", at: $0) }
    }
  }

  /// The frames of an AVIF sequence, decoded with libavif.
  private final class AVIFFrames: FrameSource {
    private let header: BoxesHeader
    private let file: FrameFile
    private let limits: DecodingLimits
    private let watch: DecodingWatch
    private let frames: UnsafeMutableRawPointer?

    init(
      _ header: BoxesHeader, _ file: FrameFile, limits: DecodingLimits, watch: DecodingWatch
    ) throws(ImageCodecError) {
      let size = header.codedSize
      try limits.checkFrame(size, bytesPerPixel: 4)
      // The frame before is kept, because the next one is made of it.
      try limits.checkWork(byteCount: Cost.bytes(size, each: Double(2 * header.workingBytesPerPixel)))
      // The checks of still images are those of files with too many parts.
      _ = try header.selection(file.view, watch: watch)
      (self.header, self.file, self.limits, self.watch) = (header, file, limits, watch)
      var frame = CodecBoxesFrame()
      (frame.width, frame.height) = (UInt32(size.width), UInt32(size.height))
      var frames: UnsafeMutableRawPointer?
      var message = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
      let status = codec_avif_frames_open(file.view.start, file.view.count, &frame, &frames, &message)
      try status.check(message, limits: limits, watch: watch)
      self.frames = frames
    }

    deinit { codec_avif_frames_close(frames) }

    func next() throws(ImageCodecError) -> AnimationFrame? {
      let size = header.codedSize
      var image = try Image(width: size.width, height: size.height, pixelFormat: .rgba8)
      var frame = CodecBoxesFrame()
      (frame.width, frame.height, frame.channels) = (UInt32(size.width), UInt32(size.height), 4)
      frame.bytesPerRow = image.bytesPerRow
      var (exists, seconds) = (false, 0.0)
      var message = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
      let status = try image.withUnsafeMutableBytes { pixels in
        frame.pixels = pixels.bytes
        return codec_avif_frames_next(frames, &frame, &exists, &seconds, &message)
      }
      if status == .unsupported {
        throw .unsupported(CodecStatus.text(message), by: "libavif \(CodecStatus.text(codec_avif_version()))")
      }
      try status.check(message, limits: limits, watch: watch)
      guard exists else { return nil }
      let area = header.area
      if area.size != size {
        image = try image.cropped(x: area.x, y: area.y, width: area.width, height: area.height)
      }
      // A duration that is no number of this century is none.
      let microseconds = (0...1e15).contains(seconds * 1e6) ? Int((seconds * 1e6).rounded()) : 0
      return AnimationFrame(image: image, duration: AnimationFrame.duration(microseconds: microseconds))
    }
  }

  /// How often the pictures of a sequence play (ISO/IEC 14496-12, 8.6.6).
  private struct SequenceTrack {
    /// `nil` for ever, which files without an edit list mean as well.
    private(set) var plays: Int?

    init(_ file: ByteView) {
      func first(_ type: String, _ bytes: ByteView?) -> ByteView? {
        bytes.flatMap { Box.list($0).first { $0.type == type }?.payload }
      }
      let track = first("trak", first("moov", file))
      guard let list = first("elst", first("edts", track)), let head = first("tkhd", track),
        list.big(4, count: 4) == 1
      else { return }
      let repeats = list.byte(3).map { $0 & 1 == 1 } ?? false
      guard repeats else {
        plays = 1
        return
      }
      // Both are numbers of eight bytes in version 1. Those for ever have all bits.
      let whole =
        head.byte(0) == 1 ? head.number(28) : head.big(20, count: 4).flatMap { $0 == 0xFFFF_FFFF ? nil : $0 }
      let once = list.byte(0) == 1 ? list.number(8) : list.big(8, count: 4)
      guard let whole, let once, once > 0 else { return }
      plays = min(max((whole + once - 1) / once, 1), 65_535)
    }
  }

  extension ByteView {
    /// A number of eight bytes; `nil` for those of more than six.
    fileprivate func number(_ offset: Int) -> Int? {
      big(offset, count: 2) == 0 ? big(offset + 2, count: 6) : nil
    }
  }
#endif
