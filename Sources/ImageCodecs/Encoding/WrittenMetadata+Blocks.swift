import CCodecs

extension WrittenMetadata {
  /// Calls `body` with the blocks as a library takes them.
  func withBlocks<Value>(
    profile: [UInt8], _ body: (CodecMetadata) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    // One after the other, so that one pointer is enough.
    let (exif, xmp) = (exif ?? [], xmp?.serialized ?? [])
    return try (profile + exif + xmp).withBytes { bytes throws(ImageCodecError) in
      let start = bytes.bytes
      return try body(
        CodecMetadata(
          profile: start, profileCount: profile.count, exif: start.map { $0 + profile.count },
          exifCount: exif.count, xmp: start.map { $0 + profile.count + exif.count }, xmpCount: xmp.count))
    }
  }
}
