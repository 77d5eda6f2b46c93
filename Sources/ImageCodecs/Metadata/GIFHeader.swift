/// The header of a GIF file, read without giflib, so that limits are checked before it runs.
struct GIFHeader {
  /// The size of the canvas, which contains the first frame, as in browsers. Some files announce a smaller one, or none.
  private(set) var size: PixelSize
  private(set) var isAnimated = false
  /// Whether the file contains all blocks up to the end mark.
  private(set) var isComplete = false
  /// Whether the end mark is missing, and nothing else.
  private(set) var lacksEndOnly = false
  /// How many times the animation plays; `nil` for ever.
  private(set) var plays: Int? = 1
  private var hasAlpha = false
  private var hasFrame = false
  private var isTransparent = false

  init(_ bytes: ByteView) throws(ImageCodecError) {
    guard let width = bytes.little(6, count: 2), let height = bytes.little(8, count: 2),
      let flags = bytes.byte(10), bytes.byte(12) != nil
    else { throw .truncated }
    size = PixelSize(width: width, height: height)

    var position = 13 + GIFHeader.paletteLength(flags)
    while let next = read(bytes, at: position) { position = next }
    guard size.width > 0, size.height > 0 else {
      throw hasFrame || isComplete ? .corrupt("an empty image") : .truncated
    }
    lacksEndOnly = !isComplete && hasFrame && position == bytes.count
  }

  var info: ImageInfo {
    ImageInfo(format: .gif, storedSize: size, hasAlpha: hasAlpha, isAnimated: isAnimated)
  }

  /// Returns the start of the next block; `nil` at the end, or if the block is incomplete.
  private mutating func read(_ bytes: ByteView, at position: Int) -> Int? {
    switch bytes.byte(position) {
    case 0x21:
      readExtension(bytes, at: position + 2)
      return bytes.endOfGIFParts(from: position + 2)
    case 0x2C:
      guard let flags = bytes.byte(position + 9) else { return nil }
      readFrame(bytes, at: position + 1)
      return bytes.endOfGIFParts(from: position + 11 + GIFHeader.paletteLength(flags))
    case 0x3B:
      isComplete = true
      return nil
    default:
      // Browsers skip stray bytes between blocks, and so does the reader.
      return hasFrame ? bytes.gifBlock(from: position) : nil
    }
  }

  private mutating func readFrame(_ bytes: ByteView, at position: Int) {
    if hasFrame {
      isAnimated = true
      return
    }
    hasFrame = true
    let number = { offset in bytes.little(position + offset, count: 2) ?? 0 }
    let (left, top, width, height) = (number(0), number(2), number(4), number(6))
    if width > 0, height > 0, left + width <= 65_535, top + height <= 65_535 {
      size = PixelSize(width: max(size.width, left + width), height: max(size.height, top + height))
    }
    let coversCanvas = left == 0 && top == 0 && width >= size.width && height >= size.height
    hasAlpha = isTransparent || !coversCanvas
  }

  private mutating func readExtension(_ bytes: ByteView, at position: Int) {
    switch bytes.byte(position - 1) {
    case 0xF9 where !hasFrame: isTransparent = (bytes.byte(position + 1) ?? 0) & 1 == 1
    case 0xFF
    where bytes.holds("\u{0B}NETSCAPE2.0\u{03}\u{01}", at: position)
      || bytes.holds("\u{0B}ANIMEXTS1.0\u{03}\u{01}", at: position):
      let repetitions = bytes.little(position + 14, count: 2) ?? 0
      plays = repetitions == 0 ? nil : repetitions + 1
    default: break
    }
  }

  private static func paletteLength(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }
}

extension ByteView {
  /// Returns the place of the next block; `nil` if there is none.
  fileprivate func gifBlock(from start: Int) -> Int? {
    var position = start
    while let byte = byte(position) {
      if byte == 0x21 || byte == 0x2C || byte == 0x3B { return position }
      position += 1
    }
    return nil
  }

  /// Returns the end of a list of parts. Each is preceded by its length, and an empty one ends the list.
  fileprivate func endOfGIFParts(from start: Int) -> Int? {
    var position = start
    while let length = byte(position) {
      position += length + 1
      if length == 0 { return position }
    }
    return nil
  }
}
