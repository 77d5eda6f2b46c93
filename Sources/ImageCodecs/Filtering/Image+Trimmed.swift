extension Image {
  /// Returns the image without the rows and columns at its edges that have the color of its top left pixel.
  ///
  /// Transparent pixels have the same color. An image of one color is returned unchanged.
  ///
  /// Throws ``ImageCodecError/invalidSetting(_:)`` unless `tolerance` is from 0 to 1.
  ///
  /// - Parameter tolerance: How much a channel may differ, as a share of its range.
  /// - Complexity: O(pixels).
  public func trimmed(tolerance: Double = 0.04) throws(ImageCodecError) -> Image {
    guard (0...1).contains(tolerance) else { throw .invalidSetting("a tolerance of \(tolerance)") }
    let border = BorderColor(image: try reducedTo8Bits(), tolerance: Int(tolerance * 255))
    guard let area = border.contents else { return self }
    return try cropped(
      x: area.columns.lowerBound, y: area.rows.lowerBound, width: area.columns.count,
      height: area.rows.count)
  }
}

/// The color of the edges of an image, which has eight bits per channel.
private struct BorderColor {
  let image: Image
  let tolerance: Int

  /// The columns and rows from the first to the last pixel of another color, or `nil` if there is none.
  var contents: (columns: Range<Int>, rows: Range<Int>)? {
    image.withUnsafeBytes { bytes in
      var area: (columns: Range<Int>, rows: Range<Int>)?
      for row in 0..<image.height {
        guard let found = others(in: row, bytes) else { continue }
        let columns = area?.columns ?? found
        area = (
          columns: min(columns.lowerBound, found.lowerBound)..<max(columns.upperBound, found.upperBound),
          rows: (area?.rows.lowerBound ?? row)..<row + 1
        )
      }
      return area
    }
  }

  /// From the first to the last column of a row that has another color.
  private func others(in row: Int, _ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    let isOther = { column in
      differs(row * image.bytesPerRow + column * image.pixelFormat.bytesPerPixel, bytes)
    }
    guard let first = (0..<image.width).first(where: isOther),
      let last = (first..<image.width).last(where: isOther)
    else { return nil }
    return first..<last + 1
  }

  private func differs(_ start: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let channels = image.pixelFormat.channelCount
    if channels == 4, bytes[start + 3] == 0, bytes[3] == 0 { return false }
    return (0..<channels).contains { abs(Int(bytes[start + $0]) - Int(bytes[$0])) > tolerance }
  }
}
