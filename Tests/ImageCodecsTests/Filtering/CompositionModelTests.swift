import ImageCodecs
import Testing

/// Plain models of images that consist of others, pixel by pixel, at odd sizes.
@Suite("Models of blending, collages and marks")
struct CompositionModelTests {
  /// Modes in which an image also changes where nothing lies over it, and those in which an opaque one may become transparent.
  private static let reaching: Set<BlendMode> = [
    .clear, .copy, .sourceIn, .sourceOut, .destinationIn, .destinationAtop,
  ]
  private static let cutting = reaching.union([.destinationOut, .exclusiveOr])

  @Test(
    "Blending treats each pixel as an image of its own, wherever the other image lies",
    arguments: BlendMode.allCases)
  func blending(mode: BlendMode) throws {
    for format in [Image.PixelFormat.gray8, .rgb8, .rgba8, .rgba16] {
      let image = try Samples.noise(5, 3, format)
      let whole = try image.reducedTo8Bits()
      let above = try Samples.noise(3, 2, format == .gray8 ? .rgb8 : .rgba8)
      for (x, y) in [(0, 0), (1, 1), (-1, 1), (-2, -1), (3, 2), (4, -1), (5, 0), (-3, 0), (0, 3), (0, -2)] {
        for opacity in [1, 0.4] {
          let blended = try image.blended(with: above, atX: x, y: y, mode: mode, opacity: opacity)

          let isCut = format.hasAlpha || Self.cutting.contains(mode)
          #expect(blended.pixelFormat == (isCut ? .rgba8 : .rgb8) && blended.size == image.size)
          for row in 0..<3 {
            for column in 0..<5 {
              let below = try whole.cropped(x: column, y: row, width: 1, height: 1)
              let expected: Image
              if (0..<3).contains(column - x), (0..<2).contains(row - y) {
                let over = try above.cropped(x: column - x, y: row - y, width: 1, height: 1)
                expected = try below.blended(with: over, mode: mode, opacity: opacity)
              } else if Self.reaching.contains(mode) {
                expected = try below.blended(with: .clear, mode: mode)
              } else {
                expected = below
              }
              #expect(
                blended.pixel(x: column, y: row) == expected.pixel(x: 0, y: 0),
                "\(format) at \(x), \(y), \(opacity): \(column), \(row)")
            }
          }
        }
      }
      let color = Image.Pixel(red: 9, green: 99, blue: 200, alpha: 130)
      let colored = try image.blended(with: color, mode: mode)
      let same = try image.blended(with: Samples.flat(5, 3, [9, 99, 200, 130]), mode: mode)
      #expect(colored == same)
    }
  }

  @Test("An image is blended at up to a billion pixels from another, and at any opacity from 0 to 1")
  func places() throws {
    var image = try Samples.noise(2, 2, .rgb8)
    let limit = 1_000_000_000
    for (x, y) in [(limit - 1, 0), (0, 1 - limit)] {
      #expect(try image.blended(with: image, atX: x, y: y) == image)
    }
    for (x, y) in [(limit, 0), (-limit, 0), (0, limit), (0, -limit), (.max, 0), (0, .min)] {
      #expect(throws: ImageCodecError.invalidSetting("an image at \(x), \(y)")) {
        try image.blended(with: image, atX: x, y: y)
      }
    }
    #expect(
      try image.blended(with: Samples.flat(2, 2, [1, 2, 3]), opacity: 1) == Samples.flat(2, 2, [1, 2, 3]))
    image.gainMap = try GainMap(image: Samples.flat(2, 2, [7]), metadata: GainMaps.metadata)
    #expect(try image.blended(with: Image.Pixel.clear).gainMap == nil)
  }

  @Test(
    "A collage fills its size with tiles in rows, of which the first may have one more", arguments: 0...13)
  func collage(count: Int) throws {
    let images = try (0..<count).map { (number: Int) -> Image in
      let level = UInt8(number * 9 + 1)
      return try Samples.flat(1 + number % 3, 1 + number % 2, [level])
    }
    for (width, height) in [(1, 1), (3, 1), (1, 4), (7, 5), (23, 17)] {
      var rows = 1
      while (rows + 1) * rows < count { rows += 1 }
      var lines: [[Int]] = []
      for row in 0..<rows {
        let start = lines.reduce(0) { $0 + $1.count }
        let length = count / rows + (row < count % rows ? 1 : 0)
        lines.append(Array(start..<start + length))
      }
      // What has no room is left out, and the images that follow take its place.
      let shown = lines.prefix(height).map { min($0.count, width) }
      var next = 0
      var expected = [UInt8?](repeating: nil, count: width * height)
      for (row, tiles) in shown.enumerated() {
        for tile in 0..<tiles {
          let (top, bottom) = (height * row / shown.count, height * (row + 1) / shown.count)
          for y in top..<bottom {
            for x in width * tile / tiles..<width * (tile + 1) / tiles {
              expected[y * width + x] = UInt8(next * 9 + 1)
            }
          }
          next += 1
        }
      }

      let image = try Image.collage(images: images, size: PixelSize(width: width, height: height))

      let format: Image.PixelFormat = count == 0 ? .rgba8 : .rgb8
      #expect(image.pixelFormat == format)
      for (index, level) in expected.enumerated() {
        let pixel = image.pixel(x: index % width, y: index / width)
        let wanted = level.map { Image.Pixel(red: $0, green: $0, blue: $0) } ?? .clear
        #expect(pixel == wanted, "\(width) × \(height), \(index)")
      }
    }
  }

  @Test("A collage is within its limits, and transparent only if an image is")
  func collageLimits() throws {
    let size = PixelSize(width: 5, height: 3)
    let (opaque, clear) = (try Samples.flat(1, 1, [1, 2, 3]), try Samples.flat(1, 1, [1, 2, 3, 4]))
    func kind(_ images: [Image], _ size: PixelSize, _ pixels: Int, _ bytes: Int) -> String {
      var limits = DecodingLimits()
      (limits.maximumPixels, limits.maximumDecodedBytes) = (pixels, bytes)
      do throws(ImageCodecError) {
        return "\(try Image.collage(images: images, size: size, limits: limits).pixelFormat)"
      } catch { return error.kind ?? "" }
    }

    #expect(kind([opaque, opaque], size, 15, 45) == "rgb8")
    #expect(kind([opaque], size, 14, 45) == "tooLarge" && kind([opaque], size, 15, 44) == "tooLarge")
    #expect(
      kind([opaque, clear], size, 15, 60) == "rgba8" && kind([clear, opaque], size, 15, 59) == "tooLarge")
    for (width, height) in [(0, 1), (1, 0), (-1, 1), (1, -1)] {
      #expect(kind([opaque], PixelSize(width: width, height: height), 15, 60) == "invalidSize")
    }
    #expect(kind([opaque], PixelSize(width: 1, height: 1), 1, 3) == "rgb8")
  }

  @Test("A mark lies at its share of the free space, within its margin")
  func marks() throws {
    for (width, height) in [(9, 7), (8, 11), (2, 2)] {
      let image = try Samples.noise(width, height, .rgb8)
      let mark = try Samples.noise(3, 2, .rgb8)
      for margin in [0, 1, 2] {
        for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1), (0.5, 0.25), (0.3, 0.7)] {
          let left = margin + Int((Double(width - 3 - 2 * margin) * x).rounded())
          let top = margin + Int((Double(height - 2 - 2 * margin) * y).rounded())

          let marked = try image.watermarked(with: mark, at: .init(x: x, y: y, margin: margin))

          for row in 0..<height {
            for column in 0..<width {
              let expected = mark.pixel(x: column - left, y: row - top) ?? image.pixel(x: column, y: row)
              #expect(marked.pixel(x: column, y: row) == expected, "\(width), \(margin), \(x), \(y)")
            }
          }
        }
      }
      #expect(
        try image.watermarked(with: mark) == image.watermarked(with: mark, at: .init(x: 1, y: 1, margin: 0)))
    }
  }

  @Test("A mark that repeats fills the image, with its margin between")
  func repeatedMarks() throws {
    for (width, height) in [(1, 1), (9, 7), (3, 11), (2, 1)] {
      let image = try Samples.noise(width, height, .rgb8)
      let mark = try Samples.noise(3, 2, .rgb8)
      for gap in [0, 1, 4] {
        let marked = try image.watermarked(with: mark, at: .init(margin: gap, repeats: true))
        for row in 0..<height {
          for column in 0..<width {
            let expected =
              mark.pixel(x: column % (3 + gap), y: row % (2 + gap)) ?? image.pixel(x: column, y: row)
            #expect(marked.pixel(x: column, y: row) == expected, "\(width) × \(height), \(gap)")
          }
        }
      }
      #expect(throws: ImageCodecError.cancelled) {
        try image.watermarked(with: mark, at: .init(repeats: true), isCancelled: { true })
      }
      var asked = 0
      _ = try image.watermarked(with: mark, at: .init(margin: 1, repeats: true)) {
        asked += 1
        return false
      }
      #expect(asked == (width + 3) / 4 + (height + 2) / 3)
    }
    let (image, mark) = (try Samples.flat(2, 2, [100, 100, 100]), try Samples.flat(1, 1, [200, 200, 200]))
    #expect(
      try image.watermarked(with: mark, at: .init(repeats: true), opacity: 0.5).bytes.allSatisfy { $0 == 150 }
    )
    #expect(try image.watermarked(with: mark, at: .init(x: 0, y: 0), opacity: 0.5).bytes.first == 150)
  }

  @Test("A mark has its share of the width, and at least a pixel; settings outside their bounds are refused")
  func markSettings() throws {
    let (image, mark) = (try Samples.flat(20, 30, [0, 0, 0]), try Samples.flat(4, 8, [255, 255, 255]))
    func white(_ placement: Image.MarkPlacement) throws -> Int {
      try image.watermarked(with: mark, at: placement).bytes.count { $0 == 255 } / 3
    }

    #expect(try white(.init(scale: 0.5)) == 10 * 20 && white(.init(scale: 0.001)) == 1 * 2)
    #expect(try white(.init(scale: 1, margin: 0)) == 20 * 30 && white(.init()) == 4 * 8)
    for scale in [0, -0.1, 1.001, .nan] {
      #expect(throws: ImageCodecError.invalidSetting("a mark of \(scale) times the width")) {
        try white(.init(scale: scale))
      }
    }
    for (x, y, margin) in [
      (-0.01, 0, 0), (1.01, 0, 0), (0, -0.01, 0), (0, 1.01, 0), (0, 0, -1), (0, 0, 65_536),
    ] {
      #expect(throws: ImageCodecError.invalidSetting("a mark at \(x), \(y), \(margin) pixels")) {
        try white(.init(x: x, y: y, margin: margin))
      }
    }
    #expect(try white(.init(x: 0, y: 0, margin: 65_535)) == 0)
  }
}
