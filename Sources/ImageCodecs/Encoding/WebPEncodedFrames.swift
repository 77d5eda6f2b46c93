/// The frames of an animated WebP, encoded one after the other.
struct WebPEncodedFrames: EncodedFrames {
  private let encoding: ImageEncoder.Encoding
  private let plays: Int?
  private var last: Image?
  private var hasAlpha = false
  private var frames: [UInt8] = []

  init(_ encoding: ImageEncoder.Encoding, plays: Int?) { (self.encoding, self.plays) = (encoding, plays) }

  /// Durations have 24 bits.
  static let longest = Duration.milliseconds(16_777_215)
  /// The size of the file is a number of 32 bits.
  private static let maximumByteCount = 0xFFFF_0000

  mutating func append(_ image: Image, _ duration: Duration) throws(ImageCodecError) {
    let milliseconds = Int((duration / .milliseconds(1)).rounded())
    let area = last.map { ChangedArea(of: image, since: $0) } ?? ChangedArea(of: image)
    // Places are counted in steps of two.
    let (x, y) = (area.columns.lowerBound & ~1, area.rows.lowerBound & ~1)
    let part = try image.cropped(
      x: x, y: y, width: area.columns.upperBound - x, height: area.rows.upperBound - y)
    let isOpaque = part.isOpaque
    let file = try ImageEncoder.encode(isOpaque ? part.opaque() : part, as: encoding)
    let data = WebPFile.chunks(of: file)
    guard frames.count + data.count <= Self.maximumByteCount else {
      throw .encodingFailed("an animation of more than 4 GB")
    }
    let numbers = [x / 2, y / 2, part.width - 1, part.height - 1, milliseconds]
    // It replaces what is below it, and stays.
    let replaces: UInt8 = 0x02
    let header = numbers.flatMap { WebPFile.little($0, count: 3) } + [replaces]
    frames += WebPFile.chunk("ANMF", header + data)
    hasAlpha = hasAlpha || !isOpaque
    last = image
  }

  func file(_ size: PixelSize) throws(ImageCodecError) -> [UInt8] {
    var file = WebPFile(size: size, hasAlpha: hasAlpha, isAnimated: true)
    let background: [UInt8] = [0, 0, 0, 0]
    file.append("ANIM", background + WebPFile.little(plays ?? 0, count: 2))
    file.append(chunks: frames)
    return file.bytes
  }
}

extension Image {
  fileprivate var isOpaque: Bool {
    withUnsafeBytes { bytes in stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 } }
  }
}
