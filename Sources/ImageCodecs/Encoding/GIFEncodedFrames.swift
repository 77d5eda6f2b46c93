import CCodecs

/// The frames of a GIF, encoded one after the other.
///
/// A pixel that becomes transparent needs a frame before it that is cleared, so each is encoded when the next one is there.
struct GIFEncodedFrames: EncodedFrames {
  private let plays: Int?
  private var frames: [UInt8] = []
  private var last: GIFPart?

  init(plays: Int?) { self.plays = plays }

  /// Delays have 16 bits.
  static let longest = Duration.milliseconds(655_350)

  mutating func append(_ image: Image, _ duration: Duration) throws(ImageCodecError) {
    let image = try image.withoutTranslucency()
    // Players show shorter frames for a tenth of a second.
    let delay = max(Int((duration / .milliseconds(10)).rounded()), 2)
    guard var last else {
      last = GIFPart(image: image, area: ChangedArea(of: image), delay: delay)
      return
    }
    if image.isMoreTransparent(than: last.image) {
      last.area = ChangedArea(of: last.image)
      last.isCleared = true
      // The whole frame is drawn, also where it was the same before.
      last.below = nil
    }
    frames += try last.encoded()
    self.last = GIFPart(
      image: image,
      area: last.isCleared ? ChangedArea(of: image) : ChangedArea(of: image, since: last.image),
      delay: delay, below: last.isCleared ? nil : last.image)
  }

  func file(_ size: PixelSize) throws(ImageCodecError) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
    let screen = [UInt8](
      joining: Array("GIF89a".utf8), little(size.width), little(size.height), [0x70, 0, 0])
    // The number of repetitions, of which 0 means for ever.
    let repetitions = plays.map { $0 - 1 } ?? 0
    let loop = [UInt8](
      joining: [0x21, 0xFF, 11], Array("NETSCAPE2.0".utf8), [3, 1], little(repetitions), [0])
    let lastFrame = try last?.encoded() ?? []
    return [UInt8](joining: screen, plays == 1 ? [] : loop, frames, lastFrame, [0x3B])
  }
}

/// A frame that is not encoded yet.
private struct GIFPart {
  let image: Image
  var area: ChangedArea
  let delay: Int
  /// The frame before, which shows through where pixels are the same.
  var below: Image?
  var isCleared = false

  /// The blocks of the frame.
  func encoded() throws(ImageCodecError) -> [UInt8] {
    var pixels = try image.cropped(
      x: area.columns.lowerBound, y: area.rows.lowerBound, width: area.columns.count,
      height: area.rows.count)
    if let below {
      try pixels.clear(
        whereEqualTo: below.cropped(
          x: area.columns.lowerBound, y: area.rows.lowerBound, width: area.columns.count,
          height: area.rows.count))
    }
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    defer { codec_free(output) }
    let status = pixels.withUnsafeBytes { bytes in
      var part = CodecGIFPart(
        pixels: bytes.bytes, x: UInt32(area.columns.lowerBound), y: UInt32(area.rows.lowerBound),
        width: UInt32(area.columns.count), height: UInt32(area.rows.count), delay: UInt32(delay),
        isCleared: isCleared)
      return codec_gif_write(&part, &output, &count)
    }
    try status.checkWriting(nil)
    // Without the screen before it and the end behind it.
    return Array(UnsafeBufferPointer(start: output, count: count).dropFirst(13).dropLast())
  }
}

extension Image {
  /// Four channels, with pixels that are opaque, or transparent and black.
  fileprivate func withoutTranslucency() throws(ImageCodecError) -> Image {
    var image = self
    try image.withUnsafeMutableBytes { bytes in
      for pixel in stride(from: 0, to: bytes.count, by: 4) {
        if bytes[pixel + 3] >= 128 {
          bytes[pixel + 3] = 255
        } else {
          for channel in 0..<4 { bytes[pixel + channel] = 0 }
        }
      }
    }
    return image
  }

  /// Whether a pixel is transparent that was opaque.
  fileprivate func isMoreTransparent(than last: Image) -> Bool {
    withUnsafeBytes { mine in
      last.withUnsafeBytes { theirs in
        stride(from: 3, to: mine.count, by: 4).contains { mine[$0] == 0 && theirs[$0] != 0 }
      }
    }
  }

  /// Makes pixels transparent that are the same in another image.
  fileprivate mutating func clear(whereEqualTo other: Image) throws(ImageCodecError) {
    try withUnsafeMutableBytes { mine in
      other.withUnsafeBytes { theirs in
        let (new, old) = (mine.bindMemory(to: UInt32.self), theirs.bindMemory(to: UInt32.self))
        for pixel in new.indices where new[pixel] == old[pixel] { new[pixel] = 0 }
      }
    }
  }
}

extension ImageEncoder {
  /// A GIF of one frame.
  static func encodeGIF(_ image: Image) throws(ImageCodecError) -> [UInt8] {
    var frames = GIFEncodedFrames(plays: 1)
    try frames.append(image.convertedToSRGB().colored().withAlpha(), .zero)
    return try frames.file(image.size)
  }
}
