import ImageCodecs
import TestSupport
import Testing

@Suite("TIFF variants")
struct TIFFTableTests {
  /// A kind of colors, and what a pixel of it looks like.
  enum Colors: Int, CaseIterable {
    case invertedGray = 0
    case gray = 1
    case rgb = 2
    case palette = 3
    case mask = 4
    case inks = 5
    case lab = 8
    case profileLab = 9
    case otherLab = 10
    case sensor = 32_803
    case linear = 34_892

    var samples: Int {
      switch self {
      case .rgb, .lab, .profileLab, .otherLab, .linear: 3
      case .inks: 4
      default: 1
      }
    }

    /// Whether samples of this kind can be shown, as `Docs/formats.md` says.
    func isShown(bits: Int, _ format: TIFFFile.Format) -> Bool {
      switch (self, format) {
      case (.mask, _), (.otherLab, _), (.sensor, _), (.linear, _): false
      case (.lab, .float), (.profileLab, .float), (.palette, .float): false
      case (.lab, _), (.profileLab, _): bits == 8 || bits == 16
      case (_, .signed): false
      case (.palette, _): bits <= 8
      default: true
      }
    }
  }

  static let sizes: [(TIFFFile.Format, [Int])] = [
    (.unsigned, [1, 2, 4, 8, 12, 16, 24, 32, 64]), (.signed, [8, 16, 32]), (.float, [16, 32, 64]),
    (.undefined, [8, 16]),
  ]

  /// How its samples are stored: arrangement, compression, predictor, and whether offsets have eight bytes.
  private static let storages: [(TIFFFile.Arrangement, Int, Int, Bool)] = [
    (.strips, 1, 1, false), (.strip, 8, 1, true), (.strips, 8, 2, false), (.strips, 8, 3, false),
    (.tiles, 1, 1, true), (.tiles, 8, 2, false), (.tiles, 8, 3, true),
  ]

