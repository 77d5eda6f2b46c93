import CCodecs

extension ImageCodec {
  static let jpegXL: ImageCodec = {
    var codec = ImageCodec(
      extensions: ["jxl"], mimeTypes: ["image/jxl"],
      signatures: [JPEGXLFile.containerSignature, JPEGXLFile.streamSignature], maximumSide: 1 << 30,
      readMetadata: { $0.readJPEGXL($1) }, namesSRGB: true)
    #if CODECS_JPEGXL
      codec.decodesAnimations = true
      codec.readHeader = JPEGXLHeader.init
    #endif
    return codec
  }()
}

/// Decodes JPEG XL with libjxl: a still image, or the first frame of an animation.
extension JPEGXLHeader: EncodedImageHeader {
  var info: ImageInfo {
    ImageInfo(
      format: .jpegXL, storedSize: size, orientation: orientation, hasAlpha: hasAlpha,
      isProgressive: isLossy || holdsJPEG, isAnimated: isAnimated, bitsPerComponent: bits)
  }

  func decode(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    #if CODECS_JPEGXL
      try checkLimits(job.limits, keepsDepth: job.keepsDepth)
      var image = try canvas(keepsDepth: job.keepsDepth)
      let reader = try JPEGXLReader(
        self, job.bytes, isStrict: job.isStrict, limits: job.limits, watch: job.watch)
      let status = try reader.next(&image)
      let gray = isGray ? ICCProfile.ofGray(reader.profile, image.pixelFormat) : nil
      guard job.isStrict || status.code != .truncated else {
        guard status.exists else { throw .truncated }
        return StoredImage(image: image, resize: job.resize, isComplete: false, grayProfile: gray)
      }
      try reader.check(status.code)
      guard status.exists else { throw .corrupt("no frame") }
      return StoredImage(image: image, resize: job.resize, isComplete: true, grayProfile: gray)
    #else
      throw .unsupportedFormat(.jpegXL)
    #endif
  }

  func decodingCost(_ resize: ResizePlan, _ options: DecodingOptions) -> Int {
    Cost.bytes(
      size, each: Double(workingBytesPerPixel + pixelFormat(keepsDepth: options.keepsDepth).bytesPerPixel))
  }

  #if CODECS_JPEGXL
    func animation(
      of file: FrameFile, limits: DecodingLimits, watch: DecodingWatch
    ) throws(ImageCodecError) -> Animation? {
      guard isAnimated else { return nil }
      return Animation(frames: try JPEGXLFrames(self, file, limits: limits, watch: watch), plays: plays)
    }
  #endif

  fileprivate func checkLimits(_ limits: DecodingLimits, keepsDepth: Bool) throws(ImageCodecError) {
    try limits.checkFrame(size, bytesPerPixel: pixelFormat(keepsDepth: keepsDepth).bytesPerPixel)
    try limits.checkWork(byteCount: Cost.bytes(size, each: Double(workingBytesPerPixel)))
  }

  /// As measured. Blocks are decoded in groups. Other images are in memory as a whole, several times as numbers of four bytes, and so
  /// are earlier frames.
  private var workingBytesPerPixel: Int {
    if isOneFrameOfBlocks { return 6 }
    return (hasAlpha ? 44 : 32) + (isAnimated ? 48 : 0)
  }

  fileprivate func pixelFormat(keepsDepth: Bool) -> Image.PixelFormat {
    let narrow: Image.PixelFormat = hasAlpha ? .rgba8 : isGray ? .gray8 : .rgb8
    return narrow.of(bits: keepsDepth && bits > 8 ? 16 : 8)
  }

  fileprivate func canvas(keepsDepth: Bool) throws(ImageCodecError) -> Image {
    try Image(width: size.width, height: size.height, pixelFormat: pixelFormat(keepsDepth: keepsDepth))
  }
}

