public import Foundation
public import StreamImages

/// Generated images and their encoded bytes, so that tests need no files.
public enum Pictures {
  /// Returns a gradient. Red increases to the right and green downwards; blue distinguishes images.
  ///
  /// All pixels have this `alpha`; without one, the image is opaque.
  public static func gradient(
    _ width: Int, _ height: Int, blue: UInt8 = 128, alpha: UInt8? = nil
  ) throws -> Image {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * (alpha == nil ? 3 : 4))
    for y in 0..<height {
      for x in 0..<width {
        bytes.append(UInt8(x * 255 / max(1, width - 1)))
        bytes.append(UInt8(y * 255 / max(1, height - 1)))
        bytes.append(blue)
        if let alpha { bytes.append(alpha) }
      }
    }
    return try Image(bytes: bytes, width: width, height: height, pixelFormat: alpha == nil ? .rgb8 : .rgba8)
  }

  /// Returns noise, which cannot be compressed: a PNG of it has about three bytes per pixel.
  ///
  /// The same `seed` returns the same image.
  public static func noise(_ width: Int, _ height: Int, seed: UInt64 = 1) throws -> Image {
    var state = seed
    let bytes = (0..<width * height * 3).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 56)
    }
    return try Image(bytes: bytes, width: width, height: height, pixelFormat: .rgb8)
  }

  /// Returns a gradient, encoded as JPEG.
  public static func jpeg(_ width: Int = 64, _ height: Int = 48) throws -> Data {
    Data(try ImageEncoder.encode(gradient(width, height), as: .jpeg(quality: 0.9)))
  }

  /// Returns noise, encoded as progressive JPEG.
  public static func progressiveJPEG(_ width: Int = 64, _ height: Int = 48) throws -> Data {
    Data(try ImageEncoder.encode(noise(width, height), as: .jpeg(quality: 0.9, progressive: true)))
  }

  /// Returns a gradient, encoded as PNG.
  public static func png(
    _ width: Int = 64, _ height: Int = 48, blue: UInt8 = 128, alpha: UInt8? = nil
  ) throws -> Data {
    Data(try ImageEncoder.encode(gradient(width, height, blue: blue, alpha: alpha), as: .png))
  }

  /// A PNG whose header claims 2³¹−1 pixels in both directions and is valid otherwise.
  public static var hugePNG: Data {
    let size: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF]
    let kind: [UInt8] = [8, 2, 0, 0, 0]
    let header = Array("IHDR".utf8) + size + kind
    let end = Array("IEND".utf8)
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let parts: [Data] = [
      Data(signature), Data([0, 0, 0, 13]), Data(header), checksum(header), Data([0, 0, 0, 0]), Data(end),
      checksum(end),
    ]
    return Data(parts.joined())
  }

  private static func checksum(_ bytes: [UInt8]) -> Data {
    let sum = bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return withUnsafeBytes(of: (~sum).bigEndian) { Data($0) }
  }
}
