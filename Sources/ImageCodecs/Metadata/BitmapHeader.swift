/// The header before the pixels of a Windows bitmap: after the first 14 bytes of a BMP file, or in an ICO file.
struct BitmapHeader {
  enum Compression: Equatable {
    case none
    /// Run-length encoding of 4 or 8 bits.
    case runs
    /// The bits of red, green, blue and alpha.
    case masks([UInt32])
  }

  /// Includes the rows of an icon's mask.
  let size: PixelSize
  let isTopDown: Bool
  let bitsPerPixel: Int
  let compression: Compression
  /// The offset of the palette, the size of an entry, and the number of entries.
  let palette: (start: Int, stride: Int, count: Int)
  /// The end of header, masks and palette.
  let end: Int
  private(set) var isSRGB = false
  private(set) var profile: ByteView?
  /// Whether the file announces a profile but ends before it.
  private(set) var lacksProfile = false

  init(_ bytes: ByteView, at start: Int) throws(ImageCodecError) {
    guard let length = bytes.little(start, count: 4) else { throw .truncated }
    guard length == 12 || (40...124).contains(length) else {
      throw .unsupportedFeature("a bitmap with a header of \(length) bytes")
    }
    guard let header = bytes.slice(start, count: length) else { throw .truncated }
    let isOld = length == 12
    let number = { (offset: Int, count: Int) in header.little(offset, count: count) ?? 0 }
    let width = isOld ? number(4, 2) : number(4, 4).signed
    let height = isOld ? number(6, 2) : number(8, 4).signed
    guard width > 0, height != 0, height > Int(Int32.min) else { throw .corrupt("an empty image") }
    size = PixelSize(width: width, height: abs(height))
    isTopDown = height < 0
    bitsPerPixel = isOld ? number(10, 2) : number(14, 2)
    guard [1, 4, 8, 16, 24, 32].contains(bitsPerPixel) else {
      throw .corrupt("a bitmap of \(bitsPerPixel) bits a pixel")
    }

    var position = start + length
    compression = try BitmapHeader.compression(
      isOld ? 0 : number(16, 4), bits: bitsPerPixel, bytes, header, &position)
    let stride = isOld ? 3 : 4
    let claimed = isOld ? 0 : number(32, 4)
    let all = bitsPerPixel <= 8 ? 1 << bitsPerPixel : 0
    let count = bitsPerPixel <= 8 ? (claimed == 0 ? all : min(claimed, all)) : 0
    palette = (position, stride, count)
    end = position + count * stride
    if length >= 108 { readColors(number(56, 4), header, bytes, start: start) }
  }

  var hasAlpha: Bool {
    if case .masks(let masks) = compression { return masks[3] != 0 }
    return false
  }

  /// Rows are padded to multiples of four bytes.
  var bytesPerRow: Int { (size.width * bitsPerPixel + 31) / 32 * 4 }

  private mutating func readColors(_ kind: Int, _ header: ByteView, _ bytes: ByteView, start: Int) {
    // "sRGB" and "MBED" in reverse order.
    isSRGB = kind == 0x7352_4742
    guard kind == 0x4D42_4544, let offset = header.little(112, count: 4),
      let count = header.little(116, count: 4)
    else { return }
    profile = bytes.slice(start + offset, count: count)
    lacksProfile = profile == nil
  }

  private static func compression(
    _ number: Int, bits: Int, _ bytes: ByteView, _ header: ByteView, _ position: inout Int
  ) throws(ImageCodecError) -> Compression {
    switch (number, bits) {
    case (0, 16): return .masks([0x7C00, 0x03E0, 0x001F, 0])
    case (0, _): return .none
    case (1, 8), (2, 4): return .runs
    case (3, 16), (3, 32), (6, 16), (6, 32):
      let count = number == 6 || header.count >= 56 ? 4 : 3
      // In the header in newer versions, after it in others.
      let source = header.count >= 52 ? header : bytes
      let start = header.count >= 52 ? 40 : position
      if header.count < 52 { position += count * 4 }
      var masks: [UInt32] = []
      for index in 0..<count {
        guard let mask = source.little(start + index * 4, count: 4) else { throw .truncated }
        masks.append(UInt32(mask))
      }
      if count == 3 { masks.append(0) }
      return .masks(masks)
    case (4, _), (5, _): throw .unsupportedFeature("a JPEG or PNG in a bitmap")
    default: throw .corrupt("compression \(number) of \(bits) bits a pixel")
    }
  }
}

extension Int {
  /// As a signed number of 32 bits.
  fileprivate var signed: Int { Int(Int32(truncatingIfNeeded: self)) }
}
