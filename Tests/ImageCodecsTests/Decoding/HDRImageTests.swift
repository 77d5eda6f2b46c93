import Foundation
import ImageCodecs
import Testing

@Suite("PQ and HLG, shown in SDR")
struct HDRImageTests {
  /// Samples of 16 bits, with the numbers of ITU-R H.273.
  private static func png(
    _ rows: [[Int]], color: UInt8 = 2, primaries: UInt8 = 9, transfer: UInt8 = 16,
    more: [(String, [UInt8])] = []
  ) -> [UInt8] {
    PNGFile.file(
      rows[0].count / (color == 0 ? 1 : color == 6 ? 4 : 3), rows.count, bitDepth: 16, color: color,
      before: more + [("cICP", [primaries, transfer, 0, 1])],
      rows: rows.map { $0.flatMap { big($0, count: 2) } })
  }

  private static func code(_ signal: Double) -> Int { Int((signal * 65_535).rounded()) }

  private static let colors: [[Int]] = [
    [0, 0, 0, 0xFFFF, 0xFFFF, 0xFFFF, 0x8000, 0x8000, 0x8000],
    [0x2000, 0x4000, 0x6000, 0x9000, 0x8800, 0x7F00, 0xC000, 0x9000, 0x7000],
    [0x0400, 0x0300, 0x0500, 0x7000, 0xA000, 0x6800, 0x5000, 0x5800, 0xB000],
  ]

  @Test(
    "Samples are those of a model of BT.2100, BT.2390 and BT.2408",
    arguments: [UInt8(1), 9, 12], [UInt8(16), 18])
  func model(primaries: UInt8, transfer: UInt8) throws {
    let file = Self.png(Self.colors, primaries: primaries, transfer: transfer)
    let model = HDRModel(primaries: primaries, isHLG: transfer == 18)

    let image = try ImageDecoder.decode(file, options: DecodingOptions(keepsDepth: true))
    let narrow = try ImageDecoder.decode(file)

    #expect(image.pixelFormat == .rgb16 && narrow.pixelFormat == .rgb8 && image.colorSpace == .sRGB)
    let expected = Self.colors.flatMap { $0 }.map { Double($0) / 65_535 }
    for start in stride(from: 0, to: expected.count, by: 3) {
      let shown = model.shown(Array(expected[start..<start + 3]))
      for color in 0..<3 {
        let found = Double(image.samples[start + color]) / 65_535
        #expect(abs(found - shown[color]) < 0.0015, "\(start / 3): \(found), \(shown)")
        #expect(abs(Double(narrow.bytes[start + color]) - found * 255) <= 0.51)
      }
    }
  }

  @Test(
    "Published signals of the white of SDR, 58 % of PQ and 75 % of HLG, are the same bright gray; black is black"
  )
  func white() throws {
    let pq = try ImageDecoder.decode(Self.png([[Self.code(0.5807), 0, 0xFFFF]], color: 0))
    let hlg = try ImageDecoder.decode(Self.png([[Self.code(0.75), 0, 0xFFFF]], color: 0, transfer: 18))

    #expect(pq.pixelFormat == .gray8 && abs(Int(pq.bytes[0]) - 230) <= 1)
    #expect(abs(Int(hlg.bytes[0]) - 230) <= 1)
    #expect(pq.bytes[1...] == [0, 255] && hlg.bytes[1...] == [0, 255])
  }

  @Test("Light below a tenth of the peak is shown as it is: 26 cd/m² are an eighth of the white")
  func dark() throws {
    // The inverse of PQ of 203 / 8 cd/m².
    let signal = HDRModel.signal(of: 203.0 / 8)

    let image = try ImageDecoder.decode(
      Self.png([[Self.code(signal)]], color: 0), options: DecodingOptions(keepsDepth: true))

    let light = pow((Double(image.samples[0]) / 65_535 + 0.055) / 1.055, 2.4)
    #expect(abs(light - 0.125) < 0.0005)
  }

  @Test("A file that names its brightest light is compressed for that: more highlights, or none")
  func peak() throws {
    let signal = Self.code(HDRModel.signal(of: 203))
    func shown(_ peak: Int?) throws -> Int {
      let more = peak.map { [("cLLI", big($0 * 10_000, count: 4) + big(0, count: 4))] } ?? []
      return Int(try ImageDecoder.decode(Self.png([[signal]], color: 0, more: more)).bytes[0])
    }

    #expect(try shown(203) == 255 && shown(100) == 255)
    #expect(try shown(400) > shown(1_000) && shown(1_000) > shown(4_000))
    #expect(try shown(nil) == shown(1_000) && shown(0) == shown(1_000))
    for peak in [400.0, 4_000] {
      let model = HDRModel(primaries: 9, isHLG: false, peak: peak)
      #expect(abs(Double(try shown(Int(peak))) / 255 - model.shown([0.5807, 0.5807, 0.5807])[0]) < 0.003)
    }
  }