#if CODECS_JPEGXL
  /// The frames of a JPEG XL, each of which libjxl composes.
  private final class JPEGXLFrames: FrameSource {
    private let header: JPEGXLHeader
    private let file: FrameFile
    private let watch: DecodingWatch
    private let reader: JPEGXLReader

    init(
      _ header: JPEGXLHeader, _ file: FrameFile, limits: DecodingLimits, watch: DecodingWatch
    ) throws(ImageCodecError) {
      try header.checkLimits(limits, keepsDepth: false)
      (self.header, self.file, self.watch) = (header, file, watch)
      reader = try JPEGXLReader(header, file.view, isStrict: true, limits: limits, watch: watch)
    }

    func next() throws(ImageCodecError) -> AnimationFrame? {
      var image = try header.canvas(keepsDepth: false)
      let status = try reader.next(&image)
      try reader.check(status.code)
      guard status.exists else { return nil }
      if header.isGray, let gray = ICCProfile.ofGray(reader.profile, image.pixelFormat) {
        image = try image.convertedToSRGB(gray: gray, watch: watch)
      }
      return AnimationFrame(
        image: image, duration: AnimationFrame.duration(milliseconds: Int(status.milliseconds)))
    }
  }

  /// A decoder of libjxl. The bytes have to outlive it.
  private final class JPEGXLReader {
    private let header: JPEGXLHeader
    private let limits: DecodingLimits
    private let watch: DecodingWatch
    private let reader: OpaquePointer

    init(
      _ header: JPEGXLHeader, _ bytes: ByteView, isStrict: Bool, limits: DecodingLimits, watch: DecodingWatch
    ) throws(ImageCodecError) {
      (self.header, self.limits, self.watch) = (header, limits, watch)
      // The watch outlives the reader, which holds a pointer to it.
      reader = try watch.reading(isStrict: isStrict, limits: limits) { options throws(ImageCodecError) in
        guard let reader = codec_jxl_reader_create(bytes.start, bytes.count, &options) else {
          throw .outOfMemory
        }
        return reader
      }
    }

    deinit { codec_jxl_reader_destroy(reader) }

    /// Draws the next frame, and names the color space of its pixels.
    func next(
      _ image: inout Image
    ) throws(ImageCodecError) -> (code: CodecStatus, exists: Bool, milliseconds: Int64) {
      var frame = CodecJXLFrame()
      frame.width = UInt32(image.width)
      frame.height = UInt32(image.height)
      frame.channels = UInt32(image.pixelFormat.channelCount)
      frame.isWide = image.pixelFormat.isWide
      let code = try image.withUnsafeMutableBytes { pixels in
        frame.pixels = pixels.bytes
        frame.byteCount = pixels.count
        return codec_jxl_reader_next(reader, &frame)
      }
      let profile = profile
      image.colorSpace = .label(
        profile: profile, pixelFormat: image.pixelFormat, otherwise: profile == nil ? .sRGB : .untagged)
      return (code, frame.exists, frame.milliseconds)
    }

    /// The profile of the pixels; `nil` for sRGB, and before the first frame.
    var profile: [UInt8]? {
      var count = 0
      let profile = codec_jxl_reader_profile(reader, &count)
      return profile.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
    }

    func check(_ status: CodecStatus) throws(ImageCodecError) {
      let isRefused = status == .corrupt || status == .truncated && header.hasLongBoxes
      if isRefused, let newFeature = header.newFeature {
        let version = codec_jxl_version()
        throw .unsupported(
          newFeature, by: "libjxl \(version / 1_000_000).\(version / 1_000 % 1_000).\(version % 1_000)")
      }
      try status.check(codec_jxl_reader_message(reader), limits: limits, watch: watch)
    }
  }
#endif

extension ImageDecoder {
  /// Returns the JPEG that a JPEG XL was made of without loss, byte for byte; `nil` if it was made of pixels.
  ///
  /// Throws ``ImageCodecError/limitExceeded(_:)`` for a JPEG above ``DecodingLimits/maximumEncodedBytes``, and
  /// ``ImageCodecError/unsupportedFormat(_:)`` for other formats and without the package trait. Runs in the program, on the calling
  /// thread.
  public static func originalJPEG(
    of bytes: UnsafeRawBufferPointer, limits: DecodingLimits = .default,
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> [UInt8]? {
    try limits.checkFile(byteCount: bytes.count)
    let header = try ImageCodec.header(of: ByteView(bytes))
    guard header.info.format == .jpegXL else { throw .unsupportedFormat(header.info.format) }
    #if CODECS_JPEGXL
      guard let header = header as? JPEGXLHeader, header.holdsJPEG else { return nil }
      try limits.checkStored(header.info, byteCount: bytes.count)
      try header.checkLimits(limits, keepsDepth: false)
      let watch = DecodingWatch(deadline: limits.deadline, isCancelled: isCancelled)
      var output: UnsafeMutablePointer<UInt8>?
      var count = 0
      defer { codec_free(output) }
      let status = try watch.reading(isStrict: true, limits: limits) {
        options throws(ImageCodecError) -> CodecStatus in
        codec_jxl_read_jpeg(
          bytes.bytes, bytes.count, &options, limits.maximumEncodedBytes, &output, &count)
      }
      switch status {
      case .unsupported: return nil
      case .tooMuchMemory: throw .limitExceeded(.encodedBytes(limits.maximumEncodedBytes))
      default: try status.check("libjxl cannot make the JPEG", limits: limits, watch: watch)
      }
      return Array(UnsafeBufferPointer(start: output, count: count))
    #else
      throw .unsupportedFormat(.jpegXL)
    #endif
  }

  /// The same for an array, `Data`, or any other collection of bytes.
  public static func originalJPEG(
    of bytes: some Collection<UInt8>, limits: DecodingLimits = .default
  ) throws(ImageCodecError) -> [UInt8]? {
    try bytes.withBytes { buffer throws(ImageCodecError) in try originalJPEG(of: buffer, limits: limits) }
  }
}
