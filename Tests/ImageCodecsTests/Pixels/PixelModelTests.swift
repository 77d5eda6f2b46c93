import ImageCodecs
import Testing

@Suite("Models of pixels")
struct PixelModelTests {
  private static let sizes = [(1, 1), (1, 5), (5, 1), (4, 3), (33, 17)]

  @Test(
    "A pixel has the channels that lie at its place, rounded to eight bits",
    arguments: Image.PixelFormat.allCases)
  func pixels(format: Image.PixelFormat) throws {
    for (width, height) in Self.sizes {
      let image = try Samples.noise(width, height, format)
      let isWide = format.bitsPerChannel == 16
      let levels = isWide ? image.samples.map { UInt8((Double($0) / 257).rounded()) } : image.bytes
      let narrow = try image.reducedTo8Bits()
      #expect(narrow.bytes == levels && narrow.size == image.size)
      #expect(
        narrow.pixelFormat.bitsPerChannel == 8 && narrow.pixelFormat.channelCount == format.channelCount)
      for y in -1...height {
        for x in -1...width {
          guard (0..<width).contains(x), (0..<height).contains(y) else {
            #expect(image.pixel(x: x, y: y) == nil)
            continue
          }
          let count = format.channelCount, start = (y * width + x) * count
          let values = Array(levels[start..<start + count])
          let expected =
            count == 1
            ? Image.Pixel(red: values[0], green: values[0], blue: values[0])
            : Image.Pixel(
              red: values[0], green: values[1], blue: values[2], alpha: count == 4 ? values[3] : 255)
          #expect(image.pixel(x: x, y: y) == expected)
        }
      }
      #expect(
        image.bytesPerRow == width * format.bytesPerPixel && image.byteCount == image.bytesPerRow * height)
    }
  }

  @Test("Each format has its channels and bits, and no other combination is one")
  func formats() {
    let all: [(Image.PixelFormat, Int, Int)] = [
      (.gray8, 1, 8), (.rgb8, 3, 8), (.rgba8, 4, 8), (.gray16, 1, 16), (.rgb16, 3, 16), (.rgba16, 4, 16),
    ]
    #expect(all.map(\.0) == Image.PixelFormat.allCases)
    for (format, channels, bits) in all {
      #expect(format.channelCount == channels && format.bitsPerChannel == bits)
      #expect(
        format.bytesPerPixel == channels * bits / 8
          && Image.PixelFormat(channels: channels, bits: bits) == format)
      #expect(
        format.hasAlpha == (channels == 4) && format.isGray == (channels == 1)
          && format.isWide == (bits == 16))
    }
    for (channels, bits) in [(0, 8), (2, 8), (5, 8), (2, 16), (1, 1), (3, 10), (4, 32)] {
      #expect(Image.PixelFormat(channels: channels, bits: bits) == nil)
    }
    #expect(Image.PixelFormat(channels: 3) == .rgb8)
  }

  @Test("An upright image has each pixel where its orientation says", arguments: ImageOrientation.allCases)
  func orientations(orientation: ImageOrientation) throws {
    for format in Image.PixelFormat.allCases {
      for (width, height) in Self.sizes {
        let image = try Samples.noise(width, height, format)
        let upright = try image.oriented(orientation)
        let swaps = orientation.rawValue > 4
        let size = swaps ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)
        #expect(upright.size == size && upright.pixelFormat == format && orientation.swapsSides == swaps)
        for y in 0..<size.height {
          for x in 0..<size.width {
            let (right, bottom) = (size.width - 1 - x, size.height - 1 - y)
            let place: (x: Int, y: Int) =
              switch orientation {
              case .up: (x, y)
              case .upMirrored: (right, y)
              case .down: (right, bottom)
              case .downMirrored: (x, bottom)
              case .leftMirrored: (y, x)
              case .right: (y, right)
              case .rightMirrored: (bottom, right)
              case .left: (bottom, x)
              }
            #expect(upright.pixel(x: x, y: y) == image.pixel(x: place.x, y: place.y), "\(format), \(x), \(y)")
          }
        }
      }
    }
  }

  @Test("Sides of an image are from 1 to the greatest, and its bytes as many as they need")
  func bounds() throws {
    let most = 1 << 24
    for (width, height) in [(most, 1), (1, most), (1, 1)] {
      let image = try Image(width: width, height: height, pixelFormat: .gray8)
      #expect(image.byteCount == width * height && image.colorSpace == .sRGB && image.scale == 1)
      #expect(image.withUnsafeBytes { $0.prefix(1_000).allSatisfy { $0 == 0 } })
    }
    for (width, height) in [(0, 1), (1, 0), (-1, 1), (1, -1), (most + 1, 1), (1, most + 1)] {
      #expect(throws: ImageCodecError.invalidSize("\(width) × \(height) pixels")) {
        try Image(width: width, height: height, pixelFormat: .gray8)
      }
      #expect(throws: ImageCodecError.invalidSize("\(width) × \(height) pixels")) {
        try Image(bytes: [], width: width, height: height, pixelFormat: .gray8)
      }
    }
    for count in [11, 13] {
      #expect(throws: ImageCodecError.invalidSize("\(count) bytes where 12 are needed")) {
        try Image(bytes: [UInt8](repeating: 1, count: count), width: 2, height: 2, pixelFormat: .rgb8)
      }
    }
    let image = try Image(bytes: (1...12), width: 2, height: 2, pixelFormat: .rgb8)
    #expect(image.bytes == Array(1...12) && image.colorSpace == .sRGB && image.scale == 1)
  }

  @Test("Images are equal only if all of their properties are")
  func equality() throws {
    let image = try Image(bytes: Array(1...12), width: 3, height: 4, pixelFormat: .gray8)
    func other(_ change: (inout Image) throws -> Void) rethrows -> Image {
      var other = image
      try change(&other)
      return other
    }
    #expect(image == (try Image(bytes: Array(1...12), width: 3, height: 4, pixelFormat: .gray8)))
    let map = try GainMap(image: Samples.flat(2, 1, [7]), metadata: GainMaps.metadata)
    let others = try [
      Image(bytes: Array(1...12), width: 4, height: 3, pixelFormat: .gray8),
      Image(bytes: Array(1...12), width: 2, height: 2, pixelFormat: .rgb8),
      Image(bytes: Array(1...12), width: 3, height: 4, pixelFormat: .gray8, colorSpace: .untagged),
      Image(bytes: Array(1...12), width: 3, height: 4, pixelFormat: .gray8, scale: 2),
      other { _ = try $0.withUnsafeMutableBytes { $0[11] = 0 } },
      other { _ = try $0.withUnsafeMutableBytes { $0[0] = 0 } },
      other { $0.gainMap = map },
    ]
    for (index, other) in others.enumerated() { #expect(image != other, "\(index)") }
    // Writing to a copy leaves the original alone.
    #expect(image.bytes == Array(1...12) && others[4].bytes == Array(1...11) + [0])
    #expect(others[6].cachedByteCount == 14 && image.cachedByteCount == 12 && others[6].gainMap == map)
    #expect("\(image)" == "Image(3 × 4, gray8, sRGB)" && "\(others[2])" == "Image(3 × 4, gray8, untagged)")
    let wide = try Image(bytes: Array(1...12), width: 3, height: 2, pixelFormat: .gray16)
    var mapped = wide
    mapped.gainMap = map
    #expect(try mapped.reducedTo8Bits().gainMap == map && wide.reducedTo8Bits().gainMap == nil)
    #expect(try mapped.oriented(.right).gainMap?.image.size == PixelSize(width: 1, height: 2))
  }

  @Test("A color profile has its size, its mark and its colors")
  func profiles() throws {
    let bytes = Profiles.minimal()
    let profile = try #require(ICCProfile(bytes: bytes))
    #expect(profile.describes(.rgb8) && profile.describes(.rgba16) && !profile.describes(.gray8))
    let gray = try #require(ICCProfile(bytes: Profiles.minimal("GRAY")))
    #expect(gray.describes(.gray16) && !gray.describes(.rgb8))
    func resized(_ bytes: [UInt8], _ count: Int) -> [UInt8] { big(count, count: 4) + bytes[4..<count] }
    #expect(ICCProfile(bytes: resized(bytes, 128)) != nil && ICCProfile(bytes: resized(bytes, 127)) == nil)
    for (place, level) in [(0, 1), (1, 1), (2, 1), (3, 1), (36, 0), (39, 0)] as [(Int, UInt8)] {
      var other = bytes
      other[place] ^= level == 0 ? 0x20 : level
      #expect(ICCProfile(bytes: other) == nil, "\(place)")
    }
    var later = bytes
    later[40] ^= 1
    later[35] ^= 1
    #expect(
      ICCProfile(bytes: later) != nil && ICCProfile(bytes: []) == nil && ICCProfile(bytes: bytes + [0]) == nil
    )
    typealias Space = Image.ColorSpace
    #expect(Space.label(profile: bytes, pixelFormat: .rgb8, otherwise: .sRGB) == .profile(profile))
    #expect(Space.label(profile: bytes, pixelFormat: .gray8, otherwise: .sRGB) == .sRGB)
    #expect(Space.label(profile: nil, pixelFormat: .rgb8, otherwise: .untagged) == .untagged)
    #expect(Space.label(profile: [1], pixelFormat: .rgb8, otherwise: .untagged) == .untagged)
    #expect(
      Space.profile(gray).profile == gray && Space.sRGB.profile == nil
        && "\(Space.profile(gray))" == "profile of 244 bytes")
  }

  @Test("Every pixel of an image is converted to sRGB, and cancellation is checked once a row")
  func conversion() throws {
    let profile = try #require(ICCProfile.displayP3)
    for format in [Image.PixelFormat.rgb8, .rgba8, .rgb16] {
      let image = try Samples.noise(5, 4, format)
      var tagged = image
      tagged.colorSpace = .profile(profile)
      var asked = 0

      let converted = try tagged.convertedToSRGB {
        asked += 1
        return false
      }

      #expect(asked == 4 && converted.colorSpace == .sRGB && converted.pixelFormat == format)
      for y in 0..<4 {
        for x in 0..<5 {
          let pixel = try tagged.cropped(x: x, y: y, width: 1, height: 1).convertedToSRGB()
          #expect(converted.pixel(x: x, y: y) == pixel.pixel(x: 0, y: 0))
          #expect(converted.pixel(x: x, y: y)?.alpha == image.pixel(x: x, y: y)?.alpha)
        }
      }
      #expect(converted.bytes != image.bytes)
      #expect(try image.convertedToSRGB(isCancelled: { true }) == image)
      #expect(throws: ImageCodecError.cancelled) { try tagged.convertedToSRGB(isCancelled: { true }) }
    }
    var odd = try Samples.noise(2, 2, .rgb8)
    odd.colorSpace = .profile(try #require(ICCProfile(bytes: Profiles.minimal())))
    let kept = try odd.convertedToSRGB()
    #expect(kept.colorSpace == .untagged && kept.bytes == odd.bytes)
  }

  @Test("Named colors and sizes are what they say")
  func names() {
    #expect(Image.Pixel.clear == Image.Pixel(red: 0, green: 0, blue: 0, alpha: 0))
    #expect(Image.Pixel.black == Image.Pixel(red: 0, green: 0, blue: 0, alpha: 255))
    #expect(Image.Pixel.white == Image.Pixel(red: 255, green: 255, blue: 255, alpha: 255))
    #expect("\(Image.Pixel(red: 1, green: 2, blue: 3, alpha: 4))" == "(1, 2, 3, 4)")
    let size = PixelSize(width: 3, height: 4)
    #expect("\(size)" == "3 × 4" && size.pixelCount == 12 && size.swapped == PixelSize(width: 4, height: 3))
    #expect(PixelSize(width: .max, height: 2).pixelCount == nil)
    #expect(PixelSize(width: 1 << 31, height: 1 << 31).pixelCount == 1 << 62)
    #expect(PixelSize(width: 1 << 32, height: 1 << 31).pixelCount == nil)
  }
}
