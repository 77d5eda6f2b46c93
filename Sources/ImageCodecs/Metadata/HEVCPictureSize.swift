/// The image size in an HEVC stream (ITU-T H.265, 7.3.2.2: picture size, and conformance window).
struct HEVCPictureSize {
  /// What is allocated.
  let coded: PixelSize
  /// What is shown; empty if the window is not readable.
  let shown: PixelSize

  /// The size in a unit of the stream; `nil` for units without one.
  init?(_ unit: ByteView) {
    guard let first = unit.byte(0), first >> 1 & 0x3F == 33 else { return nil }
    var bits = BitsOfUnit(unit)
    guard bits.skip(16 + 4), let layers = bits.read(3), bits.skip(1 + 96) else { return nil }
    guard Self.skipLayers(&bits, layers), bits.readCount() != nil, let chroma = bits.readCount() else {
      return nil
    }
    if chroma == 3, !bits.skip(1) { return nil }
    guard let width = bits.readCount(), let height = bits.readCount(), let hasWindow = bits.read(1) else {
      return nil
    }
    coded = PixelSize(width: width, height: height)
    guard hasWindow == 1 else {
      shown = coded
      return
    }
    // Offsets count samples of color.
    let (across, down) = (chroma == 1 || chroma == 2 ? 2 : 1, chroma == 1 ? 2 : 1)
    guard let left = bits.readCount(), let right = bits.readCount(), let top = bits.readCount(),
      let bottom = bits.readCount()
    else {
      shown = PixelSize(width: 0, height: 0)
      return
    }
    shown = PixelSize(
      width: max(0, width - across * (left + right)), height: max(0, height - down * (top + bottom)))
  }

  private static func skipLayers(_ bits: inout BitsOfUnit, _ layers: Int) -> Bool {
    guard layers > 0 else { return true }
    var length = 0
    for _ in 0..<layers {
      guard let hasProfile = bits.read(1), let hasLevel = bits.read(1) else { return false }
      length += hasProfile * 88 + hasLevel * 8
    }
    return bits.skip((8 - layers) * 2 + length)
  }
}

/// The bits of a unit, without the bytes that prevent the content from looking like a start code.
private struct BitsOfUnit {
  private let bytes: ByteView
  private var offset = 0
  private var zeros = 0
  private var current = 0
  private var left = 0

  init(_ bytes: ByteView) { self.bytes = bytes }

  mutating func read(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      if left == 0, !advance() { return nil }
      left -= 1
      value = value << 1 | current >> left & 1
    }
    return value
  }

  mutating func skip(_ count: Int) -> Bool {
    for _ in 0..<count where read(1) == nil { return false }
    return true
  }

  /// Reads an Exp-Golomb code.
  mutating func readCount() -> Int? {
    var length = 0
    while let bit = read(1), bit == 0 { length += 1 }
    guard length <= 32, let rest = read(length) else { return nil }
    return (1 << length | rest) - 1
  }

  private mutating func advance() -> Bool {
    guard var next = bytes.byte(offset) else { return false }
    offset += 1
    if zeros >= 2, next == 3 {
      zeros = 0
      guard let behind = bytes.byte(offset) else { return false }
      next = behind
      offset += 1
    }
    zeros = next == 0 ? zeros + 1 : 0
    current = next
    left = 8
    return true
  }
}
