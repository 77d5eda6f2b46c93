/// What the samples of a TIFF are.
struct TIFFLayout: Equatable {
  enum Colors: Equatable {
    case gray, invertedGray, rgb, palette, inks, lab, profileLab
    /// Colors that libtiff converts.
    case converted

    /// The number of samples that are colors.
    var count: Int {
      switch self {
      case .gray, .invertedGray, .palette: 1
      case .inks: 4
      case .rgb, .lab, .profileLab, .converted: 3
      }
    }
  }

  /// The tags that describe samples.
  struct Tags {
    var colors: Int?
    var samples = 1
    var bits: [Int] = [1]
    var formats: [Int] = [1]
    var extras: [Int] = []
    var inkSet = 1
    var isFax = false
    var isOldJPEG = false
  }

  private(set) var colors = Colors.gray
  private(set) var samples = 1
  private(set) var bits = 1
  private(set) var isFloat = false
  /// The index of the sample with alpha.
  private(set) var alpha: Int?
  /// Whether colors are multiplied by alpha.
  private(set) var isMultiplied = false

  init() {}

  /// Throws if pixels of this kind cannot be decoded.
  init(_ tags: Tags) throws(ImageCodecError) {
    samples = tags.samples
    bits = tags.bits.max() ?? 1
    guard (1...8).contains(samples), Set(tags.bits).count == 1 else {
      throw .unsupportedFeature("TIFF of \(samples) samples of \(bits) bits")
    }
    colors = try TIFFLayout.colors(tags)
    isFloat = tags.formats.contains(3)
    try checkFormats(tags.formats)
    try checkSizes()
    readAlpha(tags.extras)
  }

  /// The format of the decoded pixels.
  func pixelFormat(keepsDepth: Bool) -> Image.PixelFormat {
    let isWide = keepsDepth && bits > 8 && colors != .inks && colors != .converted
    let isGray = colors == .gray || colors == .invertedGray
    let narrow: Image.PixelFormat = alpha != nil || colors == .converted ? .rgba8 : isGray ? .gray8 : .rgb8
    return narrow.of(bits: isWide ? 16 : 8)
  }

  var bytesPerStoredPixel: Int { (samples * bits + 7) / 8 }

  /// Throws if samples of this kind cannot have been predicted so.
  func check(predictor: Int) throws(ImageCodecError) {
    let isKnown: Bool =
      switch predictor {
      case 1: true
      case 2: [8, 16, 32, 64].contains(bits)
      case 3: isFloat
      default: false
      }
    guard isKnown else {
      throw .unsupportedFeature("TIFF with predictor \(predictor) of samples of \(bits) bits")
    }
  }

  private static func colors(_ tags: Tags) throws(ImageCodecError) -> Colors {
    if tags.isOldJPEG { return .converted }
    // As libtiff, for files that do not say it.
    switch tags.colors ?? (tags.samples >= 3 ? 2 : tags.isFax ? 0 : 1) {
    case 0: return .invertedGray
    case 1: return .gray
    case 2: return .rgb
    case 3: return .palette
    case 5 where tags.inkSet == 1: return .inks
    case 6, 32_844, 32_845: return .converted
    case 8: return .lab
    case 9: return .profileLab
    case 5: throw .unsupportedFeature("TIFF of other inks than cyan, magenta, yellow and black")
    case let number: throw .unsupportedFeature("TIFF of colors of the kind \(number)")
    }
  }

  private func checkFormats(_ formats: [Int]) throws(ImageCodecError) {
    guard Set(formats).count <= 1 else { throw .unsupportedFeature("TIFF of samples of several formats") }
    let isLab = colors == .lab || colors == .profileLab
    switch formats.first ?? 1 {
    case 1, 4: return
    // The colors of CIELab have a sign in any case.
    case 2 where isLab: return
    case 2 where colors == .converted: return
    case 2: throw .unsupportedFeature("TIFF of samples with a sign")
    case 3 where isLab || colors == .palette || colors == .converted:
      throw .unsupportedFeature("TIFF of floating-point samples that are not gray, RGB or inks")
    case 3: return
    case let format: throw .unsupportedFeature("TIFF of samples of format \(format)")
    }
  }

  private func checkSizes() throws(ImageCodecError) {
    let allowed: Bool =
      switch colors {
      case .palette: bits <= 8
      case .lab, .profileLab: bits == 8 || bits == 16
      case .converted: bits == 8 || bits == 16
      default: isFloat ? [16, 32, 64].contains(bits) : bits <= 16 || [24, 32, 64].contains(bits)
      }
    // Luminance has one sample.
    let least = colors == .converted ? 1 : colors.count
    guard allowed, bits >= 1, samples >= least, colors != .converted || samples <= 3 else {
      throw .unsupportedFeature("TIFF of \(samples) samples of \(bits) bits")
    }
  }

  private mutating func readAlpha(_ extras: [Int]) {
    guard colors != .converted, samples > colors.count else { return }
    if extras.isEmpty {
      // Programs that do not say what the last sample is mean alpha.
      if samples == colors.count + 1 { alpha = colors.count }
      return
    }
    for (index, kind) in extras.enumerated() where kind == 1 || kind == 2 {
      guard alpha == nil, colors.count + index < samples else { continue }
      alpha = colors.count + index
      isMultiplied = kind == 1
    }
  }
}
