import Foundation
import StreamImages
import Studio

/// A picture of 100 megapixels, the same each time, that never is in memory: it is painted row by row.
struct HugePicture {
  private static let size = PixelSize(width: 12_500, height: 8_000)
  private static let swing = 1_000

  private let size = Self.size
  /// One long row of colours, of which each row of the picture shows a part.
  private let strip = Self.strip(count: Self.size.width + 2 * Self.swing)

  func write(to url: URL) throws {
    try Data().write(to: url)
    let file = try FileHandle(forWritingTo: url)
    var byteCount = 0

    let start = ContinuousClock.now
    try JPEGWriter(width: size.width, height: size.height, pixelFormat: .rgb8).write { y, row in
      paint(y, into: row)
    } output: { bytes in
      try file.write(contentsOf: Data(bytes))
      byteCount += bytes.count
    }
    try file.close()

    let time = start.duration(to: .now).milliseconds.rounded
    let memory = Memory.peak.map { ", peak memory \($0 / 1_000_000) MB" } ?? ""
    Console.say(
      "\(url.path): \(size.width) × \(size.height) pixels, \(byteCount.grouped) bytes, \(time) ms\(memory).")
  }

  /// A part of the strip that swings from side to side on the way down.
  private func paint(_ y: Int, into row: UnsafeMutableRawBufferPointer) {
    let phase = Double(y) / Double(size.height) * 2 * .pi
    let swing = (sin(2 * phase) + sin(5 * phase) / 2) / 1.5
    let offset = Self.swing + Int(swing * Double(Self.swing))
    strip.withUnsafeBytes { strip in
      row.copyMemory(from: UnsafeRawBufferPointer(rebasing: strip[(offset * 3)...].prefix(row.count)))
    }
  }

  private static func strip(count: Int) -> [UInt8] {
    let waves: [Double] = [900, 1_500, 2_600]
    return (0..<count).flatMap { (x: Int) -> [UInt8] in
      waves.map { (wave: Double) -> UInt8 in UInt8(128 + 120 * sin(Double(x) / wave * 2 * .pi)) }
    }
  }
}