  @Test("Transparency is not changed, and a profile beside the numbers is not applied")
  func beside() throws {
    let samples = [0x6000, 0x7000, 0x5000, 0x4000]
    let profile = try #require(ICCProfile.displayP3)
    let plain = try ImageDecoder.decode(Self.png([samples], color: 6))
    let iccp = ("iCCP", Array("P3\0\0".utf8) + Deflate.stored(profile.bytes))

    #expect(plain.bytes.last == 0x40)
    #expect(try ImageDecoder.decode(Self.png([samples], color: 6, more: [iccp])) == plain)
    var options = DecodingOptions()
    options.colors = .asStored
    #expect(try ImageDecoder.decode(Self.png([samples], color: 6), options: options) == plain)
  }

  @Test("Numbers of SDR name a color space: sRGB, Display P3 and BT.2020")
  func standard() throws {
    var options = DecodingOptions()
    options.colors = .asStored
    func colorSpace(_ primaries: UInt8, _ transfer: UInt8) throws -> Image.ColorSpace {
      try ImageDecoder.decode(
        Self.png([[0x8000, 0, 0]], primaries: primaries, transfer: transfer), options: options
      ).colorSpace
    }

    #expect(try colorSpace(1, 13) == .sRGB)
    #expect(try colorSpace(12, 13) == ICCProfile.displayP3.map { .profile($0) })
    let wide = try #require(try colorSpace(9, 14).profileBytes)
    #expect(wide != ICCProfile.displayP3?.bytes)
    // Red of BT.2020 is outside of sRGB, and its gray is gray.
    let bytes = try ImageDecoder.decode(
      Self.png([[0x8000, 0x8000, 0x8000, 0xFFFF, 0, 0]], transfer: 14)
    ).bytes
    #expect(bytes[0..<3].allSatisfy { abs(Int($0) - 128) <= 1 } && bytes[3...] == [255, 0, 0])
    // A number that means nothing here leaves the other labels alone.
    #expect(try colorSpace(2, 2) == .untagged)
  }

  static let damages: [(String, [UInt8], UInt32)] = [
    ("a wrong checksum", [9, 16, 0, 1], 1), ("a short one", [9, 16, 0], 0),
    ("a long one", [9, 16, 0, 1, 0], 0),
    ("limited range", [9, 16, 0, 0], 0), ("a matrix", [9, 16, 9, 1], 0),
  ]

  @Test("A damaged chunk of color numbers is ignored", arguments: damages.indices)
  func damaged(index: Int) throws {
    let (name, content, error) = Self.damages[index]
    var file = PNGFile(width: 1, height: 1, bitDepth: 16, color: 0)
    file.append("cICP", content, crcError: error)
    file.append(rows: [big(0x8000, count: 2)])
    file.end()

    #expect(try ImageDecoder.decode(file.bytes).bytes == [128], "\(name)")
  }

  @Test("AVIF and HEIC of ten bits are shown as the model says", arguments: ["avif", "heic"])
  func boxes(format: String) throws {
    func file(_ transfer: UInt8, peak: Int? = nil) throws -> [UInt8] {
      var file = try BoxesFile(Files.bytes("deep.\(format)"), brand: format)
      file.items[0].properties.removeAll { $0[4...].starts(with: "colr".utf8) }
      file.items[0].properties.append(
        BoxesFile.box("colr", Array("nclx".utf8) + [0, 9, 0, transfer, 0, 6, 0x80]))
      if let peak { file.items[0].properties.append(BoxesFile.box("clli", big(peak, count: 2) + [0, 0])) }
      return file.bytes
    }
    var options = DecodingOptions(keepsDepth: true)
    options.colors = .asStored
    let codes = try ImageDecoder.decode(file(13), options: options).samples

    for (transfer, peak) in [(UInt8(16), nil), (16, 4_000), (18, nil)] {
      let bytes = try file(transfer, peak: peak)
      let model = HDRModel(primaries: 9, isHLG: transfer == 18, peak: Double(peak ?? 1_000))
      let image = try ImageDecoder.decode(bytes, options: options)
      let narrow = try ImageDecoder.decode(bytes)
      var worst = 0.0
      for start in stride(from: 0, to: codes.count, by: 3 * 97) {
        let shown = model.shown(codes[start..<start + 3].map { Double($0) / 65_535 })
        for color in 0..<3 {
          worst = max(worst, abs(Double(image.samples[start + color]) / 65_535 - shown[color]))
        }
      }
      #expect(worst < 0.002, "\(transfer): \(worst)")
      #expect(try narrow == image.reducedTo8Bits())
    }
  }
}

