extension Image {
  /// Returns the image as squares of one color, the average of their pixels.
  ///
  /// Squares begin at the top left corner; those at the right and at the bottom can be cut. Colors are weighted by alpha.
  /// The result has eight bits per channel. A `side` of 1 changes nothing.
  ///
  /// Throws ``ImageCodecError/invalidSetting(_:)`` for a side below 1.
  public func pixelated(
    side: Int, isCancelled: () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    guard side >= 1 else { throw .invalidSetting("squares of \(side) pixels") }
    if side == 1 { return self }
    var result = try reducedTo8Bits()
    result.gainMap = nil
    let channels = result.pixelFormat.channelCount
    // A square of the image's size is the whole image.
    let side = min(side, max(width, height))
    try result.withUnsafeMutableBytes { bytes throws(ImageCodecError) in
      for top in stride(from: 0, to: height, by: side) {
        if isCancelled() { throw .cancelled }
        for left in stride(from: 0, to: width, by: side) {
          let square = PixelSquare(
            columns: left..<min(left + side, width), rows: top..<min(top + side, height), width: width,
            channels: channels)
          square.level(bytes)
        }
      }
    }
    return result
  }
}

/// A part of an image that becomes one color.
private struct PixelSquare {
  let columns: Range<Int>
  let rows: Range<Int>
  /// Of the image.
  let width: Int
  let channels: Int

  func level(_ bytes: UnsafeMutableRawBufferPointer) {
    var (sums, weight, count) = (SIMD4<UInt64>.zero, UInt64(0), UInt64(0))
    for row in rows {
      for column in columns {
        let start = (row * width + column) * channels
        let alpha = channels == 4 ? UInt64(bytes[start + 3]) : 255
        for channel in 0..<min(channels, 3) { sums[channel] += UInt64(bytes[start + channel]) * alpha }
        weight += alpha
        count += 1
      }
    }
    var color = SIMD4<UInt8>.zero
    for channel in 0..<3 where weight > 0 {
      color[channel] = UInt8((sums[channel] + weight / 2) / weight)
    }
    color[3] = UInt8((weight + count / 2) / count)
    for row in rows {
      for column in columns {
        let start = (row * width + column) * channels
        for channel in 0..<channels { bytes[start + channel] = color[channel] }
      }
    }
  }
}
