extension ImageCodec {
  static let bmp = ImageCodec(
    extensions: ["bmp", "dib"], mimeTypes: ["image/bmp", "image/x-ms-bmp"], signatures: [Array("BM".utf8)],
    readHeader: BMPHeader.init)
}

/// The header of a BMP file, which is decoded without a library.
struct BMPHeader: EncodedImageHeader {
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

  func decode(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage {
    let reader = BitmapReader(
      header: bitmap, bytes: job.bytes, start: start, height: bitmap.size.height, job: job)
    let (image, isComplete) = try reader.read()
    return StoredImage(image: image, resize: job.resize, isComplete: isComplete)
  }

  func decodingCost(_ resize: ResizePlan, _ options: DecodingOptions) -> Int {
    Cost.bytes(bitmap.size, each: bitmap.hasAlpha ? 4 : 3)
  }
}
