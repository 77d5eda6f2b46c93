import Foundation
import StreamImages

/// A picture of 100 megapixels and about 60 MB, the same each time. It never is in memory: it is painted row by row.
struct HugePicture: Sendable {
  static let size = PixelSize(width: 12_500, height: 8_000)
  private static let swing = 2_000
  private static let stripCount = 24

  let file: URL
  let byteCount: Int

  /// The picture in a folder, painted first if it is not there.
  init(in folder: URL) throws {
    file = folder.appending(path: "huge-2.jpg")
    if !FileManager.default.fileExists(atPath: file.path) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let unfinished = folder.appending(path: "huge-\(UUID().uuidString)")
      try Self.paint(to: unfinished)
      // Of several that paint it, the last one's stays: all are the same.
      guard rename(unfinished.path, file.path) == 0 else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
      }
    }
    let values = try file.resourceValues(forKeys: [.fileSizeKey])
    byteCount = values.fileSize ?? 0
  }

  private static func paint(to url: URL) throws {
    try Data().write(to: url)
    let file = try FileHandle(forWritingTo: url)
    let strips = (0..<stripCount).map { strip(light: Double($0) / Double(stripCount - 1), number: $0) }
    var chance = Chance(seed: 1)
    try JPEGWriter(width: size.width, height: size.height, pixelFormat: .rgb8, quality: 0.94).write {
      y, row in
      let place = place(of: y, &chance)
      strips[place.strip].withUnsafeBytes { strip in
        let start = place.offset * 3
        row.copyMemory(from: UnsafeRawBufferPointer(rebasing: strip[start...].prefix(row.count)))
      }
    } output: { bytes in
      try file.write(contentsOf: Data(bytes))
    }
    try file.close()
  }

  /// The nearer to the middle, the lighter the strip. A part of it that swings from side to side on the way down, never quite
  /// the same.
  private static func place(of y: Int, _ chance: inout Chance) -> (strip: Int, offset: Int) {
    let height = Double(size.height)
    let far: Double = (Double(y) / height - 0.5) * 3.4
    let light: Double = exp(-far * far) * Double(stripCount - 1)
    let level = Int(light + (chance.next() - 0.5) * 1.6)
    let phase: Double = Double(y) / height * 2 * .pi
    let swung: Double = 1.2 + sin(1.3 * phase) + chance.next() * 0.1
    return (min(max(level, 0), stripCount - 1), Int(swung / 2.4 * Double(swing)))
  }

  /// One long row of the Milky Way, with the grain that makes the file large.
  ///
  /// - Parameter light: How bright it is, from 0 to 1.
  private static func strip(light: Double, number: Int) -> [UInt8] {
    var grain = Chance(seed: UInt64(number))
    return (0..<(size.width + swing)).flatMap { x -> [UInt8] in
      let dust = Chance.hills(Double(x) / 900, light * 2.5, seed: 7)
      let glow = 52 + light * light * (70 + 150 * max(0, dust - 0.2))
      let noise: Double = (grain.next() + grain.next() - 1) * 52 + (grain.next() > 0.9992 ? 140 : 0)
      let tints: [Double] = [0.78 + 0.3 * light * dust, 0.74 + 0.1 * dust, 1.12 - 0.3 * light]
      return tints.map { tint in
        UInt8(clamping: Int(glow * tint + noise))
      }
    }
  }
}
