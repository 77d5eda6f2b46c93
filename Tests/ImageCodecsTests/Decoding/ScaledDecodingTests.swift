import ImageCodecs
import Testing

@Suite("Scaled decoding")
struct ScaledDecodingTests {
  static let encodings: [ImageEncoder.Encoding] = [
    .jpeg(quality: 0.95), .jpeg(quality: 0.95, progressive: true), .png, .webp(quality: 0.95), .losslessWebP,
  ]

  @Test("Scaled decoding gives the target size and an image like the resized original", arguments: encodings)
  func sizes(encoding: ImageEncoder.Encoding) throws {
    let image = try Samples.picture(150, 100, .rgb8, colorSpace: .untagged)
    let file = try ImageEncoder.encode(image, as: encoding)

    for side in [1, 2, 7, 18, 19, 20, 37, 38, 74, 75, 76, 100, 149, 150] {
      let target = ResizeTarget.fitting(Double(side))
      let reduced = try ImageDecoder.decode(file, options: DecodingOptions(target: target))
      let expected = try image.resized(to: target)

      #expect(reduced.size == expected.size)
      if side >= 18 { #expect(reduced.likeness(to: expected) > 24, "\(side)") }
    }
  }

  @Test(
    "Scaled decoding matches resizing all pixels within 45 dB, even for small photos",
    arguments: [
      ImageEncoder.Encoding.jpeg(quality: 0.85), .jpeg(quality: 0.85, progressive: true),
      .webp(quality: 0.85),
    ], [450, 512])
  func quality(encoding: ImageEncoder.Encoding, width: Double) throws {
    let photograph = try ImageDecoder.decode(Files.photograph()).resized(to: .fitting(width))
    let file = try ImageEncoder.encode(photograph, as: encoding)
    let whole = try ImageDecoder.decode(file)

    for side in [20.0, 28, 32, 50, 56, 64, 100, 113, 128, 160, 225, 256, 320, 448] {
      let reduced = try ImageDecoder.decode(file, options: DecodingOptions(target: .fitting(side)))

      let likeness = try reduced.likeness(to: whole.resized(to: .fitting(side)))
      #expect(likeness >= 45, "\(side)")
    }
  }

  @Test("Scaled decoding reduces further rather than exceed the pixel limit")
  func reserve() throws {
    let file = try ImageEncoder.encode(Samples.picture(256, 192, .rgb8), as: .jpeg())
    let sizes = [256 * 192, 128 * 96, 64 * 48, 32 * 24]
    var images: [Image] = []
    for pixels in sizes {
      var options = DecodingOptions(target: .fitting(32))
      options.limits.maximumPixels = pixels
      images.append(try ImageDecoder.decode(file, options: options))
      #expect(try ImageDecoder.byteCost(of: file, options: options) <= (pixels + 3 * 4_096) * 3 + 32 * 24 * 4)
    }

    #expect(images[0] == images[1] && images[1] != images[2] && images[2] != images[3])
    var options = DecodingOptions(target: .fitting(32))
    options.limits.maximumPixels = 32 * 24 - 1
    #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file, options: options) }
  }

  @Test("Scaled decoding never enlarges an image", arguments: encodings)
  func noEnlarging(encoding: ImageEncoder.Encoding) throws {
    let file = try ImageEncoder.encode(Samples.picture(30, 20, .rgb8), as: encoding)
    let target = ResizeTarget(width: 300, height: 300, upscales: true)

    let image = try ImageDecoder.decode(file, options: DecodingOptions(target: target))

    #expect(try image == ImageDecoder.decode(file))
  }

  @Test(
    "Scaled decoding crops to the aspect ratio of the target", arguments: encodings, [(160, 80), (80, 320)])
  func crops(encoding: ImageEncoder.Encoding, sides: (width: Int, height: Int)) throws {
    let image = try Samples.picture(sides.width, sides.height, .rgb8, colorSpace: .untagged)
    let file = try ImageEncoder.encode(image, as: encoding)
    let target = ResizeTarget(width: 20, height: 20, crops: true)

    let reduced = try ImageDecoder.decode(file, options: DecodingOptions(target: target))

    #expect(reduced.size == PixelSize(width: 20, height: 20))
    #expect(try reduced.likeness(to: image.resized(to: target)) > 24)
  }

  @Test("Scaled decoding crops the upright image, not the stored one")
  func cropsUpright() throws {
    let exif = Exif.segment(Exif.data(orientation: 6, bigEndian: true))
    let file = try ImageEncoder.encode(Samples.picture(64, 32, .rgb8), as: .jpeg()).addingToJPEG(exif)
    let target = ResizeTarget(width: 20, height: 30, crops: true)

    let upright = try ImageDecoder.decode(file)
    let reduced = try ImageDecoder.decode(file, options: DecodingOptions(target: target))

    #expect(upright.size == PixelSize(width: 32, height: 64))
    #expect(reduced.size == PixelSize(width: 20, height: 30))
    #expect(try reduced.likeness(to: upright.resized(to: target)) > 26)
  }

  @Test("An image above the pixel limit decodes if its reduced size is within it")
  func aboveTheLimit() throws {
    let image = try Samples.picture(256, 192, .rgb8)
    var options = DecodingOptions(target: .fitting(32))
    options.limits.maximumPixels = 40 * 40
    options.limits.maximumDecodedBytes = 40 * 40 * 3
    let jpeg = try ImageEncoder.encode(image, as: .jpeg())
    let webp = try ImageEncoder.encode(image, as: .webp())
    let png = try ImageEncoder.encode(image, as: .png)

    #expect(try ImageDecoder.decode(jpeg, options: options).size == PixelSize(width: 32, height: 24))
    // libwebp reduces to twice the size wanted.
    options.limits.maximumPixels *= 4
    options.limits.maximumDecodedBytes *= 4
    #expect(try ImageDecoder.decode(webp, options: options).size == PixelSize(width: 32, height: 24))
    #expect(throws: ImageCodecError.tooLarge(width: 256, height: 192, limit: .pixels(6_400))) {
      try ImageDecoder.decode(png, options: options)
    }
  }

  @Test("A target with an invalid size throws an error")
  func badTarget() throws {
    let file = try ImageEncoder.encode(Samples.picture(8, 8, .rgb8), as: .png)

    #expect(throws: ImageCodecError.invalidSize("a side of nan pixels")) {
      try ImageDecoder.decode(file, options: DecodingOptions(target: .fitting(.nan)))
    }
  }
}
