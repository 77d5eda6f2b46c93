import CCodecs

/// Writes a JPEG row by row, with memory for a few rows unless it is progressive, for images that are never in memory as a
/// whole.
///
/// ```swift
/// try JPEGWriter(width: 12_000, height: 9_000, pixelFormat: .rgb8).write { y, row in
///   paint(y, into: row)
/// } output: { bytes in
///   file.append(contentsOf: bytes)
/// }
/// ```
public struct JPEGWriter: Sendable {
  /// The width in pixels, at most 65,500.
  public var width: Int
  /// The height in pixels, at most 65,500.
  public var height: Int
  /// The format of the rows, with eight bits per channel. Transparent rows are blended over white.
  public var pixelFormat: Image.PixelFormat
  /// The quality, from 0 to 1.
  public var quality: Double
  /// Whether the file is progressive. Such a file is kept in memory until its last row was written.
  public var isProgressive: Bool
  /// The color space. A profile is written into the file.
  public var colorSpace: Image.ColorSpace

  /// Creates a writer. The settings are checked in ``write(row:output:)``.
  public init(
    width: Int, height: Int, pixelFormat: Image.PixelFormat, quality: Double = 0.85,
    isProgressive: Bool = false, colorSpace: Image.ColorSpace = .untagged
  ) {
    (self.width, self.height, self.pixelFormat) = (width, height, pixelFormat)
    (self.quality, self.isProgressive, self.colorSpace) = (quality, isProgressive, colorSpace)
  }

  /// Calls `row` to fill one row after the other, from the top, and passes the file to `output` in pieces.
  ///
  /// The buffer of a row has `width * bytesPerPixel` bytes and contains the previous row, at first zeros. Neither pointer is
  /// valid after its closure returns. Throws the errors of the closures, and ``ImageCodecError``.
  public func write(
    row: (_ y: Int, _ bytes: UnsafeMutableRawBufferPointer) throws -> Void,
    output: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let side = ImageCodec.jpeg.maximumSide
    guard (1...side).contains(width), (1...side).contains(height) else {
      throw ImageCodecError.encodingFailed(
        "\(width) × \(height) pixels in a format of at most \(side) a side")
    }
    guard !pixelFormat.isWide else {
      throw ImageCodecError.encodingFailed("\(pixelFormat) in a JPEG, which has 8 bits")
    }
    let percent = try ImageEncoder.percent(quality)
    guard let writer = codec_jpeg_writer_create() else { throw ImageCodecError.outOfMemory }
    defer { codec_jpeg_writer_destroy(writer) }
    try start(writer, percent: percent)

    var line = try Image(width: width, height: 1, pixelFormat: pixelFormat)
    for y in 0..<height {
      try fill(&line, y, row)
      let status = line.withUnsafeBytes { codec_jpeg_writer_write_row(writer, $0.bytes) }
      try status.checkWriting(codec_jpeg_writer_message(writer))
      try drain(writer, above: 32 * 1024, into: output)
    }
    try codec_jpeg_writer_finish(writer).checkWriting(codec_jpeg_writer_message(writer))
    try drain(writer, above: 0, into: output)
  }

  private func start(_ writer: OpaquePointer, percent: Double) throws(ImageCodecError) {
    let profile = colorSpace.profile?.bytes ?? []
    let status = profile.withUnsafeBufferPointer { profile in
      var options = CodecJPEGWriterOptions(
        width: UInt32(width), height: UInt32(height), channels: UInt32(pixelFormat.bytesPerPixel),
        quality: Int32(percent.rounded()), isProgressive: isProgressive, profile: profile.baseAddress,
        profileCount: profile.count)
      return codec_jpeg_writer_start(writer, &options)
    }
    try status.checkWriting(codec_jpeg_writer_message(writer))
  }

  private func fill(
    _ line: inout Image, _ y: Int, _ row: (Int, UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    var failure: (any Error)?
    try line.withUnsafeMutableBytes { bytes in
      do { try row(y, bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func drain(
    _ writer: OpaquePointer, above threshold: Int, into output: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var count = 0
    let bytes = codec_jpeg_writer_output(writer, &count)
    guard count > threshold else { return }
    try output(UnsafeRawBufferPointer(start: bytes, count: count))
    codec_jpeg_writer_discard_output(writer)
  }
}
