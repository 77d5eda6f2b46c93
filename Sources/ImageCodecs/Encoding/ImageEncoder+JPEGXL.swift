import CCodecs

extension ImageEncoder {
  /// Returns a JPEG as a JPEG XL of about four fifths of its size, without any loss: ``ImageDecoder/originalJPEG(of:limits:)-(_,_)``
  /// returns the same bytes again.
  ///
  /// Throws ``ImageCodecError/encodingFailed(_:)`` for other bytes, for a JPEG that libjxl does not support, such as one with inks or
  /// arithmetic codes, and without the package trait `AllFormats` or `JPEGXL`. Runs synchronously. It parses the whole file, so
  /// limit the size of files of strangers.
  ///
  /// - Parameters:
  ///   - bytes: The JPEG, as it is in a file.
  ///   - effort: From 1 to 9. More takes longer, for slightly smaller files.
  public static func jpegXL(
    fromJPEG bytes: some Collection<UInt8>, effort: Int = 5
  ) throws(ImageCodecError) -> [UInt8] {
    guard ImageFormat(sniffing: bytes.prefix(ImageFormat.sniffingLength)) == .jpeg else {
      throw .encodingFailed("bytes that are not a JPEG")
    }
    try checkEffort(effort)
    #if CODECS_JPEGXL
      return try bytes.withBytes { buffer throws(ImageCodecError) in
        try output { output, count, message in
          codec_jxl_write_jpeg(buffer.bytes, buffer.count, Int32(effort), output, count, message)
        }
      }
    #else
      throw .encodingFailed("\(ImageFormat.jpegXL) is not part of this build")
    #endif
  }

  /// - Parameter quality: From 0 to 100; `nil` for no loss.
  static func encodeJPEGXL(
    _ image: Image, quality: Double?, effort: Int, _ metadata: WrittenMetadata
  ) throws(ImageCodecError) -> [UInt8] {
    try checkEffort(effort)
    #if CODECS_JPEGXL
      let profile = image.colorSpace.profile?.bytes ?? []
      return try metadata.withBlocks(profile: profile) { blocks throws(ImageCodecError) in
        try output { output, count, message in
          image.withUnsafeBytes { pixels in
            var encoding = CodecJXLEncoding(
              width: UInt32(image.width), height: UInt32(image.height),
              channels: UInt32(image.pixelFormat.channelCount), isWide: image.pixelFormat.isWide,
              distance: quality.map(distance) ?? 0, effort: Int32(effort), metadata: blocks)
            return codec_jxl_write(&encoding, pixels.bytes, pixels.count, output, count, message)
          }
        }
      }
    #else
      throw .encodingFailed("\(ImageFormat.jpegXL) is not part of this build")
    #endif
  }

  private static func checkEffort(_ effort: Int) throws(ImageCodecError) {
    guard (1...9).contains(effort) else { throw .encodingFailed("an effort of \(effort)") }
  }

  #if CODECS_JPEGXL
    /// The distance of libjxl for a quality as that of JPEG. Version 0.7 has no function for it, and its largest distance is 15.
    private static func distance(_ quality: Double) -> Float {
      let distance =
        quality >= 30
        ? 0.1 + (100 - quality) * 0.09 : 53.0 / 3_000 * quality * quality - 23.0 / 20 * quality + 25
      return Float(min(distance, 15))
    }
  #endif
}
