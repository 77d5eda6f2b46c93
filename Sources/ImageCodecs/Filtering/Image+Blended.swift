import CCodecs

extension Image {
  /// Returns the image with another one blended over it, whose top left corner is at `x`, `y`. Parts outside are cut
  /// off.
  ///
  /// Outside of the upper image, the source counts as transparent. The result has an alpha channel, unless this image
  /// has none and the mode cannot make it transparent.
  ///
  /// `opacity`, from 0 to 1, multiplies the alpha of the upper image. Throws ``ImageCodecError/invalidSetting(_:)`` for others.
  public func blended(
    with above: Image, atX x: Int = 0, y: Int = 0, mode: BlendMode = .normal, opacity: Double = 1
  ) throws(ImageCodecError) -> Image {
    guard abs(Double(x)) < 1e9, abs(Double(y)) < 1e9 else { throw .invalidSetting("an image at \(x), \(y)") }
    let above = try above.withAlpha()
    return try blended(mode: mode, opacity: opacity) { below in
      above.withUnsafeBytes { pixels in
        let first = BlendSource(columns: x..<x + above.width, start: pixels.bytes, step: 4)
        for row in 0..<height {
          let line = row - y
          let isCovered = line >= 0 && line < above.height
          let source = isCovered ? first.advanced(by: line * above.bytesPerRow) : .nothing
          blend(source, into: below, row: row, mode: mode, opacity: opacity)
        }
      }
    }
  }

  /// Returns the image with a color blended over all of it.
  public func blended(with color: Pixel, mode: BlendMode = .normal) throws(ImageCodecError) -> Image {
    let bytes = [color.red, color.green, color.blue, color.alpha]
    return try blended(mode: mode, opacity: 1) { below in
      bytes.withUnsafeBytes { pixels in
        let source = BlendSource(columns: 0..<width, start: pixels.bytes, step: 0)
        for row in 0..<height { blend(source, into: below, row: row, mode: mode, opacity: 1) }
      }
    }
  }

  private func blended(
    mode: BlendMode, opacity: Double, _ paint: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(ImageCodecError) -> Image {
    guard (0...1).contains(opacity) else { throw .invalidSetting("an opacity of \(opacity)") }
    var result = try withAlpha()
    result.gainMap = nil
    try result.withUnsafeMutableBytes { paint($0) }
    return pixelFormat.hasAlpha || mode.canCutOpaque ? result : try result.opaque()
  }

  private func blend(
    _ source: BlendSource, into below: UnsafeMutableRawBufferPointer, row: Int, mode: BlendMode,
    opacity: Double
  ) {
    let columns = source.columns.clamped(to: 0..<width)
    let line = below.bytes.map { $0 + row * width * 4 }
    if !columns.isEmpty {
      codec_blend(
        line.map { $0 + columns.lowerBound * 4 },
        source.start.map { $0 + (columns.lowerBound - source.columns.lowerBound) * source.step }, source.step,
        columns.count, mode.code, Float(opacity))
    }
    guard mode.reachesBeyondSource else { return }
    let nothing: [UInt8] = [0, 0, 0, 0]
    codec_blend(line, nothing, 0, columns.lowerBound, mode.code, 1)
    codec_blend(
      line.map { $0 + columns.upperBound * 4 }, nothing, 0, width - columns.upperBound, mode.code, 1)
  }
}

/// The source pixels of a row, and the columns that they cover.
private struct BlendSource {
  var columns: Range<Int>
  var start: UnsafePointer<UInt8>?
  /// Zero for a single color.
  var step: Int

  static var nothing: BlendSource { BlendSource(columns: 0..<0, start: nil, step: 0) }

  func advanced(by byteCount: Int) -> BlendSource {
    BlendSource(columns: columns, start: start.map { $0 + byteCount }, step: step)
  }
}
