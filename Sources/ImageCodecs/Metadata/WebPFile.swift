/// Builds a WebP container from chunks.
struct WebPFile {
  private var content: [UInt8] = Array("WEBP".utf8)

  init(
    size: PixelSize, hasAlpha: Bool, hasProfile: Bool = false, hasExif: Bool = false, hasXMP: Bool = false,
    isAnimated: Bool = false
  ) {
    let flags: [(isSet: Bool, bit: UInt8)] = [
      (hasProfile, 0x20), (hasAlpha, 0x10), (hasExif, 0x08), (hasXMP, 0x04), (isAnimated, 0x02),
    ]
    append(
      "VP8X",
      [UInt8](
        joining: [flags.reduce(0) { $0 | ($1.isSet ? $1.bit : 0) }, 0, 0, 0],
        WebPFile.little(size.width - 1, count: 3), WebPFile.little(size.height - 1, count: 3)))
  }

  mutating func append(_ type: String, _ payload: [UInt8]) {
    content += WebPFile.chunk(type, payload)
  }

  /// Whole chunks.
  mutating func append(chunks: [UInt8]) { content += chunks }

  /// The chunks of a file without those of its container.
  static func chunks(of file: [UInt8]) -> [UInt8] {
    file.withUnsafeBytes { buffer in
      var (position, chunks) = (12, [UInt8]())
      while let chunk = WebPChunk(ByteView(buffer), at: position, end: buffer.count) {
        if chunk.type != "VP8X" { chunks += WebPFile.chunk(chunk.type, chunk.payload.array) }
        position = chunk.end
      }
      return chunks
    }
  }

  static func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    [UInt8](
      joining: Array(type.utf8), little(payload.count, count: 4), payload, payload.count % 2 == 1 ? [0] : [])
  }

  var bytes: [UInt8] {
    [UInt8](joining: Array("RIFF".utf8), WebPFile.little(content.count, count: 4), content)
  }

  static func little(_ value: Int, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
