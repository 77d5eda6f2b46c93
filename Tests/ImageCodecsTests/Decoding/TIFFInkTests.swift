import ImageCodecs
import Testing

@Suite("CMYK TIFF")
struct TIFFInkTests {
  /// Inks, and the colors that Little CMS makes of them with the profile of `cmyk.jpg` and perceptual intent.
  private let colors: [(inks: [Int], color: [Int])] = [
    ([0, 0, 0, 0], [255, 255, 255]), ([255, 0, 0, 0], [0, 175, 239]), ([0, 255, 0, 0], [236, 20, 141]),
    ([0, 0, 255, 0], [255, 242, 0]), ([0, 0, 0, 255], [43, 41, 42]), ([128, 64, 32, 16], [124, 158, 185]),
    ([10, 200, 100, 50], [193, 81, 100]), ([255, 255, 0, 0], [52, 55, 148]),
    ([90, 90, 90, 90], [122, 115, 113]),
  ]

  private func file(bits: Int = 8) -> TIFFFile {
    var file = TIFFFile()
    (file.colors, file.colorSamples, file.bits) = (5, 4, bits)
    file.value = { x, _, sample in sample < 4 ? Double(colors[x].inks[sample]) / 255 : 0.5 }
    return file
  }

  /// The profile that is stored in a JPEG, in parts.
  private func profile() throws -> [UInt8] {
    let bytes = try Files.bytes("cmyk.jpg")
    let parts = bytes.positions(of: Array("ICC_PROFILE\0".utf8)).map { start -> ArraySlice<UInt8> in
      let length = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
      return bytes[start + 14..<start - 2 + length]
    }
    return parts.flatMap { $0 }
  }

  private func distance(_ image: Image, _ expected: [[Int]]) -> Int {
    var most = 0
    for (x, color) in expected.enumerated() {
      guard let pixel = image.pixel(x: x, y: 3) else { return 255 }
      for (level, other) in zip([pixel.red, pixel.green, pixel.blue], color) {
        most = max(most, abs(Int(level) - other))
      }
    }
    return most
  }

  @Test("A CMYK TIFF is converted by its color profile in every layout and depth", arguments: [8, 16])
  func profiled(bits: Int) throws {
    let profile = try profile()
    #expect(profile.count > 100_000)
    for arrangement in TIFFFile.Arrangement.allCases {
      for (isInPlanes, isBigEndian, extras) in [(false, false, []), (true, true, []), (false, true, [2])] {
        var file = file(bits: bits)
        (file.arrangement, file.isInPlanes, file.isBigEndian, file.extras) =
          (arrangement, isInPlanes, isBigEndian, extras)
        file.profile = profile

        let image = try ImageDecoder.decode(file.bytes)

        #expect(image.colorSpace == .sRGB)
        let distance = distance(image, colors.map(\.color))
        #expect(distance <= 3, "\(arrangement) \(isInPlanes) \(extras): \(distance)")
        #expect(image.pixel(x: 0, y: 0)?.alpha == (extras.isEmpty ? 255 : 128))
      }
    }
  }

  @Test("A CMYK TIFF without a usable profile is converted by multiplication")
  func multiplied() throws {
    let multiplied = colors.map { entry in
      entry.inks.prefix(3).map { (255 - $0) * (255 - entry.inks[3]) / 255 }
    }
    let rgb = try #require(ICCProfile.displayP3).bytes
    for profile in [[], [UInt8](repeating: 7, count: 200), rgb, Array(try profile().prefix(5_000))] {
      var file = file()
      file.profile = profile

      let image = try ImageDecoder.decode(file.bytes)

      #expect(distance(image, multiplied) <= 1, "\(profile.count)")
      #expect(distance(image, colors.map(\.color)) > 20)
    }
  }
}
