import Foundation
import StreamImages

/// Pictures made on the spot.
enum Pictures {
  /// Red grows to the right, green downwards.
  static func gradient(_ width: Int, _ height: Int, alpha: UInt8? = nil) throws -> Image {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        bytes += [UInt8(x * 255 / max(1, width - 1)), UInt8(y * 255 / max(1, height - 1)), 128]
        if let alpha { bytes.append(alpha) }
      }
    }
    return try Image(bytes: bytes, width: width, height: height, pixelFormat: alpha == nil ? .rgb8 : .rgba8)
  }

  static func jpeg(_ width: Int = 64, _ height: Int = 48) throws -> Data {
    Data(try ImageEncoder.encode(gradient(width, height), as: .jpeg(quality: 0.9)))
  }

  static func png(_ width: Int = 64, _ height: Int = 48, alpha: UInt8? = nil) throws -> Data {
    Data(try ImageEncoder.encode(gradient(width, height, alpha: alpha), as: .png))
  }

  /// A header that says 2³¹−1 pixels in both directions, and is right in all else.
  static var hugePNG: Data {
    let size: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF]
    let header = Array("IHDR".utf8) + size + [8, 2, 0, 0, 0]
    let end = Array("IEND".utf8)
    return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      + Data([0, 0, 0, 13]) + Data(header) + checksum(header) + Data([0, 0, 0, 0]) + Data(end) + checksum(end)
  }

  private static func checksum(_ bytes: [UInt8]) -> Data {
    let sum = bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return withUnsafeBytes(of: (~sum).bigEndian) { Data($0) }
  }
}
