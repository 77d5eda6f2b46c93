/// The size at which an image is decoded before it is resized, if its format can be decoded at a reduced size.
///
/// Decoders average roughly. The remaining factor for the resampler determines how close the result is to resizing
/// all pixels: of photos, at least 45 dB with the reserves below. Of patterns whose edges are one pixel wide it is less.
extension ResizePlan {
  /// The factor by which decoded pixels exceed the result, at least, on each side.
  ///
  /// Large images from cameras are less sharp per pixel than those that were made small for the web.
  private var reserve: Double { isFromCamera ? 1.5 : isSmall ? 3 : 2 }

  private var isFromCamera: Bool { source.pixelCount ?? .max >= 4_000_000 }

  private var isSmall: Bool { source.pixelCount ?? .max < 1_000_000 }

  /// The scale at which a JPEG is decoded, in eighths: the smallest one with reserve. If that exceeds the limits, the
  /// largest one that does not, as long as there is a pixel for every pixel of the result.
  ///
  /// `coefficientBytes` is the memory of libjpeg per pixel of a progressive file, if all of it is read.
  package func eighths(within limits: DecodingLimits, coefficientBytes: Double) -> Int {
    let least = leastEighths
    // libjpeg is slower at the scales in between than at the next larger one.
    let wanted = [1, 2, 4].first { $0 >= least && leaves(reserve, at: $0) } ?? 8
    return (least...wanted).last { eighths in
      // Chroma has half of the pixels on each side, so twice as many rows and columns are kept of a block.
      let kept = Double(min(eighths * 2, 8)) / 8
      let work = Double(source.width) * Double(source.height) * coefficientBytes * kept * kept
      return limits.allow(source.reduced(toEighths: eighths)) && work <= Double(limits.maximumWorkingBytes)
    } ?? least
  }

  /// The smallest scale of libjpeg with a pixel for every pixel of the result. Its sizes are rounded up, so one is
  /// subtracted.
  private var leastEighths: Int {
    if light == .linear || changesNothing { return 8 }
    return (1...7).first {
      width * Double($0) / 8 > Double(size.width - 1) && height * Double($0) / 8 > Double(size.height - 1)
    } ?? 8
  }

  private func leaves(_ reserve: Double, at eighths: Int) -> Bool {
    width * Double(eighths) / 8 >= Double(size.width) * reserve
      && height * Double(eighths) / 8 >= Double(size.height) * reserve
  }

  /// The size at which libwebp decodes. Small images are decoded at full size, because its averaging is rougher than
  /// that of libjpeg. Others, or if that exceeds the limits, at twice the size of the result.
  package func reducedSize(within limits: DecodingLimits) -> PixelSize {
    guard scale <= 0.5, light == .encoded, isFromCamera || !limits.allow(source) else { return source }
    return PixelSize(
      width: Int((Double(source.width) * scale * 2).rounded(.up)),
      height: Int((Double(source.height) * scale * 2).rounded(.up)))
  }
}

extension JPEGHeader {
  /// The scale at which it is decoded, in eighths.
  func eighths(for plan: ResizePlan, within limits: DecodingLimits) -> Int {
    plan.eighths(within: limits, coefficientBytes: isProgressive ? coefficientBytes : 0)
  }
}

extension PixelSize {
  /// The size of libjpeg's output at a scale.
  package func reduced(toEighths eighths: Int) -> PixelSize {
    PixelSize(width: (width * eighths + 7) / 8, height: (height * eighths + 7) / 8)
  }
}

extension DecodingLimits {
  /// Whether an image of this size with three channels is within the limits.
  func allow(_ size: PixelSize) -> Bool { (try? checkFrame(size, bytesPerPixel: 3)) != nil }
}
