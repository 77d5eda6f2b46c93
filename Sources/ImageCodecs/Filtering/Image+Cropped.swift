extension Image {
  /// Returns part of the image. Parts of the area outside of the image are ignored.
  ///
  /// Throws ``ImageCodecError/invalidSize(_:)`` if the area is empty, or outside as a whole.
  public func cropped(x: Int, y: Int, width: Int, height: Int) throws(ImageCodecError) -> Image {
    let columns = Image.overlap(x, width, with: self.width)
    let rows = Image.overlap(y, height, with: self.height)
    guard !columns.isEmpty, !rows.isEmpty else {
      throw .invalidSize("\(width) × \(height) pixels at \(x), \(y) of \(size)")
    }
    if columns.count == self.width, rows.count == self.height { return self }
    var result = try blank(width: columns.count, height: rows.count, pixelFormat: pixelFormat)
    let rowSize = result.bytesPerRow
    try result.withUnsafeMutableBytes { destination in
      withUnsafeBytes { source in
        for row in rows {
          let start = row * bytesPerRow + columns.lowerBound * pixelFormat.bytesPerPixel
          UnsafeMutableRawBufferPointer(
            rebasing: destination[(row - rows.lowerBound) * rowSize..<(row - rows.lowerBound + 1) * rowSize]
          ).copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + rowSize]))
        }
      }
    }
    result.gainMap = try gainMap?.cropped(columns, rows, of: size)
    return result
  }

  private static func overlap(_ start: Int, _ count: Int, with whole: Int) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let (end, overflows) = start.addingReportingOverflow(count)
    let lower = max(start, 0)
    return lower..<max(lower, overflows ? whole : min(end, whole))
  }
}
