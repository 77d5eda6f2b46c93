/// The header of the largest image of an ICO file.
struct ICOHeader {
  enum Picture {
    case png(PNGHeader)
    case bitmap(BitmapHeader)
  }

  let picture: Picture
  /// The bytes of the image.
  let bytes: ByteView

  init(_ file: ByteView) throws(ImageCodecError) {
    guard let count = file.little(4, count: 2) else { throw .truncated }
    guard count > 0 else { throw .corrupt("no image") }
    guard file.slice(6, count: count * 16) != nil else { throw .truncated }
    let largest = (0..<count).map { ICOEntry(file, at: 6 + $0 * 16) }.max { $0.weight < $1.weight }
    guard let largest, largest.offset < file.count else { throw .truncated }
    // The size may be missing, too large or too small. The image ends by itself.
    guard let bytes = file.rest(from: largest.offset) else { throw .truncated }
    self.bytes = bytes
    if bytes.byte(0) == 0x89 {
      picture = .png(try PNGHeader(bytes))
    } else {
      let header = try BitmapHeader(bytes, at: 0)
      guard header.size.height.isMultiple(of: 2), !header.isTopDown, header.compression != .runs else {
        throw .corrupt("an icon without a mask")
      }
      picture = .bitmap(header)
    }
  }

  var info: ImageInfo {
    switch picture {
    case .png(let header):
      ImageInfo(
        format: .ico, storedSize: header.size, orientation: header.orientation,
        hasAlpha: header.info.hasAlpha, bitsPerComponent: header.info.bitsPerComponent)
    case .bitmap(let header):
      // The rows of the mask follow those of the image.
      ImageInfo(
        format: .ico, storedSize: PixelSize(width: header.size.width, height: header.size.height / 2),
        hasAlpha: true)
    }
  }
}

private struct ICOEntry {
  let weight: Int
  let offset: Int

  init(_ file: ByteView, at position: Int) {
    let number = { (offset: Int, count: Int) in file.little(position + offset, count: count) ?? 0 }
    offset = number(12, 4)
    // Many icons leave the depth out, and cursors have the place of the pointer there.
    let announced = file.byte(2) == 2 ? 0 : number(6, 2)
    let bits = announced > 0 ? announced : Self.bits(file, at: offset)
    // Sides of 256 are written as 0.
    let (width, height) = (number(0, 1), number(1, 1))
    weight = (width == 0 ? 256 : width) * (height == 0 ? 256 : height) * 64 + min(bits, 63)
  }

  /// The depth of the image itself. That of a PNG is taken for the largest.
  private static func bits(_ file: ByteView, at offset: Int) -> Int {
    file.byte(offset) == 0x89 ? 32 : file.little(offset + 14, count: 2) ?? 0
  }
}
