/// The header of a WebP file, read without libwebp, so that limits are checked before it runs.
struct WebPHeader {
  /// The size of the canvas.
  private(set) var size = PixelSize(width: 0, height: 0)
  private(set) var isAnimated = false
  private(set) var firstFrame: WebPFrame?
  /// How many times the animation plays; `nil` for ever.
  private(set) var plays: Int? = 1
  /// Whether the file contains everything that its container announces.
  let isComplete: Bool
  private var hasAlpha = false
  private var exif: ByteView?
  private var announcesExif = false
  private var profileChunk: ByteView?
  private var bitstream: WebPBitstream?

  init(_ bytes: ByteView) throws(ImageCodecError) {
    guard let announced = bytes.little(4, count: 4), bytes.holds("WEBP", at: 8) else { throw .truncated }
    let end = min(announced + 8, bytes.count)
    isComplete = announced + 8 <= bytes.count
    var position = 12
    var hasCanvas = false
    while let chunk = WebPChunk(bytes, at: position, end: end) {
      if chunk.type == "VP8X" {
        try readCanvas(chunk.payload)
        hasCanvas = true
      } else {
        try read(chunk)
      }
      position = chunk.end
    }
    if !hasCanvas {
      guard let bitstream else { throw isComplete ? .corrupt("no image data") : .truncated }
      size = bitstream.size
      hasAlpha = bitstream.hasAlpha
    }
    guard size.width > 0, size.height > 0 else { throw .corrupt("an empty image") }
  }

  /// Whether the orientation is known: it may follow the pixels.
  var hasOrientation: Bool { !announcesExif || exif != nil }

  /// Whether libwebp decodes without a full frame of its own.
  var isDecodedByRows: Bool { !isAnimated && !hasAlpha && bitstream?.isLossless == false }

  var info: ImageInfo {
    ImageInfo(
      format: .webp, storedSize: size, orientation: exif.map(ImageOrientation.init(exif:)) ?? .up,
      hasAlpha: hasAlpha, isProgressive: false, isAnimated: isAnimated, bitsPerComponent: 8)
  }

  func profile(maximumBytes: Int) -> [UInt8]? { profileChunk?.array(atMost: maximumBytes) }

  private mutating func readCanvas(_ payload: ByteView) throws(ImageCodecError) {
    guard let flags = payload.byte(0), let width = payload.little(4, count: 3),
      let height = payload.little(7, count: 3)
    else { throw .corrupt("a short canvas header") }
    size = PixelSize(width: width + 1, height: height + 1)
    hasAlpha = flags & 0x10 != 0
    announcesExif = flags & 0x08 != 0
    isAnimated = flags & 0x02 != 0
  }

  private mutating func read(_ chunk: WebPChunk) throws(ImageCodecError) {
    switch chunk.type {
    case "VP8 ", "VP8L": if bitstream == nil { bitstream = try WebPBitstream(chunk) }
    case "ANIM": if let count = chunk.payload.little(4, count: 2) { plays = count == 0 ? nil : count }
    case "ANMF": if firstFrame == nil { firstFrame = try WebPFrame(chunk.payload) }
    case "EXIF": if chunk.payload.count <= 65_536, exif == nil { exif = chunk.payload }
    case "ICCP": if profileChunk == nil { profileChunk = chunk.payload }
    default: break
    }
  }
}
