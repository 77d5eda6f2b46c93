import CCodecs

extension ImageEncoder {
  static func encodePNG(_ image: Image) throws(ImageCodecError) -> [UInt8] {
    guard let writer = codec_png_writer_create() else { throw .outOfMemory }
    defer { codec_png_writer_destroy(writer) }
    let profile = image.colorSpace.profile?.bytes ?? []
    let status = profile.withUnsafeBufferPointer { profile in
      var options = CodecPNGWriterOptions(
        width: UInt32(image.width), height: UInt32(image.height),
        channels: UInt32(image.pixelFormat.channelCount), bits: UInt32(image.pixelFormat.bitsPerChannel),
        isSRGB: image.colorSpace == .sRGB,
        profile: profile.baseAddress, profileCount: profile.count)
      return image.withUnsafeBytes { pixels in
        codec_png_writer_write(writer, &options, pixels.bytes, image.bytesPerRow)
      }
    }
    try status.checkWriting(codec_png_writer_message(writer))
    var count = 0
    let output = codec_png_writer_output(writer, &count)
    return Array(UnsafeBufferPointer(start: output, count: count))
  }
}
