import ImageCodecs
import Testing

@Suite("`ResizeTarget`")
struct ResizeTargetTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var source: (Int, Int)
    var target: ResizeTarget
    var expected: (Int, Int)

    var testDescription: String {
      "\(source) to \(target.width ?? 0) × \(target.height ?? 0) is \(expected)"
    }
  }

  static let rows: [Row] = [
    // Fit: all of the image inside of the target.
    Row(source: (400, 100), target: fit(200, 200), expected: (200, 50)),
    Row(source: (100, 400), target: fit(200, 200), expected: (50, 200)),
    Row(source: (100, 50), target: fit(200, 200), expected: (100, 50)),
    Row(source: (100, 50), target: fit(200, 200, upscales: true), expected: (200, 100)),
    Row(source: (200, 200), target: fit(200, 200), expected: (200, 200)),
    Row(source: (3, 2), target: fit(2, 2), expected: (2, 1)),
    Row(source: (10_000, 1), target: fit(100, 100), expected: (100, 1)),
    Row(source: (1, 10_000), target: fit(100, 100), expected: (1, 100)),
    Row(source: (640, 480), target: fit(320.4, 320.4), expected: (320, 240)),
    Row(source: (640, 480), target: fit(0.2, 0.2), expected: (1, 1)),
    // Fill: all of the target inside of the image.
    Row(source: (400, 100), target: fill(200, 200), expected: (400, 100)),
    Row(source: (800, 400), target: fill(200, 200), expected: (400, 200)),
    Row(source: (400, 800), target: fill(200, 200), expected: (200, 400)),
    Row(source: (100, 50), target: fill(200, 200), expected: (100, 50)),
    Row(source: (100, 50), target: fill(200, 200, upscales: true), expected: (400, 200)),
    // Fill and cut.
    Row(source: (800, 400), target: fill(200, 200, crops: true), expected: (200, 200)),
    Row(source: (400, 100), target: fill(200, 200, crops: true), expected: (200, 100)),
    Row(source: (100, 400), target: fill(200, 200, crops: true), expected: (100, 200)),
    Row(source: (100, 50), target: fill(200, 200, crops: true), expected: (100, 50)),
    Row(source: (100, 50), target: fill(200, 200, crops: true, upscales: true), expected: (200, 200)),
    Row(source: (3000, 2000), target: fill(100, 300, crops: true), expected: (100, 300)),
    // Fit has nothing to cut.
    Row(
      source: (400, 100), target: ResizeTarget(width: 200, height: 200, mode: .fit, crops: true),
      expected: (200, 50)),
    // One side follows from the other.
    Row(source: (400, 100), target: ResizeTarget(width: 200, height: nil), expected: (200, 50)),
    Row(source: (400, 100), target: ResizeTarget(width: nil, height: 50), expected: (200, 50)),
    Row(source: (400, 100), target: ResizeTarget(width: 800, height: nil), expected: (400, 100)),
    Row(
      source: (400, 100), target: ResizeTarget(width: 800, height: nil, upscales: true),
      expected: (800, 200)),
    Row(source: (400, 100), target: ResizeTarget(width: 200, height: nil, crops: true), expected: (200, 50)),
    Row(source: (4_000, 3_000), target: .fitting(320), expected: (320, 240)),
  ]

  @Test("A resize target gives the expected size for each mode", arguments: rows)
  func table(row: Row) throws {
    let size = try row.target.size(for: PixelSize(width: row.source.0, height: row.source.1))

    #expect(size == PixelSize(width: row.expected.0, height: row.expected.1))
  }

  @Test("A target without a positive number of pixels throws `invalidSize`")
  func meaningless() {
    let source = PixelSize(width: 10, height: 10)
    for side in [Double.nan, .infinity, -.infinity, 0, -0.0, -1, -.leastNonzeroMagnitude] {
      for target in [
        ResizeTarget(width: side, height: 5), ResizeTarget(width: 5, height: side),
        ResizeTarget(width: side, height: nil), ResizeTarget(width: nil, height: side),
      ] {
        #expect(throws: ImageCodecError.invalidSize("a side of \(side) pixels")) {
          try target.size(for: source)
        }
      }
    }
    #expect(throws: ImageCodecError.invalidSize("neither width nor height")) {
      try ResizeTarget(width: nil, height: nil).size(for: source)
    }
    #expect(throws: ImageCodecError.invalidSize("0 × 10 pixels")) {
      try ResizeTarget.fitting(5).size(for: PixelSize(width: 0, height: 10))
    }
  }

  @Test("A target of any size leaves an image as it is, unless it upscales")
  func largerThanAnyImage() throws {
    let source = PixelSize(width: 10, height: 5)
    for side in [65_535.0, 65_535.5, 65_536, 1e9, 1e300] {
      var targets = [
        ResizeTarget(width: side, height: nil), ResizeTarget(width: nil, height: side), .fitting(side),
        ResizeTarget(width: side, height: side, crops: true),
      ]
      for target in targets { #expect(try target.size(for: source) == source) }
      #expect(
        try ResizeTarget(width: side, height: 2, mode: .fit).size(for: source)
          == PixelSize(width: 4, height: 2))
      for index in targets.indices { targets[index].upscales = true }
      for target in targets where side > 65_535 {
        #expect(throws: ImageCodecError.invalidSize("a side of \(side) pixels")) {
          try target.size(for: source)
        }
      }
    }
  }

  @Test("A target whose upscaled size overflows throws an error")
  func enormous() {
    let line = PixelSize(width: 1, height: 60_000)

    #expect(throws: ImageCodecError.self) {
      try ResizeTarget(width: 60_000, height: nil, upscales: true).size(for: line)
    }
  }

  @Test("Resize plans keep their invariants for all combinations of small sizes")
  func laws() throws {
    let sides = [1, 2, 3, 5, 8, 13, 100]
    for width in sides {
      for height in sides {
        for across in sides {
          for down in sides {
            for mode in ResizeTarget.Mode.allCases {
              for (crops, upscales) in [(false, false), (false, true), (true, false), (true, true)] {
                let target = ResizeTarget(
                  width: Double(across), height: Double(down), mode: mode, crops: crops, upscales: upscales)
                if let breach = try breach(PixelSize(width: width, height: height), target) {
                  Issue.record("\(width) × \(height) to \(target): \(breach)")
                }
              }
            }
          }
        }
      }
    }
  }

  /// The promise that is broken, if any.
  private func breach(_ source: PixelSize, _ target: ResizeTarget) throws -> String? {
    let plan = try target.plan(for: source)
    let size = plan.size
    let wanted = PixelSize(width: Int(target.width ?? 0), height: Int(target.height ?? 0))
    let cuts = target.crops && target.mode == .fill
    if size.width < 1 || size.height < 1 { return "empty" }
    if !target.upscales, size.width > source.width || size.height > source.height { return "enlarged" }
    if target.mode == .fit || cuts, size.width > wanted.width || size.height > wanted.height {
      return "sticks out"
    }
    if target.mode == .fit, target.upscales, size.width != wanted.width, size.height != wanted.height {
      return "smaller than the target on both sides"
    }
    if target.mode == .fill, target.upscales, size.width < wanted.width || size.height < wanted.height {
      return "does not fill"
    }
    if cuts, target.upscales, size != wanted { return "not the target" }
    if !cuts, plan.width != Double(source.width) || plan.height != Double(source.height) { return "cut" }
    if plan.left < 0 || plan.top < 0 { return "outside" }
    if abs(plan.left * 2 + plan.width - Double(source.width)) > 1e-9 { return "off the middle" }
    if abs(plan.top * 2 + plan.height - Double(source.height)) > 1e-9 { return "off the middle" }
    let across = Double(size.width) / plan.width
    let down = Double(size.height) / plan.height
    // Each side is rounded to whole pixels, and is never below one.
    let distortion = abs(across - down) * min(plan.width, plan.height)
    if size.width > 1, size.height > 1, distortion > 1 { return "distorted by \(distortion)" }
    return nil
  }

  private static func fit(_ width: Double, _ height: Double, upscales: Bool = false) -> ResizeTarget {
    ResizeTarget(width: width, height: height, mode: .fit, upscales: upscales)
  }

  private static func fill(
    _ width: Double, _ height: Double, crops: Bool = false, upscales: Bool = false
  ) -> ResizeTarget {
    ResizeTarget(width: width, height: height, mode: .fill, crops: crops, upscales: upscales)
  }
}
