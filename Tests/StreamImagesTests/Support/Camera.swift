import Foundation
import StreamImages

/// Files as cameras make them, and others.
enum Camera {
  /// A baseline JPEG, 320 × 240, whose embedded thumbnail, 160 × 120, shows something else: it is blue, and the picture is not.
  static func jpeg() throws -> Data {
    let thumbnail = try ImageEncoder.encode(flat(160, 120, [40, 40, 200]), as: .jpeg())
    let entry = { (tag: Int, type: Int, value: Int) in
      little(tag, 2) + little(type, 2) + little(1, 4) + little(value, 4)
    }
    var exif = Array("Exif\0\0II*\0".utf8) + little(8, 4)
    exif += little(1, 2) + entry(0x0112, 3, 1) + little(26, 4)
    exif += little(2, 2) + entry(0x0201, 4, 56) + entry(0x0202, 4, thumbnail.count) + little(0, 4) + thumbnail
    let length = exif.count + 2
    let whole = try ImageEncoder.encode(flat(320, 240, [200, 40, 40]), as: .jpeg())
    return Data(whole[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif + whole[2...])
  }

  /// Two frames of two pixels.
  static var gif: Data {
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x44, 0x0A, 0]
    return Data(Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 0, 0] + frame + frame + [0x3B])
  }

  private static func flat(_ width: Int, _ height: Int, _ color: [UInt8]) throws -> Image {
    try Image(
      bytes: [[UInt8]](repeating: color, count: width * height).flatMap { $0 }, width: width, height: height,
      pixelFormat: .rgb8)
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
