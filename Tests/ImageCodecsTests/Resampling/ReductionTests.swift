import ImageCodecs
import Testing

@Suite("`ResizePlan`: decoded size")
struct ReductionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var source: (Int, Int)
    var wanted: (Int, Int)
    var expected: Int
    var coefficientBytes = 0.0
    var limit: Limit?

    enum Limit { case pixels(Int), bytes(Int), work(Int) }

    var testDescription: String { "\(source) to \(wanted), \(coefficientBytes), \(limit as Any)" }

    var limits: DecodingLimits {
      var limits = DecodingLimits()
      switch limit {
      case nil: break
      case .pixels(let most): limits.maximumPixels = most
      case .bytes(let most): limits.maximumDecodedBytes = most
      case .work(let most): limits.maximumWorkingBytes = most
      }
      return limits
    }
  }

  private static func plan(
    _ source: (Int, Int), _ wanted: (Int, Int), light: Image.Light = .encoded
  ) -> ResizePlan {
    var plan = ResizePlan(unchanged: PixelSize(width: source.0, height: source.1))
    plan.size = PixelSize(width: wanted.0, height: wanted.1)
    plan.light = light
    return plan
  }

  static let scales: [Row] = [
    // Twice the pixels wanted, on both sides.
    Row(source: (2_000, 1_000), wanted: (125, 62), expected: 1),
    Row(source: (2_000, 1_000), wanted: (126, 62), expected: 2),
    Row(source: (2_000, 1_000), wanted: (125, 63), expected: 2),
    Row(source: (2_000, 1_000), wanted: (250, 125), expected: 2),
    Row(source: (2_000, 1_000), wanted: (251, 125), expected: 4),
    Row(source: (2_000, 1_000), wanted: (250, 126), expected: 4),
    Row(source: (2_000, 1_000), wanted: (500, 250), expected: 4),
    Row(source: (2_000, 1_000), wanted: (501, 250), expected: 8),
    Row(source: (2_000, 1_000), wanted: (500, 251), expected: 8),
    Row(source: (2_000, 1_000), wanted: (2_000, 1_000), expected: 8),
    // Three times, below a million pixels.
    Row(source: (999, 1_000), wanted: (41, 41), expected: 1),
    Row(source: (999, 1_000), wanted: (42, 42), expected: 2),
    Row(source: (999, 1_000), wanted: (83, 83), expected: 2),
    Row(source: (999, 1_000), wanted: (84, 84), expected: 4),
    Row(source: (1_000, 1_000), wanted: (62, 62), expected: 1),
    Row(source: (1_000, 1_000), wanted: (63, 63), expected: 2),
    // One and a half times, from four million on.
    Row(source: (2_000, 2_000), wanted: (166, 166), expected: 1),
    Row(source: (2_000, 2_000), wanted: (167, 167), expected: 2),
    Row(source: (2_000, 2_000), wanted: (666, 666), expected: 4),
    Row(source: (2_000, 2_000), wanted: (667, 667), expected: 8),
    Row(source: (2_000, 1_999), wanted: (125, 124), expected: 1),
    Row(source: (2_000, 1_999), wanted: (126, 124), expected: 2),
  ]

  static let limitedScales: [Row] = [
    // Less than the reserve, if that would be too many pixels or bytes.
    Row(source: (4_000, 4_000), wanted: (500, 500), expected: 2),
    Row(source: (4_000, 4_000), wanted: (500, 500), expected: 2, limit: .pixels(1_000_000)),
    Row(source: (4_000, 4_000), wanted: (500, 500), expected: 1, limit: .pixels(999_999)),
    Row(source: (4_000, 4_000), wanted: (500, 500), expected: 2, limit: .bytes(3_000_000)),
    Row(source: (4_000, 4_000), wanted: (500, 500), expected: 1, limit: .bytes(2_999_999)),
    // The scales between are used then.
    Row(source: (4_000, 4_000), wanted: (1_500, 1_500), expected: 8),
    Row(source: (4_000, 4_000), wanted: (1_500, 1_500), expected: 5, limit: .pixels(6_250_000)),
    Row(source: (4_000, 4_000), wanted: (1_500, 1_500), expected: 4, limit: .pixels(6_249_999)),
    // A pixel for each pixel wanted is left, but for one that rounding adds, whatever the limits.
    Row(source: (4_000, 4_000), wanted: (500, 500), expected: 1, limit: .pixels(1)),
    Row(source: (4_000, 4_000), wanted: (501, 500), expected: 2, limit: .pixels(999_999)),
    Row(source: (4_000, 4_000), wanted: (500, 501), expected: 2, limit: .pixels(999_999)),
    Row(source: (4_000, 4_000), wanted: (1_500, 1_500), expected: 3, limit: .pixels(1)),
    Row(source: (4_000, 4_000), wanted: (3_500, 3_500), expected: 7, limit: .pixels(1)),
    Row(source: (4_000, 4_000), wanted: (3_501, 3_501), expected: 8, limit: .pixels(1)),
    // What libjpeg keeps of a progressive file: of colors, twice as much on each side, at most all of it.
    Row(
      source: (4_000, 4_000), wanted: (500, 500), expected: 2, coefficientBytes: 6, limit: .work(24_000_000)),
    Row(
      source: (4_000, 4_000), wanted: (500, 500), expected: 1, coefficientBytes: 6, limit: .work(23_999_999)),
    Row(
      source: (4_000, 4_000), wanted: (1_500, 1_500), expected: 8, coefficientBytes: 6,
      limit: .work(96_000_000)),
    Row(
      source: (4_000, 4_000), wanted: (1_500, 1_500), expected: 3, coefficientBytes: 6,
      limit: .work(95_999_999)),
    Row(
      source: (4_000, 3_000), wanted: (500, 375), expected: 2, coefficientBytes: 6, limit: .work(18_000_000)),
    Row(source: (4_000, 4_000), wanted: (1_500, 1_500), expected: 8, limit: .work(0)),
  ]

  @Test("A JPEG decodes at the smallest scale that leaves enough pixels to average", arguments: scales)
  func scale(row: Row) {
    let plan = Self.plan(row.source, row.wanted)

    #expect(plan.eighths(within: row.limits, coefficientBytes: row.coefficientBytes) == row.expected)
  }

  @Test("The limits lower the decoding scale of a JPEG, but never below its target", arguments: limitedScales)
  func limitedScale(row: Row) {
    let plan = Self.plan(row.source, row.wanted)

    #expect(plan.eighths(within: row.limits, coefficientBytes: row.coefficientBytes) == row.expected)
  }

  @Test("The scale of a JPEG depends on the cropped part only")
  func cutScale() {
    var plan = Self.plan((4_000, 1_500), (166, 166))
    #expect(plan.eighths(within: .default, coefficientBytes: 0) == 2)

    plan.width = 1_000
    plan.height = 1_000
    #expect(plan.eighths(within: .default, coefficientBytes: 0) == 2)
    plan.size = PixelSize(width: 83, height: 83)
    #expect(plan.eighths(within: .default, coefficientBytes: 0) == 1)
    plan.width = 4_000
    plan.height = 660
    #expect(plan.eighths(within: .default, coefficientBytes: 0) == 2)
  }

  @Test("A JPEG decodes at full scale for linear light and when nothing is resized")
  func wholeScale() {
    var limits = DecodingLimits()
    limits.maximumPixels = 1

    for plan in [
      Self.plan((4_000, 4_000), (100, 100), light: .linear), Self.plan((4_000, 4_000), (4_000, 4_000)),
    ] {
      #expect(plan.eighths(within: .default, coefficientBytes: 0) == 8)
      #expect(plan.eighths(within: limits, coefficientBytes: 0) == 8)
    }
  }

  @Test(
    "A large WebP decodes at twice the requested size",
    arguments: [
      ((2_000, 2_000), (500, 500), (1_000, 1_000)),
      ((2_001, 2_000), (125, 250), (501, 500)),
      ((2_000, 2_001), (250, 125), (500, 501)),
      ((4_000, 1_000), (1_000, 100), (2_000, 500)),
      ((4_000, 1_000), (100, 250), (2_000, 500)),
      // Half of the size has no smaller size with twice its pixels; more than half neither.
      ((2_000, 2_000), (1_000, 1_000), (2_000, 2_000)),
      ((2_000, 2_000), (1_020, 1_020), (2_000, 2_000)),
      ((2_000, 2_000), (500, 1_020), (2_000, 2_000)),
      // Below four million pixels, all of them.
      ((2_000, 1_999), (500, 400), (2_000, 1_999)),
    ] as [((Int, Int), (Int, Int), (Int, Int))])
  func reducedSize(source: (Int, Int), wanted: (Int, Int), expected: (Int, Int)) {
    let size = Self.plan(source, wanted).reducedSize(within: .default)

    #expect(size == PixelSize(width: expected.0, height: expected.1))
  }

  @Test("A WebP decodes at full size within the limits and reduced beyond them")
  func limitedReducedSize() {
    let plan = Self.plan((2_000, 1_000), (500, 200))
    var limits = DecodingLimits()
    limits.maximumPixels = 2_000_000
    #expect(plan.reducedSize(within: limits) == plan.source)
    limits.maximumPixels = 1_999_999
    #expect(plan.reducedSize(within: limits) == PixelSize(width: 1_000, height: 500))

    limits = DecodingLimits()
    limits.maximumDecodedBytes = 6_000_000
    #expect(plan.reducedSize(within: limits) == plan.source)
    limits.maximumDecodedBytes = 5_999_999
    #expect(plan.reducedSize(within: limits) == PixelSize(width: 1_000, height: 500))
  }

  @Test("A WebP decodes at full size for linear light and follows the crop")
  func otherReducedSizes() {
    #expect(
      Self.plan((2_000, 2_000), (500, 500), light: .linear).reducedSize(within: .default)
        == PixelSize(width: 2_000, height: 2_000))

    var cut = Self.plan((4_000, 1_000), (250, 250))
    cut.left = 1_500
    cut.width = 1_000
    #expect(cut.reducedSize(within: .default) == PixelSize(width: 2_000, height: 500))
  }

  @Test(
    "Sizes in eighths are rounded up", arguments: [(8, 1, 1), (9, 1, 2), (15, 4, 8), (16, 4, 8), (17, 8, 17)])
  func rounding(side: Int, eighths: Int, expected: Int) {
    let size = PixelSize(width: side, height: side * 8).reduced(toEighths: eighths)

    #expect(size == PixelSize(width: expected, height: side * eighths))
  }
}
