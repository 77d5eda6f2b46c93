/// A chunk of a WebP container.
struct WebPChunk {
  let type: String
  let payload: ByteView
  /// Includes the padding of odd lengths.
  let end: Int

  /// `nil` unless its header is available. The payload may be truncated.
  init?(_ bytes: ByteView, at position: Int, end limit: Int) {
    guard position + 8 <= limit, let name = bytes.slice(position, count: 4),
      let length = bytes.little(position + 4, count: 4),
      let payload = bytes.slice(position + 8, count: min(length, limit - position - 8))
    else { return nil }
    type = String(decoding: name.array, as: UTF8.self)
    self.payload = payload
    end = position + 8 + length + length % 2
  }
}

/// The size in the compressed data.
struct WebPBitstream {
  let size: PixelSize
  let hasAlpha: Bool
  let isLossless: Bool

  init(_ chunk: WebPChunk) throws(ImageCodecError) {
    isLossless = chunk.type == "VP8L"
    if isLossless {
      guard chunk.payload.byte(0) == 0x2F, let bits = chunk.payload.little(1, count: 4) else {
        throw .corrupt("a damaged lossless header")
      }
      size = PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
      hasAlpha = bits >> 28 & 1 == 1
    } else {
      guard chunk.payload.big(3, count: 3) == 0x9D012A, let width = chunk.payload.little(6, count: 2),
        let height = chunk.payload.little(8, count: 2)
      else { throw .corrupt("a damaged frame header") }
      size = PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
      hasAlpha = false
    }
  }
}

/// One frame of an animation.
struct WebPFrame {
  let x: Int
  let y: Int
  let size: PixelSize
  private let alpha: ByteView?
  private let image: WebPChunk

  init(_ payload: ByteView) throws(ImageCodecError) {
    guard let x = payload.little(0, count: 3), let y = payload.little(3, count: 3),
      let width = payload.little(6, count: 3), let height = payload.little(9, count: 3)
    else { throw .corrupt("a short frame header") }
    self.x = x * 2
    self.y = y * 2
    size = PixelSize(width: width + 1, height: height + 1)

    var alpha: ByteView?
    var position = 16
    while let chunk = WebPChunk(payload, at: position, end: payload.count) {
      if chunk.type == "ALPH" { alpha = chunk.payload }
      if chunk.type == "VP8 " || chunk.type == "VP8L" {
        self.alpha = alpha
        image = chunk
        return
      }
      position = chunk.end
    }
    throw .corrupt("a frame without an image")
  }

  /// The frame as a WebP file.
  var file: [UInt8] {
    var file = WebPFile(size: size, hasAlpha: alpha != nil || image.type == "VP8L")
    if let alpha { file.append("ALPH", alpha.array) }
    file.append(image.type, image.payload.array)
    return file.bytes
  }
}
