import CCodecs

/// The header of a PNG file, read without libpng, so that limits are checked before it runs.
struct PNGHeader {
  let size: PixelSize
  let isInterlaced: Bool
  private(set) var isSRGB = false
  /// Whether the checksum of the last chunk is wrong, which libpng 1.6.48 no longer checks.
  private(set) var hasDamagedEnd = false
  private(set) var orientation = ImageOrientation.up
  private var hasAlpha: Bool
  private var isAnimated = false
  /// The number of frames in the animation control chunk; 0 without a valid one before the image.
  private(set) var frameCount = 0
  /// How many times the animation plays; `nil` for ever.
  private(set) var plays: Int? = 1
  /// The colors that numbers name, before the image; `nil` without valid numbers.
  private(set) var colors: CodedColors?
  private var peak: Double?
  private var profileChunk: ByteView?
  private let bitDepth: Int
  let isGray: Bool

  init(_ bytes: ByteView) throws(ImageCodecError) {
    guard let first = PNGChunk(bytes, at: 8) else { throw .truncated }
    guard first.type != "CgBI" else { throw .unsupportedFeature("a PNG of Apple's devices (CgBI)") }
    guard first.type == "IHDR", first.payload.count == 13, first.isIntact else {
      throw .corrupt("no image header")
    }
    guard let width = first.payload.big(0, count: 4), let height = first.payload.big(4, count: 4),
      let depth = first.payload.byte(8), let color = first.payload.byte(9),
      let interlace = first.payload.byte(12)
    else { throw .corrupt("no image header") }
    guard width > 0, height > 0 else { throw .corrupt("an empty image") }
    guard PNGHeader.depths[color]?.contains(depth) == true else {
      throw .corrupt("color type \(color) with \(depth) bits")
    }
    size = PixelSize(width: width, height: height)
    bitDepth = depth
    isInterlaced = interlace == 1
    hasAlpha = color & 4 != 0
    isGray = color & 2 == 0

    var position = first.end
    var isBeforeData = true
    while let chunk = PNGChunk(bytes, at: position) {
      if chunk.type == "IEND" {
        hasDamagedEnd = chunk.payload.count > 65_536 || !chunk.isIntact
        break
      }
      if chunk.type == "IDAT" { isBeforeData = false }
      if chunk.type == "tRNS", isBeforeData { hasAlpha = true }
      if chunk.type == "acTL", isBeforeData, chunk.isIntact, chunk.payload.count == 8 {
        frameCount = chunk.payload.big(0, count: 4) ?? 0
        plays = chunk.payload.big(4, count: 4).flatMap { $0 == 0 ? nil : $0 }
      }
      read(chunk, isBeforeData)
      position = chunk.end
    }
    colors?.peak = peak
  }

  var info: ImageInfo {
    ImageInfo(
      format: .png, storedSize: size, orientation: orientation, hasAlpha: hasAlpha,
      isProgressive: isInterlaced, isAnimated: isAnimated, bitsPerComponent: bitDepth)
  }

  /// The profile; `nil` if there is none, or it is damaged or larger. libpng drops some for fields that nobody uses.
  func profile(maximumBytes: Int) -> [UInt8]? {
    guard let profileChunk, let start = profileChunk.end(ofTextAt: 0),
      let part = profileChunk.slice(start + 1, count: profileChunk.count - start - 1)
    else { return nil }
    // No data grows by more.
    let capacity = min(max(maximumBytes, 0), part.count * 1_032) + 1
    let (content, status) = part.inflated(capacity: capacity)
    return status == .done && content.count < capacity ? content : nil
  }

  /// The largest number of bytes per decoded pixel.
  func bytesPerPixel(keepsDepth: Bool) -> Int {
    (hasAlpha ? 4 : isGray ? 1 : 3) * (keepsDepthWhileDecoding(keepsDepth) && bitDepth == 16 ? 2 : 1)
  }

  /// HDR is made SDR before its bits become fewer.
  func keepsDepthWhileDecoding(_ keepsDepth: Bool) -> Bool { keepsDepth || colors?.isHDR == true }

