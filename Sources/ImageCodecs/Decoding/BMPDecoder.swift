extension ImageCodec {
  static let bmp = ImageCodec(
    extensions: ["bmp", "dib"], mimeTypes: ["image/bmp", "image/x-ms-bmp"], signatures: [Array("BM".utf8)],
    readHeader: BMPHeader.init)
}

/// Decodes BMP without a library.
extension BMPHeader: EncodedImageHeader {
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
