import CCodecs

/// Decodes GIF with giflib: the first frame on its canvas.
struct GIFDecoder {
  let header: GIFHeader
  let job: DecodingJob

  func decode() throws(ImageCodecError) -> StoredImage {
    if job.isStrict, !header.isComplete { throw .truncated }
    try job.limits.checkFrame(header.size, bytesPerPixel: 4)
    return try job.watch.reading(isStrict: job.isStrict, limits: job.limits) {
      options throws(ImageCodecError) -> StoredImage in
      guard let reader = codec_gif_reader_create(job.bytes.start, job.bytes.count, &options) else {
        throw .outOfMemory
      }
      defer { codec_gif_reader_destroy(reader) }
      return try decode(with: reader)
    }
  }

  private func decode(with reader: OpaquePointer) throws(ImageCodecError) -> StoredImage {
    try check(
      codec_gif_reader_read_header(reader, UInt32(header.size.width), UInt32(header.size.height)), reader)
    var canvas = try Image(width: header.size.width, height: header.size.height, pixelFormat: .rgba8)
    var frame = CodecGIFFrame()
    let status = try canvas.withUnsafeMutableBytes { codec_gif_reader_next(reader, $0.bytes, &frame) }
    let isDamaged = !job.isStrict && (status == .truncated || status == .corrupt)
    if !isDamaged {
      try check(status, reader)
      guard frame.exists else { throw .corrupt("no frame") }
    }
    let isOpaque = !header.info.hasAlpha && status == .done
    return StoredImage(
      image: isOpaque ? try canvas.opaque() : canvas, resize: job.resize, isComplete: status == .done)
  }

  private func check(_ status: CodecStatus, _ reader: OpaquePointer) throws(ImageCodecError) {
    try status.check(codec_gif_reader_message(reader), limits: job.limits, watch: job.watch)
  }
}