  /// Whether the checksums of all pixels and colors are right.
  ///
  /// - Complexity: O(n) in the size of the file.
  func hasIntactPixels(_ bytes: ByteView) -> Bool {
    var position = 8
    while let chunk = PNGChunk(bytes, at: position) {
      if ["PLTE", "tRNS", "IDAT"].contains(chunk.type), !chunk.isIntact { return false }
      position = chunk.end
    }
    return true
  }

  /// Allowed bits per sample by color type.
  private static let depths: [Int: Set<Int>] = [
    0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
  ]

  private mutating func read(_ chunk: PNGChunk, _ isBeforeData: Bool) {
    switch chunk.type {
    case "cICP" where isBeforeData && chunk.isIntact: readColors(chunk.payload)
    case "cLLI" where isBeforeData && chunk.isIntact && chunk.payload.count == 8:
      // In parts of 1/10,000 cd/m².
      peak = chunk.payload.big(0, count: 4).flatMap { $0 > 0 ? Double($0) / 10_000 : nil }
    case "iCCP" where isBeforeData && chunk.isIntact && profileChunk == nil: profileChunk = chunk.payload
    case "acTL": isAnimated = true
    case "sRGB" where chunk.isIntact: isSRGB = true
    case "eXIf" where chunk.payload.count <= 65_536 && chunk.isIntact:
      orientation = ImageOrientation(exif: chunk.payload)
    default: break
    }
  }

  /// Primaries, transfer function, matrix, and whether all codes are used. A PNG has RGB with all codes.
  private mutating func readColors(_ payload: ByteView) {
    guard payload.count == 4, payload.big(2, count: 2) == 1, let primaries = payload.byte(0),
      let transfer = payload.byte(1)
    else { return }
    colors = CodedColors(primaries: primaries, transfer: transfer)
  }
}

extension ByteView {
  /// The position behind the zero at the end of a text.
  func end(ofTextAt start: Int) -> Int? {
    var position = start
    while let byte = byte(position) {
      position += 1
      if byte == 0 { return position }
    }
    return nil
  }

  /// Decompresses data of zlib, up to a number of bytes.
  func inflated(capacity: Int) -> (content: [UInt8], status: CodecStatus) {
    var status = CodecStatus.truncated
    let content = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, written in
      status = codec_zlib_inflate(start, count, buffer.baseAddress, capacity, &written)
    }
    return (content, status)
  }
}

/// A part of a PNG.
struct PNGChunk {
  let payload: ByteView
  let end: Int
  private let checked: ByteView
  private let sum: Int

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// `nil` unless the whole chunk is available.
  init?(_ bytes: ByteView, at position: Int) {
    guard let length = bytes.big(position, count: 4),
      let checked = bytes.slice(position + 4, count: length + 4),
      let payload = checked.slice(4, count: length),
      let sum = bytes.big(position + 8 + length, count: 4)
    else { return nil }
    (self.payload, self.checked, self.sum) = (payload, checked, sum)
    end = position + 12 + length
  }

  var type: String { String(decoding: (0..<4).map { UInt8(checked.byte($0) ?? 0) }, as: UTF8.self) }

  var isIntact: Bool { Int(codec_crc32(checked.start, checked.count)) == sum }

  /// The bytes of a chunk with the right checksum.
  static func bytes(_ type: StaticString, _ payload: [UInt8]) -> [UInt8] {
    let checked = type.bytes + payload
    let sum = Int(checked.withUnsafeBufferPointer { codec_crc32($0.baseAddress, $0.count) })
    return [UInt8](joining: [payload.count].big, checked, [sum].big)
  }
}

extension [UInt8] {
  /// The bytes of all parts in order. A sum of several arrays takes some compilers minutes to type-check.
  init(joining parts: [UInt8]...) {
    self = []
    reserveCapacity(parts.reduce(0) { $0 + $1.count })
    for part in parts { append(contentsOf: part) }
  }
}

extension [Int] {
  /// Numbers of four bytes each.
  var big: [UInt8] { flatMap { ByteView.bigEndian($0, count: 4) } }
}
