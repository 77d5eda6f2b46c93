import ImageCodecs
import Testing

@Suite("`ColorMatrix`")
struct ColorMatrixTests {
  private typealias Row = ColorMatrix.Row

  private static func numbers(_ matrix: ColorMatrix) -> [Double] {
    [matrix.red, matrix.green, matrix.blue].flatMap { [$0.red, $0.green, $0.blue, $0.bias] }
  }

  private static func isClose(_ matrix: ColorMatrix, _ expected: [Double]) -> Bool {
    zip(numbers(matrix), expected).allSatisfy { abs($0 - $1) < 1e-12 } && expected.count == 12
  }

  @Test("Each matrix has the weights that its name stands for")
  func weights() {
    #expect(Self.isClose(.identity, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]))
    #expect(Self.isClose(.inversion, [-1, 0, 0, 1, 0, -1, 0, 1, 0, 0, -1, 1]))
    #expect(Self.isClose(.brightness(0.3), [1, 0, 0, 0.3, 0, 1, 0, 0.3, 0, 0, 1, 0.3]))
    #expect(Self.isClose(.contrast(0.4), [0.4, 0, 0, 0.3, 0, 0.4, 0, 0.3, 0, 0, 0.4, 0.3]))
    #expect(Self.isClose(.gain(3), [3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3, 0]))
    let (red, green, blue) = (0.2126 * 0.75, 0.7152 * 0.75, 0.0722 * 0.75)
    #expect(
      Self.isClose(
        .saturation(0.25),
        [0.25 + red, green, blue, 0, red, 0.25 + green, blue, 0, red, green, 0.25 + blue, 0]))
    let sepia = [0.393, 0.769, 0.189, 0, 0.349, 0.686, 0.168, 0, 0.272, 0.534, 0.131, 0]
    #expect(Self.isClose(.sepia(), sepia))
    let mixed = zip(sepia, Self.numbers(.identity)).map { $0 * 0.3 + $1 * 0.7 }
    #expect(Self.isClose(.sepia(0.3), mixed))
    let luma = [0.2126, 0.7152, 0.0722, 0]
    let tint = [51.0, 102, 204].flatMap { level in luma.map { $0 * level / 255 } }
    let color = Image.Pixel(red: 51, green: 102, blue: 204)
    #expect(Self.isClose(.monochrome(color), tint))
    #expect(
      Self.isClose(
        .monochrome(color, intensity: 0.4), zip(tint, Self.numbers(.identity)).map { $0 * 0.4 + $1 * 0.6 }))
    #expect(Row(1, 2, 3) == Row(1, 2, 3, bias: 0))
  }

  @Test("A matrix after another one maps each color as both of them do in sequence")
  func sequence() {
    var random = SeededRandom(seed: 3)
    func number() -> Double { Double(random.below(2_001) - 1_000) / 500 }
    func matrix() -> ColorMatrix {
      let rows = (0..<3).map { _ in Row(number(), number(), number(), bias: number()) }
      return ColorMatrix(red: rows[0], green: rows[1], blue: rows[2])
    }
    func mapped(_ color: [Double], _ matrix: ColorMatrix) -> [Double] {
      [matrix.red, matrix.green, matrix.blue].map {
        $0.red * color[0] + $0.green * color[1] + $0.blue * color[2] + $0.bias
      }
    }

    for _ in 0..<20 {
      let (first, second) = (matrix(), matrix())
      for color in [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.3, 0.7, 0.2]] {
        let expected = mapped(mapped(color, first), second)
        #expect(zip(mapped(color, first.then(second)), expected).allSatisfy { abs($0 - $1) < 1e-9 })
      }
    }
  }

  @Test("A gray image stays gray only if all rows of a matrix do the same to gray")
  func gray() throws {
    let image = try Samples.flat(1, 1, [100])
    let row = Row(0.25, 0.5, 0.25, bias: 0.1), other = Row(0.5, 0.25, 0.25, bias: 0.1)
    let (weighty, biased) = (Row(0.5, 0.5, 0.25, bias: 0.1), Row(0.25, 0.5, 0.25, bias: 0.2))
    for (rows, format) in [
      ([row, row, row], Image.PixelFormat.gray8), ([row, other, row], .gray8), ([weighty, row, row], .rgb8),
      ([row, weighty, row], .rgb8), ([row, row, weighty], .rgb8), ([biased, row, row], .rgb8),
      ([row, biased, row], .rgb8), ([row, row, biased], .rgb8),
    ] {
      let matrix = ColorMatrix(red: rows[0], green: rows[1], blue: rows[2])
      #expect(try image.recolored(by: matrix).pixelFormat == format)
    }
    #expect(try image.recolored(by: ColorMatrix(red: row, green: row, blue: row)).bytes == [126])
  }

  @Test("Recoloring drops a gain map, and keeps all bits of an image that it does not change")
  func kept() throws {
    var image = try Samples.noise(3, 2, .rgb16)
    #expect(try image.recolored(by: .identity) == image)
    image.gainMap = try GainMap(image: Samples.flat(2, 2, [7]), metadata: GainMaps.metadata)
    #expect(
      try image.recolored(by: .identity).gainMap != nil && image.recolored(by: .inversion).gainMap == nil)
  }

  @Test("Settings of filters are refused just outside their bounds, and work at them")
  func bounds() throws {
    let image = try Samples.noise(5, 4, .rgb8)
    let least = Double.leastNonzeroMagnitude
    let right: [() throws -> Image] = [
      { try image.vignetted(start: 0, amount: 0) }, { try image.vignetted(start: 1, amount: 1) },
      { try image.sharpened(radius: 1, amount: 0) }, { try image.sharpened(radius: 1, amount: 100) },
      { try image.rounded(radius: 0, borderWidth: 0) }, { try image.recolored(gamma: 1e-3) },
      { try image.blurred(radius: 1_000) }, { try image.trimmed(tolerance: 0) },
      { try image.trimmed(tolerance: 1) },
    ]
    let wrong: [() throws -> Image] = [
      { try image.vignetted(start: -least, amount: 0) },
      { try image.vignetted(start: (1.0).nextUp, amount: 0) },
      { try image.vignetted(start: 0, amount: -least) },
      { try image.vignetted(start: 0, amount: (1.0).nextUp) },
      { try image.sharpened(radius: 1, amount: -least) },
      { try image.sharpened(radius: 1, amount: (100.0).nextUp) },
      { try image.rounded(radius: -least) }, { try image.rounded(radius: 1, borderWidth: -least) },
      { try image.rounded(radius: 1, borderWidth: .infinity) }, { try image.rounded(radius: .nan) },
      { try image.recolored(gamma: 0) }, { try image.recolored(gamma: .infinity) },
      { try image.blurred(radius: (1_000.0).nextUp) }, { try image.blurred(radius: -.infinity) },
      { try image.blurred(radius: .nan) }, { try image.trimmed(tolerance: -least) },
      { try image.trimmed(tolerance: (1.0).nextUp) }, { try image.turned(degrees: .infinity) },
    ]
    for attempt in right { #expect(throws: Never.self) { try attempt() } }
    for (index, attempt) in wrong.enumerated() {
      let error = #expect(throws: ImageCodecError.self) { try attempt() }
      #expect(error?.kind == "invalidSetting", "\(index)")
    }
    for radius in [0, -1] { #expect(try image.blurred(radius: Double(radius)) == image) }
    #expect(try image.vignetted(start: 1, amount: 1).size == image.size)
    #expect(try image.vignetted(start: 0, amount: 0) == image)
  }

  @Test("Angles are taken around the circle, also those that are almost none")
  func angles() throws {
    for format in [Image.PixelFormat.gray8, .rgba16] {
      let image = try Samples.noise(3, 2, format)
      for (degrees, orientation) in [
        (0.0, ImageOrientation.up), (-0.0, .up), (360, .up), (-720, .up), (-1e-20, .up), (90, .right),
        (-270, .right),
        (450, .right), (180, .down), (-180, .down), (270, .left), (-90, .left),
      ] {
        #expect(try image.turned(degrees: degrees) == image.oriented(orientation), "\(degrees)")
      }
      for (across, down, orientation) in [
        (false, false, ImageOrientation.up), (true, false, .upMirrored), (false, true, .downMirrored),
        (true, true, .down),
      ] {
        #expect(try image.flipped(horizontally: across, vertically: down) == image.oriented(orientation))
      }
    }
    let image = try Samples.noise(9, 4, .rgb8)
    #expect(try image.turned(degrees: -30) == image.turned(degrees: 330))
    #expect(throws: ImageCodecError.cancelled) { try image.turned(degrees: 30, isCancelled: { true }) }
    #expect(throws: ImageCodecError.cancelled) { try image.blurred(radius: 3, isCancelled: { true }) }
    var limits = DecodingLimits()
    limits.deadline = .zero
    #expect(throws: ImageCodecError.deadlineExceeded) { try image.turned(degrees: 30, limits: limits) }
    #expect(throws: ImageCodecError.deadlineExceeded) { try image.blurred(radius: 3, limits: limits) }
    limits = DecodingLimits()
    limits.maximumWorkingBytes = 1
    #expect(throws: ImageCodecError.limitExceeded(.workingBytes(1))) {
      try image.blurred(radius: 3, limits: limits)
    }
  }
}