extension Image.ColorSpace {
  fileprivate var profileBytes: [UInt8]? {
    if case .profile(let profile) = self { profile.bytes } else { nil }
  }
}

/// The formulas of BT.2100, BT.2390 and BT.2408 in double precision, and matrices from the primaries: it shares nothing with the
/// sources.
private struct HDRModel {
  private let isHLG: Bool
  private let peak: Double
  private let toSRGB: [[Double]]
  private let luminance: [Double]

  init(primaries: UInt8, isHLG: Bool, peak: Double = 1_000) {
    self.isHLG = isHLG
    self.peak = peak
    let places: [UInt8: [(Double, Double)]] = [
      1: [(0.64, 0.33), (0.3, 0.6), (0.15, 0.06)], 9: [(0.708, 0.292), (0.17, 0.797), (0.131, 0.046)],
      12: [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)],
    ]
    let own = Self.toXYZ(places[primaries] ?? [])
    toSRGB = Self.product(Self.inverse(Self.toXYZ(places[1] ?? [])), own)
    luminance = own[1]
  }

  static func signal(of light: Double) -> Double {
    let power = pow(light / 10_000, 0.1593017578125)
    return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
  }

  private static func light(of signal: Double) -> Double {
    let power = pow(signal, 1 / 78.84375)
    return 10_000 * pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
  }

  /// The values of sRGB, from 0 to 1.
  func shown(_ signals: [Double]) -> [Double] {
    var light = signals.map(Self.light)
    if isHLG {
      let scene = signals.map {
        $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - 0.55991073) / 0.17883277) + 0.28466892) / 12
      }
      let brightness = zip(scene, luminance).reduce(0) { $0 + $1.0 * $1.1 }
      light = scene.map { brightness > 0 ? 1_000 * pow(brightness, 0.2) * $0 : 0 }
    }
    let most = light.max() ?? 0
    let shown = light.map { most > 0 ? $0 * compressed(most) / most / 203 : 0 }
    return toSRGB.map { row in
      let value = min(max(zip(row, shown).reduce(0) { $0 + $1.0 * $1.1 }, 0), 1)
      return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    }
  }

  /// The electrical-electrical transfer function of BT.2390, without its part for black.
  private func compressed(_ light: Double) -> Double {
    let whole = Self.signal(of: peak)
    let (signal, most) = (min(Self.signal(of: light) / whole, 1), Self.signal(of: 203) / whole)
    let start = 1.5 * most - 0.5
    if signal < start { return light }
    let t = (signal - start) / (1 - start)
    let spline =
      (2 * pow(t, 3) - 3 * pow(t, 2) + 1) * start + (pow(t, 3) - 2 * pow(t, 2) + t) * (1 - start)
      + (-2 * pow(t, 3) + 3 * pow(t, 2)) * most
    return Self.light(of: spline * whole)
  }

  private static func toXYZ(_ places: [(Double, Double)]) -> [[Double]] {
    let columns = places.map { [$0 / $1, 1, (1 - $0 - $1) / $1] }
    let matrix = (0..<3).map { row in columns.map { $0[row] } }
    let white = [0.3127 / 0.329, 1, (1 - 0.3127 - 0.329) / 0.329]
    let scales = inverse(matrix).map { zip($0, white).reduce(0) { $0 + $1.0 * $1.1 } }
    return matrix.map { zip($0, scales).map { $0 * $1 } }
  }

  private static func product(_ first: [[Double]], _ second: [[Double]]) -> [[Double]] {
    first.map { row in (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * second[$1][column] } } }
  }

  private static func inverse(_ matrix: [[Double]]) -> [[Double]] {
    func minor(_ row: Int, _ column: Int) -> Double {
      let (a, b, c, d) = ((row + 1) % 3, (row + 2) % 3, (column + 1) % 3, (column + 2) % 3)
      return matrix[a][c] * matrix[b][d] - matrix[a][d] * matrix[b][c]
    }
    let determinant = (0..<3).reduce(0) { $0 + matrix[0][$1] * minor(0, $1) }
    return (0..<3).map { row in (0..<3).map { column in minor(column, row) / determinant } }
  }
}
