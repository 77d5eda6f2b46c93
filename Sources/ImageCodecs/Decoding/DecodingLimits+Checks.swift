extension DecodingLimits {
  private static let smallEnoughForAnyRatio = 10_000_000

  func checkFile(byteCount: Int) throws(ImageCodecError) {
    guard byteCount <= maximumEncodedBytes else { throw .limitExceeded(.encodedBytes(maximumEncodedBytes)) }
  }

  /// Checks the values in the header, whatever size is decoded.
  func checkStored(_ info: ImageInfo, byteCount: Int) throws(ImageCodecError) {
    let side = min(maximumSide, info.format.codec.maximumSide)
    guard info.storedSize.width <= side, info.storedSize.height <= side else {
      throw tooLarge(info.storedSize, .side(side))
    }
    guard let pixels = info.storedSize.pixelCount else {
      throw tooLarge(info.storedSize, .pixels(maximumPixels))
    }
    let isBomb =
      pixels > DecodingLimits.smallEnoughForAnyRatio && pixels / max(byteCount, 1) > maximumPixelsPerByte
    guard !isBomb else { throw tooLarge(info.storedSize, .pixelsPerByte(maximumPixelsPerByte)) }
  }

  /// Checks the pixels that are in memory at the same time.
  func checkFrame(_ size: PixelSize, bytesPerPixel: Int) throws(ImageCodecError) {
    guard let pixels = size.pixelCount, pixels <= maximumPixels else {
      throw tooLarge(size, .pixels(maximumPixels))
    }
    let (bytes, overflows) = pixels.multipliedReportingOverflow(by: bytesPerPixel)
    guard !overflows, bytes <= maximumDecodedBytes else { throw tooLarge(size, .bytes(maximumDecodedBytes)) }
  }

  func checkWork(byteCount: Int) throws(ImageCodecError) {
    guard byteCount <= maximumWorkingBytes else { throw .limitExceeded(.workingBytes(maximumWorkingBytes)) }
  }

  private func tooLarge(_ size: PixelSize, _ limit: Size) -> ImageCodecError {
    .tooLarge(width: size.width, height: size.height, limit: limit)
  }
}
