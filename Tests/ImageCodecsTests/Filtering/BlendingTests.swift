import ImageCodecs
import Testing

@Suite("`Image.blended`")
struct BlendingTests {
  private let below: [UInt8] = [200, 100, 50, 255]
  private let above = Image.Pixel(red: 100, green: 200, blue: 250)

  @Test(
    "Each blend mode mixes colors by its formula",
    arguments: [
      (BlendMode.normal, [100, 200, 250]), (.multiply, [78, 78, 49]), (.screen, [222, 222, 251]),
      (.overlay, [188, 157, 98]), (.darken, [100, 100, 50]), (.lighten, [200, 200, 250]),
      (.colorDodge, [255, 255, 255]), (.colorBurn, [115, 57, 46]), (.hardLight, [157, 188, 247]),
      (.softLight, [191, 134, 111]), (.difference, [100, 100, 200]), (.exclusion, [143, 143, 202]),
      (.plusLighter, [255, 255, 255]),
    ] as [(BlendMode, [UInt8])])
  func mixing(mode: BlendMode, expected: [UInt8]) throws {
    let image = try Samples.flat(1, 1, below)

    let blended = try image.blended(with: above, mode: mode).bytes

    #expect(zip(blended, expected + [255]).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(blended)")
  }

  @Test(
    "Each Porter-Duff mode gives the expected alpha",
    arguments: [
      (BlendMode.clear, 0), (.copy, 128), (.sourceIn, 64), (.sourceOut, 64), (.sourceAtop, 128),
      (.destinationOver, 191), (.destinationIn, 64), (.destinationOut, 64), (.destinationAtop, 128),
      (.exclusiveOr, 128), (.plusLighter, 255), (.normal, 191),
    ] as [(BlendMode, Int)])
  func parts(mode: BlendMode, alpha: Int) throws {
    let image = try Samples.flat(1, 1, [200, 100, 50, 128])

    let blended = try image.blended(with: Image.Pixel(red: 9, green: 9, blue: 9, alpha: 128), mode: mode)

    #expect(abs(Int(blended.bytes[3]) - alpha) <= 2)
  }

  @Test("The blend opacity scales the other image, and values outside 0 to 1 are refused")
  func opacity() throws {
    let image = try Samples.flat(1, 1, [0, 0, 0])
    let other = try Samples.flat(1, 1, [200, 200, 200])

    #expect(try image.blended(with: other, opacity: 0.5).bytes == [100, 100, 100])
    #expect(try image.blended(with: other, opacity: 0) == image)
    for opacity in [-0.1, 1.1, .nan] {
      #expect(throws: ImageCodecError.invalidSetting("an opacity of \(opacity)")) {
        try image.blended(with: other, opacity: opacity)
      }
    }
  }
}
