import CCodecs

extension Image {
  /// Returns the image rotated clockwise about its center.
  ///
  /// Multiples of 90 degrees move pixels without changing them. For other angles, the result is large enough for the
  /// whole image, has transparent corners, and is interpolated, weighted by alpha.
  ///
  /// Throws ``ImageCodecError/invalidSetting(_:)`` for angles that are not finite, and
  /// ``ImageCodecError/tooLarge(width:height:limit:)`` if the result of another angle would exceed `limits`.
  public func turned(
    degrees: Double, limits: DecodingLimits = .default, isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    guard degrees.isFinite else { throw .invalidSetting("an angle of \(degrees)") }
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let angle = rest < 0 ? rest + 360 : rest
    switch angle {
    case 0, 360: return self
    case 90: return try oriented(.right)
    case 180: return try oriented(.down)
    case 270: return try oriented(.left)
    default: break
    }
    var turn = CodecTurn(width: width, height: height, turnedWidth: 0, turnedHeight: 0, degrees: angle)
    codec_turned_size(&turn)
    let turnedSize = PixelSize(width: max(turn.turnedWidth, 1), height: max(turn.turnedHeight, 1))
    try limits.checkFrame(turnedSize, bytesPerPixel: 4)

    let watch = DecodingWatch(deadline: limits.deadline, isCancelled: isCancelled)
    let source = try withAlpha()
    var result = try blank(width: turnedSize.width, height: turnedSize.height, pixelFormat: .rgba8)
    try result.withUnsafeMutableBytes { destination throws(ImageCodecError) in
      try source.withUnsafeBytes { source throws(ImageCodecError) in
        try watch.running { shouldContinue, context throws(ImageCodecError) in
          codec_turn(&turn, source.bytes, destination.bytes, shouldContinue, context)
        }
      }
    }
    return result
  }

  /// Returns the image mirrored horizontally, vertically, or both.
  public func flipped(horizontally: Bool, vertically: Bool) throws(ImageCodecError) -> Image {
    switch (horizontally, vertically) {
    case (false, false): self
    case (true, false): try oriented(.upMirrored)
    case (false, true): try oriented(.downMirrored)
    case (true, true): try oriented(.down)
    }
  }
}
