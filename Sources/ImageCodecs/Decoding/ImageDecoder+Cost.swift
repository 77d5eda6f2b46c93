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
      // A part that is cut out is copied, when the library has released its memory.
      let pixels = header.info.hasAlpha ? 4 : 3
      let each = header.workingBytesPerPixel + pixels + (keepsDepth ? 8 : 0)
      return Cost.bytes(header.codedSize, each: Double(each))
    case .tiff(let header):
      // Everything may be in one strip of stored samples, and what libtiff converts is copied at the end.
      let layout = header.layout
      let pixels = layout.pixelFormat(keepsDepth: keepsDepth).bytesPerPixel
      return Cost.bytes(
        size, each: Double((layout.colors == .converted ? 7 : pixels) + layout.bytesPerStoredPixel))
    case .bmp(let header):
      return Cost.bytes(size, each: header.info.hasAlpha ? 4 : 3)
    case .ico:
      return Cost.bytes(size, each: 12)
    }
  }
}
