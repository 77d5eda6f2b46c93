/// Decodes BMP without a library.
struct BMPDecoder {
  let header: BMPHeader
  let job: DecodingJob

  func decode() throws(ImageCodecError) -> StoredImage {
    let reader = BitmapReader(
      header: header.bitmap, bytes: job.bytes, start: header.start, height: header.bitmap.size.height,
      job: job)
    let (image, isComplete) = try reader.read()
    return StoredImage(image: image, resize: job.resize, isComplete: isComplete)
  }
}