  @Test("A TIFF whose palette libtiff does not accept throws an error with the reason")
  func palettePlace() {
    var file = TIFFFile()
    (file.colors, file.colorSamples, file.bits) = (3, 1, 8)
    file.palette = Array(repeating: [1, 2, 3], count: 256)
    file.putsPaletteFirst = true

    let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file.bytes) }
    #expect(
      error == .corrupt("no palette for samples of 8 bits, or one that comes before their number of bits"))
  }

  @Test(
    "Every combination of TIFF layout and sample format decodes correctly or is unsupported",
    arguments: [
      (Colors.invertedGray, 660, 530), (.gray, 660, 530), (.rgb, 660, 530), (.palette, 190, 1_000),
      (.mask, 0, 170), (.inks, 660, 530), (.lab, 300, 890), (.profileLab, 300, 890), (.otherLab, 0, 170),
      (.sensor, 0, 170), (.linear, 0, 170),
    ])
  func table(colors: Colors, right: Int, refused: Int) throws {
    var counts = (right: 0, refused: 0, wrong: 0)
    for file in TIFFTableTests.files(colors) {
      let (arrangement, compression, predictor) = (file.arrangement, file.compression, file.predictor)
      let isPredictable =
        predictor == 1 || (predictor == 2 ? [8, 16, 32, 64].contains(file.bits) : file.format == .float)
      let storage = "\(file.isInPlanes) \(arrangement) \(compression) \(predictor)"
      let name = "\(colors) \(file.bits) \(file.format) \(file.extras ?? [-1]) \(storage)"
      do {
        let image = try ImageDecoder.decode(file.bytes)
        let problem = problem(image, file, colors)
        #expect(
          problem == nil && isPredictable && colors.isShown(bits: file.bits, file.format),
          "\(name): \(problem ?? "")")
        if problem == nil { counts.right += 1 } else { counts.wrong += 1 }
      } catch {
        #expect(error.kind == "unsupportedFeature", "\(name): \(error)")
        #expect(!isPredictable || !colors.isShown(bits: file.bits, file.format), "\(name): \(error)")
        counts.refused += 1
      }
    }
    #expect(counts == (right, refused, 0))
  }

  private static func files(_ colors: Colors) -> [TIFFFile] {
    var files: [TIFFFile] = []
    for (format, bits) in sizes.flatMap({ format, all in all.map { (format, $0) } }) {
      for extras: [Int]? in [[], [0], [1], [2], nil] {
        for isInPlanes in [false, true] {
          let isKnown = ![.mask, .otherLab, .sensor, .linear].contains(colors)
          for (number, storage) in storages.enumerated() where isKnown || number == 0 {
            var file = TIFFFile(
              colors: colors.rawValue, colorSamples: colors.samples, bits: bits, format: format)
            (file.extras, file.isInPlanes) = (extras, isInPlanes)
            (file.arrangement, file.compression, file.predictor, file.isLarge) = storage
            file.isBigEndian = (number + bits / 8 + (extras?.count ?? 2)).isMultiple(of: 2)
            if colors == .palette, bits <= 8 {
              file.palette = (0..<1 << bits).map { (index: Int) -> [Int] in
                [index * 65_535 >> bits, 65_535 - index * 200, index * 91]
              }
            }
            let plain = file.value
            // No pixel without color, because nothing can be said of what is multiplied by nothing.
            file.value = { x, y, sample in
              let alpha = max(plain(x, y, colors.samples), 0.5)
              if sample >= colors.samples { return alpha }
              if colors == .lab || colors == .profileLab {
                let zero: Double = bits == 8 ? 128.0 / 255 : 32_768.0 / 65_535
                return sample == 0 ? plain(x, y, 0) : colors == .lab ? 0 : zero
              }
              return extras == [1] && colors != .palette ? plain(x, y, sample) * alpha : plain(x, y, sample)
            }
            files.append(file)
          }
        }
      }
    }
    return files
  }

  /// What is wrong with an image; `nil` if nothing is.
  private func problem(_ image: Image, _ file: TIFFFile, _ colors: Colors) -> String? {
    let hasAlpha = file.extras != [] && file.extras != [0]
    let isGray = colors == .gray || colors == .invertedGray
    guard image.size == PixelSize(width: file.width, height: file.height) else { return "size" }
    guard image.pixelFormat == (hasAlpha ? .rgba8 : isGray ? .gray8 : .rgb8) else { return "format" }
    for y in 0..<file.height {
      for x in 0..<file.width {
        guard let pixel = image.pixel(x: x, y: y) else { return "no pixel" }
        let found = [pixel.red, pixel.green, pixel.blue].map(Double.init)
        let alpha = hasAlpha ? file.stored(x, y, colors.samples) : 1
        let wanted = color(x, y, file, colors, file.extras == [1] ? alpha : 1)
        // Inks have eight bits before they are multiplied; CIELab has eight in the file.
        let tolerance = colors == .lab || colors == .profileLab ? 3.0 : colors == .inks ? 1.5 : 1.01
        guard zip(found, wanted).allSatisfy({ abs($0 - $1 * 255) <= tolerance }) else {
          return "\(x), \(y): \(found) for \(wanted.map { $0 * 255 })"
        }
        if hasAlpha, abs(Double(pixel.alpha) - alpha * 255) > 1.01 {
          return "alpha \(pixel.alpha) for \(alpha * 255)"
        }
      }
    }
    return nil
  }

  /// The color that a pixel should have, from 0 to 1.
  private func color(_ x: Int, _ y: Int, _ file: TIFFFile, _ colors: Colors, _ alpha: Double) -> [Double] {
    let stored = (0..<colors.samples).map { file.stored(x, y, $0) }
    let plain = stored.map { min($0 / alpha, 1) }
    switch colors {
    case .invertedGray:
      let gray = min((1 - stored[0]) / alpha, 1)
      return [gray, gray, gray]
    case .gray: return [plain[0], plain[0], plain[0]]
    case .palette:
      let entry = file.palette[Int((stored[0] * file.most).rounded())]
      return entry.map { min(Double($0) / 65_535 / alpha, 1) }
    case .inks:
      let light = 1 - plain[3]
      return plain.prefix(3).map { (1 - $0) * light }
    case .lab, .profileLab:
      let scale = colors == .profileLab && file.bits == 16 ? 65_535.0 / 65_280 : 1
      let gray = TIFFTableTests.gray(lightness: min(stored[0] * scale, 1) * 100)
      return [gray, gray, gray]
    default: return plain
    }
  }

  /// The level of sRGB for a lightness of CIELab.
  private static func gray(lightness: Double) -> Double {
    let root = (lightness + 16) / 116
    let light = lightness > 8 ? root * root * root : lightness / 903.3
    if light <= 0.003_130_8 { return light * 12.92 }
    // The 2.4th root, by halving.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      let (square, lightSquare) = (middle * middle, light * light)
      let fourth = square * square
      if fourth * fourth * fourth < lightSquare * lightSquare * light { low = middle } else { high = middle }
    }
    return 1.055 * low - 0.055
  }
}
