/// At which size a picture is decoded before it is resized, where its format can be decoded small.
///
/// Decoders average roughly. What they leave to the resampler decides how close the result is to resizing all pixels:
/// at least 45 dB with the reserves below, and 27 dB without.
extension ResizePlan {
  /// How many times the pixels wanted are decoded, at least, on each side.
  ///
  /// Pictures as large as those of cameras are less sharp, pixel by pixel, than those that were made small for the web.
  private var reserve: Double { isFromCamera ? 1.5 : isSmall ? 3 : 2 }

  private var isFromCamera: Bool { source.pixelCount ?? .max >= 4_000_000 }

  private var isSmall: Bool { source.pixelCount ?? .max < 1_000_000 }

  /// The scale at which a JPEG is decoded, in eighths: the smallest with reserve. If that exceeds the limits, the largest
  /// one that does not, as long as it leaves a pixel for every pixel wanted.
  ///
  /// `coefficientBytes` is what libjpeg keeps of each pixel of a progressive file, if all of it is read.
  package func eighths(within limits: DecodingLimits, coefficientBytes: Double) -> Int {
    let least = leastEighths
    // The scales between these take libjpeg longer than the next larger one.
    let wanted = [1, 2, 4].first { $0 >= least && leaves(reserve, at: $0) } ?? 8
    return (least...max(wanted, least)).last { eighths in
      // Of colors, which have half of the pixels on each side, twice as many rows and columns are kept of a block.
      let kept = Double(min(eighths * 2, 8)) / 8
      let work = Double(source.width) * Double(source.height) * coefficientBytes * kept * kept
      return limits.allow(source.reduced(toEighths: eighths)) && work <= Double(limits.maximumWorkingBytes)
    } ?? least
  }

  /// The smallest of libjpeg's scales that leaves a pixel for every pixel wanted. Its sizes are rounded up, hence the
  /// one that is let go.
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

  /// The size at which libwebp decodes: all pixels of a small picture, as its averaging is rougher than that of libjpeg;
  /// of others, or if they exceed the limits, twice those wanted.
  package func reducedSize(within limits: DecodingLimits) -> PixelSize {
    guard scale <= 0.5, light == .encoded, isFromCamera || !limits.allow(source) else { return source }
    return PixelSize(
      width: max(Int((Double(source.width) * scale * 2).rounded(.up)), 1),
      height: max(Int((Double(source.height) * scale * 2).rounded(.up)), 1))
  }
}

extension JPEGHeader {
  /// The scale at which it is decoded, in eighths.
  func eighths(for plan: ResizePlan, within limits: DecodingLimits) -> Int {
    plan.eighths(within: limits, coefficientBytes: isProgressive ? coefficientBytes : 0)
  }
}

extension PixelSize {
  /// As libjpeg decodes at a scale.
  package func reduced(toEighths eighths: Int) -> PixelSize {
    PixelSize(width: (width * eighths + 7) / 8, height: (height * eighths + 7) / 8)
  }
}

extension DecodingLimits {
  /// Whether pixels of three channels may be held at once.
  func allow(_ size: PixelSize) -> Bool { (try? checkFrame(size, bytesPerPixel: 3)) != nil }
}
