extension ImageDecoder {
  /// Returns the peak memory of decoding in bytes, without the file itself. Reads only the header.
  ///
  /// An upper bound of what the libraries use, to within a few megabytes. Throws the errors of decoding the header,
  /// but checks no limits.
  public static func byteCost(
    of bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions()
  ) throws(ImageCodecError) -> Int {
    let header = try EncodedImageHeader(ByteView(bytes))
    let target = options.target ?? header.reducedTarget(within: options.limits)
    let resize = try storedResize(header.info, target: target)
    let decoded = header.decodingCost(resize, options)
    // While the decoded pixels are in memory, a resized or an upright copy of them is made.
    let isTurned = header.info.orientation != .up
    let copies = (resize.changesNothing ? 0 : 1) + (isTurned ? 1 : 0)
    return Cost.sum(decoded, Cost.bytes(resize.size, each: (options.keepsDepth ? 8 : 4) * Double(copies)))
  }

  /// The same for an array, `Data`, or any other collection of bytes.
  public static func byteCost(
    of bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(ImageCodecError) -> Int {
    try bytes.withBytes { buffer throws(ImageCodecError) in try byteCost(of: buffer, options: options) }
  }
}

/// Products of bytes that may overflow, because a header can claim anything.
private enum Cost {
  static func bytes(_ size: PixelSize, each: Double) -> Int {
    let product = Double(size.width) * Double(size.height) * each
    return product < 1e18 ? Int(product) : .max
  }

  static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, overflows) = first.addingReportingOverflow(second)
    return overflows ? .max : sum
  }
}

extension EncodedImageHeader {
  /// The decoded pixels, and the memory of the library.
  fileprivate func decodingCost(_ resize: ResizePlan, _ options: DecodingOptions) -> Int {
    let size = info.storedSize
    let keepsDepth = options.keepsDepth
    switch self {
    case .jpeg(let header):
      let eighths = header.eighths(for: resize, within: options.limits)
      let reduced = PixelSize(
        width: size.width / 8 * eighths + eighths, height: size.height / 8 * eighths + eighths)
      return Cost.sum(
        Cost.bytes(reduced, each: 3),
        Cost.bytes(size, each: header.isProgressive ? header.coefficientBytes : 0))
    case .png(let header):
      return Cost.bytes(size, each: Double(header.bytesPerPixel(keepsDepth: keepsDepth)))
    case .webp(let header):
      // Three bytes by rows. Otherwise libwebp has its own frame, and animations have a canvas.
      return header.isDecodedByRows
        ? Cost.bytes(resize.reducedSize(within: options.limits), each: 3)
        : Cost.bytes(size, each: header.isAnimated ? 12 : 8)
    case .gif:
      // The canvas; for an opaque image, also a copy without alpha.
      return Cost.bytes(size, each: 7)
    case .boxes(let header):
      return Cost.sum(header.decodingCost, keepsDepth ? Cost.bytes(size, each: 8) : 0)
    case .tiff(let header):
      // Everything may be in one strip of stored samples, and an opaque image is copied at the end.
      let stored = Double(header.bytesPerStoredPixel)
      return Cost.bytes(
        size, each: header.plainFormat == nil ? 7 + stored : 4 + stored * (keepsDepth ? 2 : 1))
    case .bmp(let header):
      return Cost.bytes(size, each: header.info.hasAlpha ? 4 : 3)
    case .ico:
      return Cost.bytes(size, each: 12)
    }
  }
}

extension BoxesHeader {
  /// The pixels, three color planes and alpha with one or two bytes per sample in the decoder and in its library, and
  /// for HEIC an interleaved copy.
  fileprivate var decodingCost: Int {
    let depth: Double = info.bitsPerComponent > 8 ? 2 : 1
    let planes: Double = info.hasAlpha ? 4 : 3
    let pixels: Double = info.hasAlpha ? 4 : 3
    let copies: Double = format == .heic ? 2 : 1
    return Cost.bytes(size, each: pixels * copies + planes * depth * 2)
  }
}
