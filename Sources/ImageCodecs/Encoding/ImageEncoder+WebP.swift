import CCodecs

extension ImageEncoder {
  static func encodeWebP(
    _ image: Image, quality: Double, effort: Int, isLossless: Bool
  ) throws(ImageCodecError) -> [UInt8] {
    var encoding = CodecWebPEncoding(
      width: UInt32(image.width), height: UInt32(image.height),
      channels: UInt32(image.pixelFormat.bytesPerPixel), isLossless: isLossless, quality: Float(quality),
      effort: UInt32(effort))
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = image.withUnsafeBytes { pixels in
      codec_webp_write(&encoding, pixels.bytes, image.bytesPerRow, &output, &count)
    }
    try status.checkWriting("libwebp refuses the image")
    defer { codec_webp_free(output) }
    let file = Array(UnsafeBufferPointer(start: output, count: count))
    // A profile for gray does not describe RGB.
    guard let profile = image.colorSpace.profile, image.pixelFormat != .gray8 else { return file }
    return try adding(profile, to: file, of: image)
  }

  /// libwebp writes no profiles, so its chunks are copied into a container with one.
  private static func adding(
    _ profile: ICCProfile, to file: [UInt8], of image: Image
  ) throws(ImageCodecError) -> [UInt8] {
    var container = WebPFile(size: image.size, hasAlpha: image.pixelFormat.hasAlpha, hasProfile: true)
    container.append("ICCP", profile.bytes)
    file.withUnsafeBufferPointer { buffer in
      let bytes = ByteView(UnsafeRawBufferPointer(buffer))
      var position = 12
      while let chunk = WebPChunk(bytes, at: position, end: bytes.count) {
        if chunk.type != "VP8X" { container.append(chunk.type, chunk.payload.array) }
        position = chunk.end
      }
    }
    return container.bytes
  }
}
