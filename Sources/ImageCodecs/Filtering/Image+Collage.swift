extension Image {
  /// Returns a collage: rows of tiles, each filled by an image that is cropped evenly.
  ///
  /// There are about as many rows as tiles in a row. If the number of images is not a multiple, the last rows have
  /// fewer and wider tiles. Small images are enlarged. Tiles are in sRGB. Without images, the result is transparent.
  ///
  /// Images for which there is no pixel are left out. Throws ``ImageCodecError/tooLarge(width:height:limit:)`` if the result
  /// would exceed `limits`.
  public static func collage(
    images: [Image], size: PixelSize, limits: DecodingLimits = .default,
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    let isOpaque = !images.isEmpty && images.allSatisfy { !$0.pixelFormat.hasAlpha }
    let pixelFormat: PixelFormat = isOpaque ? .rgb8 : .rgba8
    var result = try Image(checking: size, pixelFormat, limits)
    for (image, tile) in zip(images, Tile.grid(count: images.count, size: size)) {
      let target = ResizeTarget(
        width: Double(tile.columns.count), height: Double(tile.rows.count), crops: true, upscales: true)
      let colored = try image.convertedToSRGB(isCancelled: isCancelled).colored()
      let whole = isOpaque ? colored : try colored.withAlpha()
      try result.paste(
        try whole.resized(to: target, limits: limits, isCancelled: isCancelled), x: tile.columns.lowerBound,
        y: tile.rows.lowerBound)
    }
    return result
  }

  private init(
    checking size: PixelSize, _ pixelFormat: PixelFormat, _ limits: DecodingLimits
  ) throws(ImageCodecError) {
    guard size.width > 0, size.height > 0 else { throw .invalidSize("\(size) pixels") }
    try limits.checkFrame(size, bytesPerPixel: pixelFormat.bytesPerPixel)
    try self.init(width: size.width, height: size.height, pixelFormat: pixelFormat)
  }

  /// Overwrites a part. The tile has the same pixel format and is inside the image.
  mutating func paste(_ tile: Image, x: Int, y: Int) throws(ImageCodecError) {
    let start = y * bytesPerRow + x * pixelFormat.bytesPerPixel
    let step = bytesPerRow
    try withUnsafeMutableBytes { destination in
      tile.withUnsafeBytes { source in
        for row in 0..<tile.height {
          let line = UnsafeRawBufferPointer(
            rebasing: source[row * tile.bytesPerRow..<(row + 1) * tile.bytesPerRow])
          UnsafeMutableRawBufferPointer(
            rebasing: destination[start + row * step..<start + row * step + line.count]
          ).copyMemory(from: line)
        }
      }
    }
  }
}

/// The position of an image in a collage.
private struct Tile {
  let columns: Range<Int>
  let rows: Range<Int>

  /// Tiles of at least a pixel that cover everything. There may be fewer than images.
  static func grid(count: Int, size: PixelSize) -> [Tile] {
    let rows = max((1...max(count, 1)).last { $0 * ($0 - 1) < count } ?? 1, 1)
    return (0..<min(rows, size.height)).flatMap { row -> [Tile] in
      // The first rows have one tile more if the number is not a multiple.
      let tiles = count / rows + (row < count % rows ? 1 : 0)
      let lines = part(row, of: min(rows, size.height), in: size.height)
      return (0..<min(tiles, size.width)).map { column in
        Tile(columns: part(column, of: min(tiles, size.width), in: size.width), rows: lines)
      }
    }
  }

  private static func part(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
    length * index / count..<length * (index + 1) / count
  }
}
