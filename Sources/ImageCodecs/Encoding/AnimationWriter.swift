/// Encodes an animation frame by frame as an animated WebP, with memory for the file and two frames.
///
/// ```swift
/// let reader = try AnimationReader(bytes, options: DecodingOptions(target: .fitting(80)))
/// var writer = try AnimationWriter(as: .webp(quality: 0.8), plays: reader.plays)
/// while let frame = try reader.next() { try writer.append(frame) }
/// let file = try writer.finish()
/// ```
///
/// Frames and their durations are kept. Of each frame, only the rectangle that differs from the frame before is encoded.
public struct AnimationWriter {
  private let encoding: ImageEncoder.Encoding
  private let plays: Int?
  private var last: Image?
  private var hasAlpha = false
  private var frames: [UInt8] = []
  /// The size of the file is a number of 32 bits.
  private static let maximumByteCount = 0xFFFF_0000

  /// Creates a writer.
  ///
  /// Throws ``ImageCodecError/encodingFailed(_:)`` unless the encoding is `webp` or `losslessWebP` and `plays` is from 1 to
  /// 65,535.
  ///
  /// - Parameters:
  ///   - encoding: The encoding of the frames.
  ///   - plays: How many times the animation plays; `nil` for ever.
  public init(
    as encoding: ImageEncoder.Encoding = .webp(), plays: Int? = nil
  ) throws(ImageCodecError) {
    guard encoding.format == .webp else {
      throw .encodingFailed("an animation as \(encoding.format.rawValue)")
    }
    if let plays, !(1...65_535).contains(plays) {
      throw .encodingFailed("an animation that plays \(plays) times")
    }
    (self.encoding, self.plays) = (encoding, plays)
  }

  /// Encodes a frame. Its colors are converted to sRGB.
  ///
  /// Durations are rounded to milliseconds, up to 4 hours. Throws ``ImageCodecError/encodingFailed(_:)`` for a negative or longer
  /// one, for a frame of another size than the first one, and in the cases of ``ImageEncoder/encode(_:as:)``. The frame is then
  /// not part of the animation.
  public mutating func append(_ frame: AnimationFrame) throws(ImageCodecError) {
    let milliseconds = (frame.duration / .milliseconds(1)).rounded()
    guard (0..<16_777_216).contains(milliseconds) else {
      throw .encodingFailed("a frame of \(frame.duration)")
    }
    let image = try frame.image.convertedToSRGB().colored().withAlpha()
    if let last, last.size != image.size {
      throw .encodingFailed("a frame of \(image.size) pixels in an animation of \(last.size)")
    }
    let area =
      last.map { image.changedArea(since: $0) }
      ?? ChangedArea(columns: 0..<image.width, rows: 0..<image.height)
    // Places are counted in steps of two.
    let (x, y) = (area.columns.lowerBound & ~1, area.rows.lowerBound & ~1)
    let part = try image.cropped(
      x: x, y: y, width: area.columns.upperBound - x, height: area.rows.upperBound - y)
    let isOpaque = part.isOpaque
    let data = try encoded(isOpaque ? part.opaque() : part)
    guard frames.count + data.count <= Self.maximumByteCount else {
      throw .encodingFailed("an animation of more than 4 GB")
    }
    let numbers = [x / 2, y / 2, part.width - 1, part.height - 1, Int(milliseconds)]
    // It replaces what is below it, and stays.
    let replaces: UInt8 = 0x02
    let header = numbers.flatMap { WebPFile.little($0, count: 3) } + [replaces]
    frames += WebPFile.chunk("ANMF", header + data)
    hasAlpha = hasAlpha || !isOpaque
    last = image
  }

  /// Returns the file. Throws ``ImageCodecError/encodingFailed(_:)`` without a frame.
  public func finish() throws(ImageCodecError) -> [UInt8] {
    guard let last else { throw .encodingFailed("an animation without frames") }
    var file = WebPFile(size: last.size, hasAlpha: hasAlpha, isAnimated: true)
    let background: [UInt8] = [0, 0, 0, 0]
    file.append("ANIM", background + WebPFile.little(plays ?? 0, count: 2))
    file.append(chunks: frames)
    return file.bytes
  }

  /// The chunks of a still image.
  private func encoded(_ image: Image) throws(ImageCodecError) -> [UInt8] {
    let file = try ImageEncoder.encode(image, as: encoding)
    return file.withUnsafeBufferPointer { buffer in
      let bytes = ByteView(UnsafeRawBufferPointer(buffer))
      var (position, chunks) = (12, [UInt8]())
      while let chunk = WebPChunk(bytes, at: position, end: bytes.count) {
        if chunk.type != "VP8X" { chunks += WebPFile.chunk(chunk.type, chunk.payload.array) }
        position = chunk.end
      }
      return chunks
    }
  }
}

/// The rectangle in which two frames differ, of at least a pixel.
private struct ChangedArea {
  let columns: Range<Int>
  let rows: Range<Int>
}

extension Image {
  /// Both have four channels of eight bits and the same size.
  fileprivate func changedArea(since last: Image) -> ChangedArea {
    var (left, right, top, bottom) = (width, 0, height, 0)
    withUnsafeBytes { mine in
      last.withUnsafeBytes { theirs in
        let (new, old) = (mine.bindMemory(to: UInt32.self), theirs.bindMemory(to: UInt32.self))
        for y in 0..<height {
          let row = y * width..<(y + 1) * width
          guard let first = row.first(where: { new[$0] != old[$0] }),
            let final = row.last(where: { new[$0] != old[$0] })
          else { continue }
          (left, right) = (min(left, first - row.lowerBound), max(right, final - row.lowerBound + 1))
          (top, bottom) = (min(top, y), y + 1)
        }
      }
    }
    guard left < right else { return ChangedArea(columns: 0..<1, rows: 0..<1) }
    return ChangedArea(columns: left..<right, rows: top..<bottom)
  }

  fileprivate var isOpaque: Bool {
    withUnsafeBytes { bytes in stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 } }
  }
}
