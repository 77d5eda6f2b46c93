import ImageCodecs
import Testing

/// A JPEG is resized row by row while it is decoded.
@Suite("Rows of a JPEG")
struct RowReadingTests {
  /// Targets at which libjpeg itself reduces nothing.
  static let targets: [ResizeTarget] = [
    .fitting(90), ResizeTarget(width: 90, height: nil, light: .linear),
    ResizeTarget(width: 100, height: 30, crops: true), ResizeTarget(width: 40, height: 110, crops: true),
    ResizeTarget(width: 119, height: 119, crops: true),
  ]

  @Test(
    "A JPEG that is resized while it is decoded has the pixels of one that is resized afterwards",
    arguments: targets)
  func samePixels(target: ResizeTarget) throws {
    for pixelFormat in [Image.PixelFormat.rgb8, .gray8] {
      let file = try ImageEncoder.encode(Samples.noise(150, 120, pixelFormat), as: .jpeg(quality: 0.9))

      let resized = try ImageDecoder.decode(file, options: DecodingOptions(target: target))

      #expect(try resized == ImageDecoder.decode(file).resized(to: target))
    }
  }

  @Test(
    "A JPEG with inks that is resized while it is decoded has the pixels of one that is resized afterwards")
  func inks() throws {
    for name in ["cmyk.jpg", "cmyk-plain.jpg"] {
      let file = try Files.bytes(name)
      let whole = try ImageDecoder.decode(file)
      let target = ResizeTarget.fitting(Double(max(whole.width, whole.height)) * 0.8)

      let resized = try ImageDecoder.decode(file, options: DecodingOptions(target: target))

      #expect(try resized == whole.resized(to: target))
    }
  }

  @Test("A JPEG so wide that it is resized in strips has the pixels of one that is resized afterwards")
  func strips() throws {
    let file = try ImageEncoder.encode(Samples.noise(8_000, 100, .rgb8), as: .jpeg())
    let targets = [
      ResizeTarget(width: 5_000, height: nil), ResizeTarget(width: 4_800, height: 80, crops: true),
    ]

    for target in targets {
      let resized = try ImageDecoder.decode(file, options: DecodingOptions(target: target))

      #expect(try resized == ImageDecoder.decode(file).resized(to: target))
    }
  }

  @Test("A JPEG that ends in rows that a crop does not use is truncated")
  func truncated() throws {
    let file = try ImageEncoder.encode(Samples.noise(150, 200, .rgb8), as: .jpeg())
    let top = ResizeTarget(width: 140, height: 20, crops: true)
    #expect(try ImageDecoder.decode(file, options: DecodingOptions(target: top)).height == 20)

    for share in [0.3, 0.5, 0.7, 0.9, 0.99] {
      let part = Array(file.prefix(Int(Double(file.count) * share)))
      #expect(throws: ImageCodecError.truncated, "\(share)") {
        try ImageDecoder.decode(part, options: DecodingOptions(target: top))
      }
    }
  }

  @Test("A damaged row gives the same error whether the JPEG is resized or not")
  func damaged() throws {
    var file = try ImageEncoder.encode(Samples.noise(150, 200, .rgb8), as: .jpeg())
    // A marker where there is none.
    let middle = file.count / 2
    file.replaceSubrange(middle..<middle + 2, with: [0xFF, 0xC4])
    let errors = [nil, ResizeTarget.fitting(180), ResizeTarget(width: 140, height: 20, crops: true)].map {
      target in
      Result { () throws(ImageCodecError) in
        try ImageDecoder.decode(file, options: DecodingOptions(target: target))
      }
    }

    guard case .failure(let error) = errors[0] else {
      Issue.record("the file is not damaged")
      return
    }
    for other in errors { #expect(other == .failure(error)) }
  }
}
