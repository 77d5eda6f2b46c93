/// The header of a BMP file.
struct BMPHeader {
  let bitmap: BitmapHeader
  /// The offset of the pixels.
  let start: Int

  init(_ bytes: ByteView) throws(ImageCodecError) {
    guard let start = bytes.little(10, count: 4) else { throw .truncated }
    bitmap = try BitmapHeader(bytes, at: 14)
    // Some programs leave it out, and the pixels follow.
    self.start = start == 0 ? bitmap.end : start
    guard self.start >= 14 else { throw .corrupt("pixels within the header") }
  }

  var info: ImageInfo { ImageInfo(format: .bmp, storedSize: bitmap.size, hasAlpha: bitmap.hasAlpha) }
}
