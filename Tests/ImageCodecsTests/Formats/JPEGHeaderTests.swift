import ImageCodecs
import Testing

@Suite("JPEG headers")
struct JPEGHeaderTests {
  /// The first marker, and an empty comment.
  private static let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFE, 0, 2]
  /// The first two bytes of a scan, at which the header ends.
  private static let scan: [UInt8] = [0xFF, 0xDA]

  private func frame(
    _ marker: UInt8 = 0xC0, _ samplings: [UInt8] = [0x22, 0x11, 0x11], width: Int = 16, height: Int = 16,
    precision: UInt8 = 8
  ) -> [UInt8] {
    var content: [UInt8] = [precision] + big(height, count: 2) + big(width, count: 2)
    content.append(UInt8(samplings.count))
    for (index, sampling) in samplings.enumerated() { content += [UInt8(index + 1), sampling, 0] }
    return JPEGFile.segment(marker, content)
  }

  private func info(_ segments: [UInt8]) throws -> ImageInfo {
    try ImageDecoder.info(of: Self.start + segments + Self.scan)
  }

  private func error(_ segments: [UInt8]) -> ImageCodecError? {
    do {
      _ = try info(segments)
      return nil
    } catch { return error as? ImageCodecError }
  }

  @Test("A frame has a size of two bytes a side, and is progressive or not")
  func frames() throws {
    for marker: UInt8 in [0xC0, 0xC1, 0xC2, 0xC9, 0xCA] {
      let found = try info(frame(marker, width: 0x0102, height: 0x0304))
      #expect(found.storedSize == PixelSize(width: 0x0102, height: 0x0304))
      #expect(
        found.isProgressive == (marker == 0xC2 || marker == 0xCA) && !found.hasAlpha && !found.isAnimated)
      #expect(found.bitsPerComponent == 8)
    }
    let refused: [UInt8] = [0xC3, 0xC5, 0xC6, 0xC7, 0xCB, 0xCD, 0xCE, 0xCF]
    for marker in UInt8(0xC2)...0xFE
    where ![0xC2, 0xC9, 0xCA].contains(marker) && !(0xD0...0xDA).contains(marker) {
      // Others are not looked at.
      let isRefused = refused.contains(marker)
      #expect(
        error(frame(marker) + frame())
          == (isRefused ? .unsupportedFeature("JPEG that is lossless or hierarchical") : nil), "\(marker)")
    }
    #expect(try info(frame(width: 1, height: 65_535)).storedSize == PixelSize(width: 1, height: 65_535))
    #expect(
      error(frame(width: 0)) == .corrupt("an empty frame")
        && error(frame(height: 0)) == .corrupt("an empty frame"))
    #expect(error(frame(0xC0, [])) == .corrupt("an empty frame") && error([]) == .corrupt("no frame header"))
    for count in 1...5 {
      let samplings = [UInt8](repeating: 0x11, count: count)
      #expect(
        error(frame(0xC0, samplings))
          == ([1, 3, 4].contains(count) ? nil : .unsupportedFeature("JPEG of \(count) components")))
    }
    #expect(error(frame(precision: 7)) == .unsupportedFeature("JPEG of 7 bits"))
    #expect(error(frame() + frame(0xC2)) == .corrupt("two frame headers"))
    let least: [UInt8] = [8, 0, 1, 0, 1, 1]
    for count in 0...5 {
      let segment = JPEGFile.segment(0xC0, Array(least.prefix(count)))
      #expect(error(segment) == .corrupt("a short frame header"), "\(count)")
    }
    #expect(error(JPEGFile.segment(0xC0, least)) == nil)
  }

  @Test("A header that is cut anywhere is truncated")
  func truncation() throws {
    let file = Self.start + JPEGFile.segment(0xFE, [1, 2, 3]) + frame() + Self.scan
    for count in 3..<file.count {
      #expect(throws: ImageCodecError.truncated, "\(count)") { try ImageDecoder.info(of: file.prefix(count)) }
    }
    #expect(try ImageDecoder.info(of: file).storedSize == PixelSize(width: 16, height: 16))
  }

  @Test("Bytes between segments are skipped, unless they are markers")
  func filling() throws {
    let expected = try info(frame())
    for filling: [UInt8] in [
      [0], [1, 2, 3], [0xFF], [0xFF, 0xFF, 0xFF], [0xFF, 0x00], [0xFF, 0x01], [0xFF, 0xD0], [0xFF, 0xD7],
      [0xFF, 0x00, 0xFF, 0xD3, 9],
      [0xFF, 0x02, 0, 2], [0xFF, 0x02, 0, 4, 0xFF, 0xD9], [0xFF, 0xFE, 0, 0], [0xFF, 0xFE, 0, 1],
      [0xFF, 0xFE, 0, 2], [0xFF, 0xFE, 0, 3, 0xFF],
    ] {
      #expect(try info(filling + frame()) == expected, "\(filling)")
    }
    #expect(error([0xFF, 0xD8] + frame()) == .corrupt("an image within the image"))
    for end: UInt8 in [0xD9, 0xDA] { #expect(error([0xFF, end] + frame()) == .corrupt("no frame header")) }
    // What follows the scan is not looked at.
    #expect(try ImageDecoder.info(of: Self.start + frame() + Self.scan + [0xFF, 0xD8]) == expected)
  }

  @Test("The coefficients of a progressive file are counted with their sampling")
  func coefficients() throws {
    // Two bytes for each coefficient: halves of a byte per pixel.
    for (samplings, bytesPerPixel) in [
      ([0x11], 2), ([0x22], 2), ([0x11, 0x11, 0x11], 6), ([0x22, 0x11, 0x11], 3), ([0x21, 0x11, 0x11], 4),
      ([0x21, 0x12, 0x11], 2.5),
      ([0x41, 0x14, 0x22], 1.5), ([0x11, 0x11, 0x11, 0x11], 8), ([0x00], 0), ([0x00, 0x11, 0x12], 3),
    ] as [([UInt8], Double)] {
      let costs = try [0xC0, 0xC2].map { (marker: UInt8) -> Int in
        try ImageDecoder.byteCost(
          of: Self.start + frame(marker, samplings, width: 40, height: 24) + Self.scan)
      }
      #expect(Double(costs[1] - costs[0]) == 960 * bytesPerPixel, "\(samplings)")
    }
    // Those that are not there are sampled once.
    let short = try [0xC0, 0xC2].map { (marker: UInt8) -> Int in
      let segment = JPEGFile.segment(marker, [8, 0, 24, 0, 40, 3, 1, 0x11, 0])
      return try ImageDecoder.byteCost(of: Self.start + segment + Self.scan)
    }
    #expect(short[1] - short[0] == 960 * 6)
  }

  @Test("The parts of a profile are put together by their numbers")
  func profiles() throws {
    let profile = Profiles.minimal()
    let third = profile.count / 3
    let parts = [profile[..<third], profile[third..<2 * third], profile[(2 * third)...]]
    func found(_ segments: [(part: Int, number: UInt8, count: UInt8)]) throws -> [UInt8]? {
      let bytes = segments.flatMap { Profiles.segment(parts[$0.part], number: $0.number, of: $0.count) }
      return try ImageMetadata(of: Self.start + bytes + frame() + Self.scan).colorProfile?.bytes
    }
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      #expect(try found(order.map { ($0, UInt8($0 + 1), 3) }) == profile, "\(order)")
    }
    for wrong in [
      [(0, 1, 3), (1, 2, 3)], [(0, 1, 3), (1, 2, 3), (1, 2, 3)], [(0, 1, 3), (1, 2, 3), (2, 3, 2)],
      [(0, 0, 3), (1, 1, 3), (2, 2, 3)],
      [(0, 1, 3), (1, 2, 3), (2, 4, 3)], [(0, 1, 3), (1, 2, 3), (2, 3, 3), (2, 3, 3)],
      [(0, 1, 2), (1, 2, 2), (2, 3, 2)], [(0, 1, 0)],
    ] as [[(Int, UInt8, UInt8)]] {
      #expect(try found(wrong.map { ($0.0, $0.1, $0.2) }) == nil, "\(wrong)")
    }
    for short in [[], [1]] as [[UInt8]] {
      let bytes =
        JPEGFile.segment(0xE2, Array("ICC_PROFILE\0".utf8) + short)
        + Profiles.segment(profile[...], number: 1, of: 1)
      #expect(try ImageMetadata(of: Self.start + bytes + frame() + Self.scan).colorProfile == nil)
    }
  }

  @Test("A profile has at most 255 parts, and more are not looked at")
  func manyParts() throws {
    let profile = Profiles.minimal(padding: 255 - 244)
    for more in [0, 1, 5] {
      let bytes = profile.indices.flatMap {
        Profiles.segment(profile[$0...$0], number: UInt8($0 + 1), of: 255)
      }
      let rest = (0..<more).flatMap { _ in Profiles.segment(profile[..<1], number: 1, of: 255) }
      let found = try ImageMetadata(of: Self.start + bytes + rest + frame() + Self.scan).colorProfile
      #expect(found?.bytes == profile, "\(more)")
    }
  }
}
