import ImageCodecs
import Testing

/// Plain models of what changes the extent of an image or levels parts of it, pixel by pixel, at odd sizes.
@Suite("Models of cropping, padding, trimming and squares")
struct ExtentModelTests {
  private static let sizes = [(1, 1), (1, 5), (5, 1), (3, 4), (7, 3)]

  private static func parts(_ image: Image, _ x: Int, _ y: Int) -> [UInt8] {
    let step = image.pixelFormat.bytesPerPixel, start = (y * image.width + x) * step
    return Array(image.bytes[start..<start + step])
  }

  @Test(
    "A crop has exactly the pixels that lie in the image and in the rectangle",
    arguments: Image.PixelFormat.allCases)
  func cropping(format: Image.PixelFormat) throws {
    for (width, height) in Self.sizes {
      let image = try Samples.noise(width, height, format)
      let spans = { (side: Int) in
        (-2...side + 1).flatMap { start in (-1...side + 3).map { (start, $0) } }
          + [(-5, .min), (-5, .max), (0, .max), (side - 1, .max), (.max, 5), (.min, .max), (side, .max)]
      }
      let rectangles =
        spans(width).map { ($0, (0, height)) } + spans(width).map { ($0, (height - 1, 1)) }
        + spans(height).map { ((0, width), $0) } + spans(height).map { ((width / 2, 1), $0) }
      for ((x, columns), (y, rows)) in rectangles {
        let inside = { (place: Int, start: Int, count: Int) in
          count > 0 && place >= start && (start < 0 ? place < start &+ count : place - start < count)
        }
        let across = (0..<width).filter { inside($0, x, columns) }
        let down = (0..<height).filter { inside($0, y, rows) }
        guard !across.isEmpty, !down.isEmpty else {
          let error = #expect(throws: ImageCodecError.self) {
            try image.cropped(x: x, y: y, width: columns, height: rows)
          }
          #expect(error?.kind == "invalidSize")
          continue
        }
        let part = try image.cropped(x: x, y: y, width: columns, height: rows)
        #expect(part.size == PixelSize(width: across.count, height: down.count))
        #expect(part.bytes == down.flatMap { y in across.flatMap { x in Self.parts(image, x, y) } })
      }
    }
  }

  @Test(
    "Each edge of a padded image has its width and color, in every format",
    arguments: Image.PixelFormat.allCases)
  func padding(format: Image.PixelFormat) throws {
    for (width, height) in Self.sizes {
      let image = try Samples.noise(width, height, format)
      for color in [
        Image.Pixel(red: 200, green: 30, blue: 60), Image.Pixel(red: 1, green: 2, blue: 3, alpha: 254),
      ] {
        for (top, left, bottom, right) in [
          (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 2, 3, 4),
        ] {
          let padded = try image.padded(top: top, left: left, bottom: bottom, right: right, color: color)

          #expect(padded.size == PixelSize(width: width + left + right, height: height + top + bottom))
          #expect(padded.pixelFormat == (format.hasAlpha || color.alpha < 255 ? .rgba8 : .rgb8))
          for y in 0..<padded.height {
            for x in 0..<padded.width {
              #expect(padded.pixel(x: x, y: y) == image.pixel(x: x - left, y: y - top) ?? color)
            }
          }
        }
      }
      let unpadded = try image.padded(color: .clear)
      #expect(unpadded == image)
    }
  }

  @Test("Edges are from nothing to the greatest side, and a padded image is within the limits")
  func edges() throws {
    let image = try Samples.flat(2, 3, [1, 2, 3])
    var limits = DecodingLimits()
    limits.maximumPixels = 20
    func kind(_ top: Int, _ left: Int, _ color: Image.Pixel = .white) -> String {
      do throws(ImageCodecError) {
        _ = try image.padded(top: top, left: left, color: color, limits: limits)
        return "an image"
      } catch { return error.kind ?? "" }
    }

    #expect(kind(7, 0) == "an image" && kind(8, 0) == "tooLarge" && kind(1, 3) == "an image")
    #expect(kind(1 << 24, 0) == "tooLarge" && kind(0, 1 << 24) == "tooLarge")
    #expect(kind(1 << 24 + 1, 0) == "invalidSize" && kind(0, -1) == "invalidSize")
    // Bytes are those of the padded format.
    (limits.maximumPixels, limits.maximumDecodedBytes) = (1_000, 60)
    #expect(kind(7, 0) == "an image" && kind(7, 0, .clear) == "tooLarge" && kind(8, 0) == "tooLarge")
  }

  @Test("An opaque image over a background stays as it is, with all of its bits")
  func flattening() throws {
    let image = try Samples.noise(3, 5, .rgb16)
    for color in [Image.Pixel.white, .clear] { #expect(try image.flattened(over: color) == image) }
    let translucent = try Samples.noise(3, 5, .rgba8)
    #expect(try translucent.flattened(over: .white).pixelFormat == .rgb8)
    #expect(
      try translucent.flattened(over: Image.Pixel(red: 0, green: 0, blue: 0, alpha: 254)).pixelFormat
        == .rgba8)
  }

  @Test(
    "Trimming keeps the smallest part that holds all pixels unlike the corner",
    arguments: Image.PixelFormat.allCases)
  func trimming(format: Image.PixelFormat) throws {
    var random = SeededRandom(seed: 5)
    let step = format.bytesPerPixel
    for round in 0..<60 {
      let (width, height) = (1 + random.below(7), 1 + random.below(6))
      var bytes = [UInt8](repeating: 100, count: width * height * step)
      for _ in 0..<random.below(4) {
        let start = random.below(width * height) * step
        for index in start..<start + step { bytes[index] = UInt8(90 + random.below(21)) }
      }
      if format == .rgba8, round.isMultiple(of: 2) {
        for start in stride(from: 3, to: bytes.count, by: 4) where random.below(3) > 0 { bytes[start] = 0 }
        bytes[3] = 0
      }
      let image = try Image(bytes: bytes, width: width, height: height, pixelFormat: format)
      let small = try image.reducedTo8Bits()
      for tolerance in [0, 5, 9, 10, 255] {
        let corner = Self.parts(small, 0, 0)
        let others = (0..<width * height).filter { index in
          let pixel = Self.parts(small, index % width, index / width)
          if pixel.count == 4, pixel[3] == 0, corner[3] == 0 { return false }
          return zip(pixel, corner).contains { abs(Int($0) - Int($1)) > tolerance }
        }

        // Half a step more, as products of such numbers are rounded down.
        let trimmed = try image.trimmed(tolerance: min((Double(tolerance) + 0.5) / 255, 1))

        let (columns, rows) = (others.map { $0 % width }, others.map { $0 / width })
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
          let bottom = rows.max()
        else {
          #expect(trimmed == image)
          continue
        }
        #expect(
          trimmed == (try image.cropped(x: left, y: top, width: right - left + 1, height: bottom - top + 1)))
      }
    }
  }

  @Test("Each square has the mean of its pixels, weighed by alpha", arguments: Image.PixelFormat.allCases)
  func squares(format: Image.PixelFormat) throws {
    for (width, height) in Self.sizes + [(9, 8)] {
      let image = try Samples.noise(width, height, format)
      #expect(try image.pixelated(side: 1) == image)
      let small = try image.reducedTo8Bits()
      let (bytes, channels) = (small.bytes, small.pixelFormat.channelCount)
      for side in [2, 3, 8, 9, 10, .max] {
        var expected = bytes
        for y in 0..<height {
          for x in 0..<width {
            let square = (0..<width * height).filter {
              $0 % width / side == x / side && $0 / width / side == y / side
            }
            let alphas = square.map { channels == 4 ? Int(bytes[$0 * 4 + 3]) : 255 }
            let weight = alphas.reduce(0, +)
            for channel in 0..<channels {
              let sum = zip(square, alphas).reduce(0) {
                $0 + Int(bytes[$1.0 * channels + channel]) * (channel == 3 ? 1 : $1.1)
              }
              let count = channel == 3 ? square.count : weight
              expected[(y * width + x) * channels + channel] =
                count == 0 ? 0 : UInt8((sum + count / 2) / count)
            }
          }
        }
        #expect(try image.pixelated(side: side).bytes == expected, "\(width) × \(height) by \(side)")
      }
    }
  }

  @Test("Squares of transparent pixels are transparent, and one of almost nothing keeps its color")
  func faintSquares() throws {
    #expect(try Samples.flat(3, 1, [9, 8, 7, 0]).pixelated(side: 2).bytes.allSatisfy { $0 == 0 })
    #expect(try Samples.flat(1, 1, [10, 20, 30, 1]).pixelated(side: 2).bytes == [10, 20, 30, 1])
  }

  @Test("Squares of no pixels are refused, and cancellation is checked once a row of squares")
  func squareSettings() throws {
    var image = try Samples.noise(4, 7, .rgb8)
    for side in [0, -1] {
      #expect(throws: ImageCodecError.invalidSetting("squares of \(side) pixels")) {
        try image.pixelated(side: side)
      }
    }
    var asked = 0
    _ = try image.pixelated(side: 3) {
      asked += 1
      return false
    }
    #expect(asked == 3)
    #expect(throws: ImageCodecError.cancelled) { try image.pixelated(side: 3, isCancelled: { true }) }
    image.gainMap = try GainMap(image: Samples.flat(2, 2, [7]), metadata: GainMaps.metadata)
    #expect(try image.pixelated(side: 3).gainMap == nil)
  }
}
