import CCodecs

extension ImageEncoder {
  static func encodeBoxes(
    _ image: Image, as format: ImageFormat, quality: Double, _ metadata: WrittenMetadata
  ) throws(ImageCodecError) -> [UInt8] {
    // A profile for gray does not describe RGB.
    let profile = image.pixelFormat == .gray8 ? [] : image.colorSpace.profile?.bytes ?? []
    return try metadata.withBlocks(profile: profile) { blocks throws(ImageCodecError) in
      try output { output, count, message in
        image.withUnsafeBytes { pixels in
          var encoding = CodecBoxesEncoding(
            width: UInt32(image.width), height: UInt32(image.height),
            channels: UInt32(image.pixelFormat.bytesPerPixel), quality: Float(quality), metadata: blocks)
          return BoxesLibrary(format)?
            .write(&encoding, pixels.bytes, image.bytesPerRow, output, count, message) ?? .unsupported
        }
      }
    }
  }

  /// What a library writes, which hands over its memory.
  static func output(
    _ write: (
      UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>,
      UnsafeMutablePointer<CChar>
    ) -> CodecStatus
  ) throws(ImageCodecError) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    var message = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
    defer { codec_free(output) }
    try write(&output, &count, &message).checkWriting(message)
    return Array(UnsafeBufferPointer(start: output, count: count))
  }
}
