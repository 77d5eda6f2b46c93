import ImageCodecs
import Testing

/// What attracts attention once more, summed up pixel by pixel for each place of a part.
@Suite("A model of `Image.attentiveOrigin`")
struct AttentionModelTests {
  /// The colors and alpha of a pixel, from 0 to 1.
  private static func colors(_ image: Image) throws -> [[Double]] {
    let bytes = try image.convertedToSRGB().withAlpha().bytes.map { Double($0) / 255 }
    return stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 4]) }
  }

  private static func interest(_ image: Image) throws -> [Double] {
    let (width, height) = (image.width, image.height)
    let colors = try colors(image)
    let luma = colors.map { (0.2126 * $0[0] + 0.7152 * $0[1] + 0.0722 * $0[2]) * $0[3] }
    func light(_ x: Int, _ y: Int) -> Double {
      luma[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
    }
    return (0..<width * height).map { index in
      let (x, y) = (index % width, index / width)
      let edge = abs(4 * light(x, y) - light(x - 1, y) - light(x + 1, y) - light(x, y - 1) - light(x, y + 1))
      let color = Array(colors[index][..<3])
      let (low, high) = (color.min() ?? 0, color.max() ?? 0)
      let middle = (low + high) / 2
      let saturation = middle > 0.1 && middle < 0.9 ? (high - low) / (1 - abs(2 * middle - 1)) : 0
      let length = color.reduce(0) { $0 + $1 * $1 }.squareRoot()
      let skin = length > 0 ? (0.735 * color[0] + 0.537 * color[1] + 0.414 * color[2]) / length : 0
      let tone = high > 0.2 && skin > 0.97 ? (skin - 0.97) / 0.03 : 0
      return edge + (0.3 * max(0, saturation - 0.4) + 0.6 * tone) * colors[index][3]
    }
  }

  /// The places of the part with the most interest, where its middle counts twice; of equals, the nearest to the middle.
  private static func best(_ image: Image, _ size: PixelSize) throws -> (x: Int, y: Int) {
    let interest = try interest(image)
    func sum(_ x: Int, _ y: Int, _ columns: Int, _ rows: Int) -> Double {
      var sum = 0.0
      for row in y..<y + rows {
        for column in x..<x + columns { sum += interest[row * image.width + column] }
      }
      return sum
    }
    var scores: [(x: Int, y: Int, score: Double, aside: Int)] = []
    for y in 0...image.height - size.height {
      for x in 0...image.width - size.width {
        let middle = sum(x + size.width / 4, y + size.height / 4, size.width / 2, size.height / 2)
        let aside = abs(2 * x - image.width + size.width) + abs(2 * y - image.height + size.height)
        scores.append((x, y, sum(x, y, size.width, size.height) + middle, aside))
      }
    }
    let most = scores.map(\.score).max() ?? 0
    let equals = scores.filter { $0.score > most - 1e-8 }
    let nearest = equals.map(\.aside).min() ?? 0
    let found = equals.first { $0.aside == nearest }
    return (found?.x ?? -1, found?.y ?? -1)
  }

  private static func image(_ width: Int, _ height: Int, _ format: Image.PixelFormat, seed: UInt64) throws
    -> Image
  {
    var random = SeededRandom(seed: seed)
    let palette: [[UInt8]] = [
      [224, 172, 138, 255], [240, 200, 170, 255], [20, 15, 12, 255], [128, 128, 128, 255],
      [250, 240, 235, 255], [200, 30, 40, 255],
      [40, 90, 200, 90], [10, 200, 90, 0],
    ]
    let bytes = (0..<width * height).flatMap { _ -> [UInt8] in
      let color =
        random.below(3) == 0
        ? [random.byte(), random.byte(), random.byte(), random.byte()] : palette[random.below(8)]
      return Array(color[..<format.channelCount])
    }
    return try Image(bytes: bytes, width: width, height: height, pixelFormat: format)
  }

  @Test(
    "A part lies where the sum of edges, colors and skin is greatest",
    arguments: [Image.PixelFormat.gray8, .rgb8, .rgba8])
  func small(format: Image.PixelFormat) throws {
    for (seed, size) in [(9, 7), (13, 4), (5, 11), (1, 9), (8, 1), (2, 2), (16, 12)].enumerated() {
      let image = try Self.image(size.0, size.1, format, seed: UInt64(seed + 1))
      for (width, height) in [(1, 1), (3, 2), (4, 4), (size.0, 3), (2, size.1), (5, 1)] {
        let part = PixelSize(width: min(width, size.0), height: min(height, size.1))

        let origin = try image.attentiveOrigin(of: part)

        let expected = try Self.best(image, part)
        #expect(
          origin.x == expected.x && origin.y == expected.y, "\(size) to \(part): \(origin), not \(expected)")
      }
    }
  }

  @Test("The place in a large image is that in a small copy, in proportion")
  func large() throws {
    for (width, height, part) in [
      (256, 96, PixelSize(width: 100, height: 60)), (150, 300, PixelSize(width: 149, height: 20)),
      (400, 40, PixelSize(width: 1, height: 1)), (300, 200, PixelSize(width: 300, height: 33)),
    ] {
      let whole = ResizeTarget(width: Double(width), height: Double(height), crops: true, upscales: true)
      let image = try Self.image(width / 8, height / 8, .rgb8, seed: 4).resized(to: whole)
      let small = try image.resized(to: .fitting(128))
      let scale = Double(small.width) / Double(image.width)
      let side = { (length: Int, most: Int) in min(max(1, Int((Double(length) * scale).rounded())), most) }
      let copy = PixelSize(width: side(part.width, small.width), height: side(part.height, small.height))
      let place = try Self.best(small, copy)
      let position = { (place: Int, room: Int, free: Int) in
        room == 0 ? free / 2 : Int((Double(place) * Double(free) / Double(room)).rounded())
      }

      let origin = try image.attentiveOrigin(of: part)

      #expect(origin.x == position(place.x, small.width - copy.width, image.width - part.width))
      #expect(origin.y == position(place.y, small.height - copy.height, image.height - part.height))
    }
  }

  @Test(
    "A part as large as the image lies at its beginning, one of no pixels nowhere, and cancellation ends the search"
  )
  func sizes() throws {
    let image = try Self.image(9, 7, .rgb8, seed: 2)
    for (width, height) in [(9, 7), (10, 7), (9, 8), (100, 100)] {
      let origin = try image.attentiveOrigin(
        of: PixelSize(width: width, height: height), isCancelled: { true })
      #expect(origin.x == 0 && origin.y == 0)
    }
    for (width, height) in [(0, 1), (1, 0), (-1, 1), (1, -1)] {
      let error = #expect(throws: ImageCodecError.self) {
        try image.attentiveOrigin(of: PixelSize(width: width, height: height))
      }
      #expect(error?.kind == "invalidSize")
    }
    #expect(throws: ImageCodecError.cancelled) {
      try image.attentiveOrigin(of: PixelSize(width: 2, height: 2), isCancelled: { true })
    }
    #expect(try image.attentiveOrigin(of: PixelSize(width: 20, height: 2)).x == 0)
    let flat = try Samples.flat(9, 7, [100, 100, 100])
    let origin = try flat.attentiveOrigin(of: PixelSize(width: 3, height: 3))
    #expect(origin.x == 3 && origin.y == 2)
  }
}
