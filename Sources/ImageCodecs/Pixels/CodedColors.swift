import CCodecs

/// Colors that a file names by numbers of ITU-T H.273, instead of a profile.
struct CodedColors: Hashable {
  var primaries: Int
  var transfer: Int
  /// The light of the brightest pixel in cd/m², if the file says so.
  var peak: Double?

  /// Whether the image is HDR, with the curve PQ or HLG of ITU-R BT.2100.
  var isHDR: Bool { transfer == Self.pq || transfer == Self.hlg }

  private static let pq = 16
  private static let hlg = 18
  /// That for which most images are made that do not name one.
  private static let usualPeak = 1_000.0

  /// The label of pixels that are not HDR. Other curves are taken for that of sRGB, which they resemble.
  var colorSpace: Image.ColorSpace {
    switch primaries {
    case 1: .sRGB
    case 9: ICCProfile.bt2020.map { .profile($0) } ?? .untagged
    case 12: ICCProfile.displayP3.map { .profile($0) } ?? .untagged
    default: .untagged
    }
  }
}

extension CodedColors {
  /// The luminance of red, green and blue, and a matrix from their light to that of sRGB. Without a number, HDR has the primaries of
  /// BT.2020.
  fileprivate var conversion: (weights: [Float], matrix: [Float]) {
    switch primaries {
    case 1: ([0.2126, 0.7152, 0.0722], [1, 0, 0, 0, 1, 0, 0, 0, 1])
    case 12:
      (
        [0.2290, 0.6917, 0.0793],
        [1.224940, -0.224940, 0, -0.042057, 1.042057, 0, -0.019638, -0.078636, 1.098274]
      )
    default:
      (
        [0.2627, 0.6780, 0.0593],
        [1.660491, -0.587641, -0.072850, -0.124550, 1.132900, -0.008349, -0.018151, -0.100579, 1.118730]
      )
    }
  }

  /// Shows HDR as SDR: up to half of the white as it is, and brighter light compressed, so that the peak becomes white.
  ///
  /// The white of SDR is 203 cd/m² (ITU-R BT.2408). Light is compressed as BT.2390 describes it, by the largest of the three colors, which
  /// keeps hues. Colors outside of sRGB are clipped.
  func toneMapped(_ image: Image, watch: DecodingWatch) throws(ImageCodecError) -> Image {
    let (weights, matrix) = conversion
    guard
      let mapping = codec_tone_mapping_create(
        transfer == Self.hlg, Float(peak ?? Self.usualPeak), matrix, weights, image.pixelFormat.channelCount,
        image.pixelFormat.isWide)
    else { throw .outOfMemory }
    defer { codec_tone_mapping_destroy(mapping) }
    var result = image
    let (width, height, bytesPerRow) = (image.width, image.height, image.bytesPerRow)
    try result.withUnsafeMutableBytes { pixels throws(ImageCodecError) in
      for row in 0..<height {
        try watch.check()
        codec_tone_mapping_apply(mapping, pixels.baseAddress.map { $0 + row * bytesPerRow }, width)
      }
    }
    result.colorSpace = .sRGB
    return result
  }
}
