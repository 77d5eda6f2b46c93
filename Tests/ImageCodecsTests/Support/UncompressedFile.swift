/// Files of formats that nothing here encodes, of black pixels.
enum UncompressedFile {
  static func bmp(_ width: Int, _ height: Int) -> [UInt8] {
    let row = (width * 3 + 3) / 4 * 4
    let header = little(
      (54 + row * height, 4), (0, 4), (54, 4), (40, 4), (width, 4), (height, 4), (1, 2), (24, 2), (0, 24))
    return Array("BM".utf8) + header + [UInt8](repeating: 0, count: row * height)
  }

  /// Of two colors, as runs. From the top if the height is negative.
  static func bmp(_ width: Int, _ height: Int, colors: [UInt8], runs: [UInt8]) -> [UInt8] {
    let header = little(
      (62 + runs.count, 4), (0, 4), (62, 4), (40, 4), (width, 4), (height, 4), (1, 2), (8, 2), (1, 4),
      (0, 12), (2, 4), (0, 4))
    return Array("BM".utf8) + header + colors + runs
  }

  /// All in one strip.
  static func tiff(_ width: Int, _ height: Int) -> [UInt8] {
    let entries = [
      (256, width), (257, height), (258, 8), (259, 1), (262, 2), (273, 8 + 2 + 9 * 12 + 4), (277, 3),
      (278, height), (279, width * height * 3),
    ]
    var file = Array("II*\0".utf8) + little((8, 4), (entries.count, 2))
    for (tag, value) in entries { file += little((tag, 2), (4, 2), (1, 4), (value, 4)) }
    return file + [UInt8](repeating: 0, count: 4 + width * height * 3)
  }

  /// Codes of eight bits, and "start again" before they would grow to nine.
  static func gif(_ width: Int, _ height: Int) -> [UInt8] {
    var codes: [UInt8] = []
    for pixel in 0..<width * height {
      if pixel.isMultiple(of: 120) { codes.append(128) }
      codes.append(0)
    }
    codes.append(129)
    let size = little(width, count: 2) + little(height, count: 2)
    var file = Array("GIF89a".utf8) + size + [0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
    file += [0x2C, 0, 0, 0, 0] + size + [0, 7]
    var rest = codes[...]
    while !rest.isEmpty {
      let part = rest.prefix(255)
      file += [UInt8(part.count)] + part
      rest = rest.dropFirst(part.count)
    }
    return file + [0, 0x3B]
  }
}
