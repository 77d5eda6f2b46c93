import ImageCodecs
import Testing

@Suite("Pixels and marks")
struct MarkTests {
  @Test(
    "Each square of a pixelated image has the average of its pixels, weighted by alpha",
    arguments: [Image.PixelFormat.gray8, .rgb8, .rgba8], [2, 5, 30])
  func pixelation(format: Image.PixelFormat, side: Int) throws {
    let image = try Samples.noise(23, 14, format)

    let result = try image.pixelated(side: side)

    #expect(result.size == image.size && result.pixelFormat == format)
    let channels = format.channelCount
    for y in 0..<14 {
      for x in 0..<23 {
        let average = average(image, x / side * side, y / side * side, side)
        for channel in 0..<channels {
          let value = Double(result.bytes[(y * 23 + x) * channels + channel])
          #expect(abs(value - average[channel]) <= 0.5001, "\(x) \(y) \(channel)")
        }
      }
    }
  }

  private func average(_ image: Image, _ left: Int, _ top: Int, _ side: Int) -> [Double] {
    let (bytes, channels) = (image.bytes, image.pixelFormat.channelCount)
    var (sums, weight, count) = ([0.0, 0, 0], 0.0, 0.0)
    for y in top..<min(top + side, image.height) {
      for x in left..<min(left + side, image.width) {
        let start = (y * image.width + x) * channels
        let alpha = channels == 4 ? Double(bytes[start + 3]) : 255
        for channel in 0..<min(3, channels) { sums[channel] += Double(bytes[start + channel]) * alpha }
        weight += alpha
        count += 1
      }
    }
    return sums.prefix(min(3, channels)).map { weight > 0 ? $0 / weight : 0 } + [weight / count]
  }

  @Test("Sharpening adds the difference to an exact Gaussian blur")
  func sharpening() throws {
    let image = try Samples.noise(20, 16, .gray8)
    let sharp = try image.sharpened(radius: 1.2, amount: 0.8)

    let weights = (-8...8).map { offset in power(0.7066, offset * offset) }
    let total = weights.reduce(0, +)
    let blurred = { (x: Int, y: Int) -> Double in
      (-8...8).reduce(0.0) { sum, down in
        sum
          + (-8...8).reduce(0.0) { line, across in
            let value = image.bytes[min(max(y + down, 0), 15) * 20 + min(max(x + across, 0), 19)]
            return line + Double(value) * weights[down + 8] * weights[across + 8] / total / total
          }
      }
    }
    for y in 0..<16 {
      for x in 0..<20 {
        let value = Double(image.bytes[y * 20 + x])
        let expected = min(max(value + 0.8 * (value - blurred(x, y)), 0), 255)
        #expect(abs(Double(sharp.bytes[y * 20 + x]) - expected) <= 1.5, "\(x) \(y)")
      }
    }
  }

  /// Of e^(-1 / (2 · 1.2²)), which is 0.7066.
  private func power(_ base: Double, _ exponent: Int) -> Double {
    (0..<exponent).reduce(1.0) { result, _ in result * base }
  }

  @Test("A mark is over the image at its place, scaled and paler")
  func single() throws {
    let image = try Samples.noise(40, 30, .rgb8)
    let mark = try Samples.flat(4, 2, [250, 0, 0, 255])

    let corner = try image.watermarked(with: mark, at: .init(margin: 3), opacity: 0.5)
    let center = try image.watermarked(with: mark, at: .init(x: 0.5, y: 0.5, scale: 0.5))

    #expect(corner.pixelFormat == .rgb8)
    for y in 0..<30 {
      for x in 0..<40 {
        let below = try #require(image.pixel(x: x, y: y))
        let isMarked = (33..<37).contains(x) && (25..<27).contains(y)
        let half = { (value: UInt8, mark: Int) in UInt8((Int(value) + mark) / 2) }
        let expected =
          isMarked
          ? [half(below.red, 250), half(below.green, 0), half(below.blue, 0)]
          : [below.red, below.green, below.blue]
        #expect(corner.pixel(x: x, y: y)?.isNear(expected, by: isMarked ? 1 : 0) == true, "\(x) \(y)")
        let isCentered = (10..<30).contains(x) && (10..<20).contains(y)
        #expect((center.pixel(x: x, y: y) == Image.Pixel(red: 250, green: 0, blue: 0)) == isCentered)
      }
    }
  }

  @Test("A repeated mark covers the image in rows and columns with gaps")
  func repeated() throws {
    let image = try Samples.flat(20, 11, [9, 9, 9])
    let mark = try Samples.noise(3, 2, .rgb8)

    let marked = try image.watermarked(with: mark, at: .init(margin: 2, repeats: true))

    for y in 0..<11 {
      for x in 0..<20 {
        let expected = mark.pixel(x: x % 5, y: y % 4) ?? Image.Pixel(red: 9, green: 9, blue: 9)
        #expect(marked.pixel(x: x, y: y) == expected, "\(x) \(y)")
      }
    }
    let large = try Samples.flat(90, 90, [1, 2, 3])
    #expect(try image.watermarked(with: large, at: .init(repeats: true)) == Samples.flat(20, 11, [1, 2, 3]))
    #expect(try image.watermarked(with: large, at: .init(x: 0.5, y: 0)) == Samples.flat(20, 11, [1, 2, 3]))
  }

  @Test("Invalid squares and marks throw `invalidSetting`, and cancelled work ends")
  func nonsense() throws {
    let image = try Samples.flat(5, 5, [1, 2, 3])
    let attempts: [() throws -> Image] = [
      { try image.pixelated(side: 0) }, { try image.pixelated(side: -3) },
      { try image.watermarked(with: image, at: .init(x: 1.1)) },
      { try image.watermarked(with: image, at: .init(y: .nan)) },
      { try image.watermarked(with: image, at: .init(scale: 0)) },
      { try image.watermarked(with: image, at: .init(scale: 1.01)) },
      { try image.watermarked(with: image, at: .init(margin: -1)) },
      { try image.watermarked(with: image, opacity: 2) },
    ]

    for attempt in attempts {
      let error = #expect(throws: ImageCodecError.self) { try attempt() }
      #expect(error?.kind == "invalidSetting")
    }
    #expect(throws: ImageCodecError.cancelled) { try image.pixelated(side: 2) { true } }
    #expect(try image.pixelated(side: .max) == image)
  }
}
