extension ImageDecoder {
  /// Decodes a file, and if it ends early and that may be accepted, once more what there is.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions, isStrict: Bool, watch: DecodingWatch
  ) throws(ImageCodecError) -> AvailableImage {
    do throws(ImageCodecError) {
      return try readOnce(bytes, options: options, isStrict: isStrict, watch: watch)
    } catch {
      guard isStrict, options.limits.incomplete.mayAccept(error), !isOfBoxes(bytes) else { throw error }
      let part: AvailableImage
      do throws(ImageCodecError) {
        part = try readOnce(bytes, options: options, isStrict: false, watch: watch)
      } catch let second {
        throw watch.interruption == nil ? error : second
      }
      guard part.isComplete || options.limits.incomplete == .acceptAnyPixels else { throw error }
      return part
    }
  }

  /// Whether it is an AVIF or a HEIC, of which no part can be shown.
  private static func isOfBoxes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    ImageFormat(sniffing: bytes.prefix(ImageFormat.sniffingLength))?.isOfBoxes ?? false
  }

  /// bytes ─▶ header ─▶ limits ─▶ pixels as stored ─▶ resized ─▶ in sRGB ─▶ upright
  private static func readOnce(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions, isStrict: Bool, watch: DecodingWatch
  ) throws(ImageCodecError) -> AvailableImage {
    let limits = options.limits
    try limits.checkFile(byteCount: bytes.count)
    let header = try EncodedImageHeader(ByteView(bytes))
    try limits.checkStored(header.info, byteCount: bytes.count)
    try watch.check()
    let target = options.target ?? header.reducedTarget(within: limits)

    let stored: StoredImage
    if let thumbnail = try embeddedThumbnail(of: header, options: options, watch: watch) {
      stored = thumbnail
    } else {
      let job = DecodingJob(
        bytes: ByteView(bytes), resize: try storedResize(header.info, target: target),
        limits: limits, keepsDepth: options.keepsDepth, isStrict: isStrict, watch: watch)
      stored = try header.decode(job)
    }
    try watch.check()
    return try finish(stored, header.info, options: options, watch: watch)
  }

  /// pixels as stored ─▶ resized ─▶ in sRGB ─▶ upright
  static func finish(
    _ stored: StoredImage, _ info: ImageInfo, options: DecodingOptions, watch: DecodingWatch
  ) throws(ImageCodecError) -> AvailableImage {
    var image = try stored.image.resampled(stored.resize, limits: options.limits, watch: watch)
    try watch.check()
    if options.colors == .sRGB { image = try image.convertedToSRGB(watch: watch) }
    image = try image.oriented(info.orientation)
    image.scale = options.scale
    return AvailableImage(image: image, isComplete: stored.isComplete)
  }

  /// The target is upright, and the stored pixels may not be. Centered crops are the same from every side, so swapping
  /// the sides is enough.
  static func storedResize(
    _ info: ImageInfo, target: ResizeTarget?
  ) throws(ImageCodecError) -> ResizePlan {
    guard var target else { return ResizePlan(unchanged: info.storedSize) }
    target.upscales = false
    return try (info.orientation.swapsSides ? target.swapped : target).plan(for: info.storedSize)
  }
}

extension DecodingLimits.Incomplete {
  /// Whether a file with this error is accepted if enough of it can be decoded.
  fileprivate func mayAccept(_ error: ImageCodecError) -> Bool {
    switch (self, error) {
    case (.acceptAllPixels, .truncated), (.acceptAnyPixels, .truncated), (.acceptAnyPixels, .corrupt): true
    default: false
    }
  }
}

/// The input of a decoder.
struct DecodingJob {
  let bytes: ByteView
  /// How the stored pixels will be resized.
  let resize: ResizePlan
  let limits: DecodingLimits
  var keepsDepth = false
  let isStrict: Bool
  let watch: DecodingWatch
}

/// The output of a decoder: pixels that are not rotated yet, possibly reduced, and the remaining work.
struct StoredImage {
  var image: Image
  var resize: ResizePlan
  var isComplete: Bool
}

/// The header of a file that can be decoded.
enum EncodedImageHeader {
  case jpeg(JPEGHeader)
  case png(PNGHeader)
  case webp(WebPHeader)
  case gif(GIFHeader)
  case boxes(BoxesHeader)
  case tiff(TIFFHeader)
  case bmp(BMPHeader)
  case ico(ICOHeader)

  init(_ bytes: ByteView) throws(ImageCodecError) {
    let prefix = bytes.slice(0, count: min(bytes.count, ImageFormat.sniffingLength))?.array ?? []
    switch ImageFormat(sniffing: prefix) {
    case .jpeg: self = .jpeg(try JPEGHeader(bytes))
    case .png: self = .png(try PNGHeader(bytes))
    case .webp: self = .webp(try WebPHeader(bytes))
    case .gif: self = .gif(try GIFHeader(bytes))
    case .bmp: self = .bmp(try BMPHeader(bytes))
    case .ico: self = .ico(try ICOHeader(bytes))
    case .tiff where ImageDecoder.formats.contains(.tiff): self = .tiff(try TIFFHeader(bytes))
    case .some(let format) where format.isOfBoxes:
      self = .boxes(try BoxesHeader(bytes, format: format))
    case .some(let format): throw .unsupportedFormat(format)
    case .none: throw .notAnImage(ContentHint(sniffing: prefix))
    }
  }

  var info: ImageInfo {
    switch self {
    case .jpeg(let header): header.info
    case .png(let header): header.info
    case .webp(let header): header.info
    case .gif(let header): header.info
    case .boxes(let header): header.info
    case .tiff(let header): header.info
    case .bmp(let header): header.info
    case .ico(let header): header.info
    }
  }

  func decode(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    switch self {
    case .jpeg(let header): try JPEGDecoder(header: header, job: job).decode()
    case .png(let header): try PNGDecoder(header: header, job: job).decode()
    case .webp(let header): try WebPDecoder(header: header, job: job).decode()
    case .gif(let header): try GIFDecoder(header: header, job: job).decode()
    case .boxes(let header): try BoxesDecoder(header: header, job: job).decode()
    case .tiff(let header): try TIFFDecoder(header: header, job: job).decode()
    case .bmp(let header): try BMPDecoder(header: header, job: job).decode()
    case .ico(let header): try ICODecoder(header: header, job: job).decode()
    }
  }
}

extension ImageFormat {
  /// Whether it is made of boxes, and its library is part of this build.
  fileprivate var isOfBoxes: Bool { (self == .avif || self == .heic) && ImageDecoder.formats.contains(self) }
}
