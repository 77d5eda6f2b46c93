import Foundation
import ImageCodecs
import Testing

/// Lanczos' filter once more, in plain sums of floating point numbers.
@Suite("A model of `Image.resized`")
struct ResampleModelTests {
  /// The weights of the source's samples in each sample of the result.
  private static func weights(
    _ source: Int, _ start: Double, _ extent: Double, _ count: Int
  ) -> [[(place: Int, weight: Double)]] {
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(x * .pi) / (x * .pi) }
    func lanczos(_ x: Double) -> Double { abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0 }
    let step = extent / Double(count), width = max(step, 1)
    let taps = Int((6 * width).rounded(.up))
    return (0..<count).map { index -> [(place: Int, weight: Double)] in
      let middle = (Double(index) + 0.5) * step + start
      let first = (middle - Double(taps) / 2 + 0.5).rounded(.down) + 0.5
      let places = (0..<taps).map { first + Double($0) }
      let total = places.reduce(0) { $0 + lanczos(($1 - middle) / width) }
      return places.map { place -> (place: Int, weight: Double) in
        // Beyond an edge lies the image once more, mirrored.
        let mirrored = place < 0 ? -place : place >= Double(source) ? 2 * Double(source) - place : place
        let inside = min(max(mirrored, 0), Double(source) - 0.5)
        return (Int(inside), lanczos((place - middle) / width) / total)
      }
    }
  }

  private static func resized(_ values: [Double], _ plan: ResizePlan) -> [Double] {
    let across = weights(plan.source.width, plan.left, plan.width, plan.size.width)
    let down = weights(plan.source.height, plan.top, plan.height, plan.size.height)
    let rows = (0..<plan.source.height).map { row in
      across.map { $0.reduce(0) { $0 + values[row * plan.source.width + $1.place] * $1.weight } }
    }
    return down.flatMap { weights in
      (0..<plan.size.width).map { column in weights.reduce(0) { $0 + rows[$1.place][column] * $1.weight } }
    }
  }

  /// The greatest difference from the model, in steps of eight bits.
  private func difference(_ image: Image, _ target: ResizeTarget) throws -> Double {
    let plan = try target.plan(for: image.size)
    let result = try image.resized(to: target)
    guard result.size == plan.size, result.pixelFormat == image.pixelFormat else { return .infinity }
    let channels = image.pixelFormat.channelCount, isDeep = image.pixelFormat.bitsPerChannel == 16
    let values = { (image: Image) in
      isDeep ? image.samples.map { Double($0) / 257 } : image.bytes.map(Double.init)
    }
    let (before, after) = (values(image), values(result))
    func channel(_ number: Int, _ values: [Double]) -> [Double] {
      stride(from: number, to: values.count, by: channels).map { values[$0] }
    }
    let alphas = channels == 4 ? channel(3, before) : before.map { _ in 255 }
    let weights = Self.resized(alphas, plan)
    var most = 0.0
    for number in 0..<channels {
      let colors = channel(number, before)
      let sums = number == 3 ? weights : Self.resized(zip(colors, alphas).map { $0 * $1 / 255 }, plan)
      for (index, found) in channel(number, after).enumerated() {
        let expected = number == 3 ? weights[index] : sums[index] / weights[index] * 255
        most = max(most, abs(min(max(expected, 0), 255) - found))
      }
    }
    return most
  }

  /// Noise of little contrast, which no filter takes beyond what a channel can hold, and almost opaque.
  private func noise(_ width: Int, _ height: Int, _ format: Image.PixelFormat) throws -> Image {
    var image = try Samples.noise(width, height, format)
    let step = format.bytesPerPixel, colors = format.hasAlpha ? step * 3 / 4 : step
    try image.withUnsafeMutableBytes { bytes in
      for index in bytes.indices { bytes[index] = (index % step < colors ? 100 : 200) + bytes[index] % 50 }
    }
    return image
  }

  @Test(
    "A resized image is that of Lanczos' filter, at odd sizes and in every format",
    arguments: Image.PixelFormat.allCases)
  func whole(format: Image.PixelFormat) throws {
    for (width, height) in [(1, 1), (1, 7), (7, 1), (5, 3), (31, 17), (67, 5), (3, 70)] {
      let image = try noise(width, height, format)
      for (across, down) in [(1, 1), (2, 3), (7, 5), (33, 19), (66, 2), (129, 3)] as [(Double, Double)] {
        for mode in ResizeTarget.Mode.allCases {
          let target = ResizeTarget(width: across, height: down, mode: mode, upscales: true)
          guard try target.size(for: image.size).pixelCount ?? .max < 4_000 else { continue }
          let most = try difference(image, target)
          // Colors are divided by alpha, which zimg rounds before.
          #expect(
            most < (format.hasAlpha ? 5 : 2.5),
            "\(width) × \(height) to \(across) × \(down), \(mode): \(most)")
        }
      }
    }
  }

  @Test(
    "A cropped image is that of Lanczos' filter, wherever its part begins",
    arguments: [Image.PixelFormat.gray8, .rgb8, .rgba16])
  func parts(format: Image.PixelFormat) throws {
    for (width, height) in [(40, 5), (41, 4), (90, 7), (5, 43), (131, 3)] {
      let image = try noise(width, height, format)
      for (across, down) in [(3, 3), (5, 2), (2, 7), (9, 9), (1, 1)] as [(Double, Double)] {
        for upscales in [false, true] {
          let target = ResizeTarget(width: across, height: down, crops: true, upscales: upscales)
          let most = try difference(image, target)
          #expect(most < 2.5, "\(width) × \(height) to \(across) × \(down), \(upscales): \(most)")
        }
      }
    }
  }

  @Test("Filters that are used again give the same pixels, whichever were used between")
  func again() throws {
    let image = try Samples.noise(23, 11, .rgb8)
    let targets = (1...12).map { ResizeTarget(width: Double($0 * 2 - 1), height: nil) }
    let first = try targets.map { try image.resized(to: $0) }
    for number in [0, 11, 3, 3, 7, 0, 11, 5, 1, 2, 4, 6, 8, 9, 10, 11, 0] {
      #expect(try image.resized(to: targets[number]) == first[number])
    }
  }

  @Test("A plan changes nothing only if all of it is that of the whole source")
  func unchanged() {
    let plan = ResizePlan(unchanged: PixelSize(width: 5, height: 4))
    #expect(plan.changesNothing && plan.scale == 1 && plan.light == .encoded)
    #expect([plan.left, plan.top, plan.width, plan.height] == [0, 0, 5, 4])
    for change in [
      { $0.left = 1 }, { $0.top = 1 }, { $0.width = 4 }, { $0.height = 3 }, { $0.size.width = 4 },
      { $0.size.height = 5 }, { $0.source.width = 6 }, { $0.source.height = 3 },
    ] as [(inout ResizePlan) -> Void] {
      var other = plan
      change(&other)
      #expect(!other.changesNothing, "\(other)")
    }
  }

  @Test("A plan for a stretched source has the same part of it, which ends where the source does")
  func stretched() {
    var plan = ResizePlan(unchanged: PixelSize(width: 10, height: 20))
    (plan.left, plan.top, plan.width, plan.height) = (2, 3, 6, 16)
    plan.size = PixelSize(width: 3, height: 4)
    #expect(plan.scale == 0.5)

    let half = plan.stretched(to: PixelSize(width: 5, height: 40))
    #expect([half.left, half.top, half.width, half.height] == [1, 6, 3, 32])
    #expect(half.source == PixelSize(width: 5, height: 40) && half.size == plan.size)
    #expect(half.scale == 1)
    let short = plan.scaled(across: 0.5, down: 0.5, to: PixelSize(width: 3, height: 9))
    #expect([short.left, short.top, short.width, short.height] == [1, 1.5, 2, 7.5])
  }

  @Test("Sides of a target and of its result are at most 65,535, and those of a source at least 1")
  func bounds() throws {
    func size(_ width: Int, _ height: Int, _ target: ResizeTarget) -> PixelSize? {
      try? target.size(for: PixelSize(width: width, height: height))
    }
    let across = ResizeTarget(width: 1, height: nil, upscales: true)
    let down = ResizeTarget(width: nil, height: 1, upscales: true)
    let most = 65_535

    #expect(size(1, most, across) == PixelSize(width: 1, height: most) && size(1, most + 1, across) == nil)
    #expect(size(most, 1, down) == PixelSize(width: most, height: 1) && size(most + 1, 1, down) == nil)
    #expect(size(1, 1, .fitting(65_535)) == PixelSize(width: 1, height: 1))
    #expect(
      size(1, 1, .fitting((65_535.0).nextUp)) != nil && size(1, 1, .fitting(.leastNonzeroMagnitude)) != nil)
    for (width, height) in [(0, 1), (1, 0), (-1, 1), (1, -1)] {
      #expect(size(width, height, .fitting(5)) == nil)
    }
    #expect(ResizeTarget(width: 3, height: 4) == ResizeTarget(width: 3, height: 4, mode: .fill))
    let usual = ResizeTarget(width: 3, height: 4)
    #expect(!usual.crops && !usual.upscales && usual.light == .encoded)
    let turned = ResizeTarget(width: 3, height: 4, mode: .fit, crops: true, upscales: true, light: .linear)
      .swapped
    #expect(
      turned == ResizeTarget(width: 4, height: 3, mode: .fit, crops: true, upscales: true, light: .linear))
  }

  @Test("Work and time of resizing are within the limits, and it can be cancelled before it begins")
  func limits() throws {
    let image = try Samples.noise(400, 300, .rgb8)
    func error(_ change: (inout DecodingLimits) -> Void, isCancelled: @escaping () -> Bool = { false })
      -> ImageCodecError?
    {
      var limits = DecodingLimits()
      change(&limits)
      do throws(ImageCodecError) {
        _ = try image.resized(to: .fitting(40), limits: limits, isCancelled: isCancelled)
        return nil
      } catch { return error }
    }

    // Rows of planes in and out, at least one of each.
    let rows = 3 * 448 + 3 * 64
    #expect(error { $0.maximumWorkingBytes = rows } == .limitExceeded(.workingBytes(rows)))
    #expect(error { $0.maximumWorkingBytes = 1 << 20 } == nil)
    #expect(
      error { $0.deadline = .zero } == .deadlineExceeded
        && error({ _ in }, isCancelled: { true }) == .cancelled)
    #expect(error { $0.maximumPixels = 1_200 } == nil)
    #expect(error { $0.maximumPixels = 1_199 } == .tooLarge(width: 40, height: 30, limit: .pixels(1_199)))
    #expect(error { $0.maximumDecodedBytes = 3_600 } == nil)
    #expect(
      error { $0.maximumDecodedBytes = 3_599 } == .tooLarge(width: 40, height: 30, limit: .bytes(3_599)))
    #expect(throws: ImageCodecError.cancelled) { try image.resized(to: .fitting(400), isCancelled: { true }) }
  }
}
