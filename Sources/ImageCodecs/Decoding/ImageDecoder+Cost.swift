extension ImageDecoder {
  /// Estimates the peak memory of decoding in bytes, without the file itself, from the header.
  ///
  /// An upper bound of what the libraries use, to within a few megabytes. Throws the errors of decoding the header, and of an
  /// invalid target, but checks no limits.
  public static func byteCost(
    of bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions()
  ) throws(ImageCodecError) -> Int {
    let header = try ImageCodec.header(of: ByteView(bytes))
    let target = options.target ?? header.reducedTarget(within: options.limits)
    let resize = try storedResize(header.info, target: target)
    let decoded = header.decodingCost(resize, options)
    // While the decoded pixels are in memory, a resized or an upright copy of them is made.
    let isTurned = header.info.orientation != .up
    let copies = (resize.changesNothing ? 0 : 1) + (isTurned ? 1 : 0)
    let cost = Cost.sum(
      decoded, Cost.bytes(resize.size, each: (options.keepsDepth ? 8 : 4) * Double(copies)))
    guard options.keepsGainMap, let map = header.gainMap(in: ByteView(bytes))?.header else { return cost }
    // The image stays in memory while its map is decoded.
    let own = resize.forGainMap(of: map.info.storedSize)
    let mapCost = Cost.sum(map.decodingCost(own, options), Cost.bytes(own.size, each: 3 * Double(copies)))
    return max(cost, Cost.sum(Cost.bytes(resize.size, each: 4), mapCost))
  }

  /// The same for an array, `Data`, or any other collection of bytes.
  public static func byteCost(
    of bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(ImageCodecError) -> Int {
    try bytes.withBytes { buffer throws(ImageCodecError) in try byteCost(of: buffer, options: options) }
  }
}

/// Products of bytes that may overflow, because a header can claim anything.
enum Cost {
  static func bytes(_ size: PixelSize, each: Double) -> Int {
    let product = Double(size.width) * Double(size.height) * each
    return product < 1e18 ? Int(product) : .max
  }

  static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, overflows) = first.addingReportingOverflow(second)
    return overflows ? .max : sum
  }
}
