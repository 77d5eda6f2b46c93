import Foundation
import StreamImages
import Testing

@Suite("`ImageProcessors.Resize`")
struct ResizeTests {
  private let context = ImageProcessingContext(request: "https://a/b.png")

  private func size(_ processor: ImageProcessors.Resize, of width: Int, _ height: Int) throws -> PixelSize {
    try processor.process(Pictures.gradient(width, height), context).size
  }

  @Test("An image fills or fits a box, is cropped, and is enlarged only on request")
  func sizes() throws {
    let box = CGSize(width: 40, height: 40)

    #expect(try size(.resize(size: box), of: 160, 80) == PixelSize(width: 80, height: 40))
    #expect(
      try size(.resize(size: box, contentMode: .aspectFit), of: 160, 80) == PixelSize(width: 40, height: 20))
    #expect(try size(.resize(size: box, crop: true), of: 160, 80) == PixelSize(width: 40, height: 40))
    #expect(try size(.resize(size: box), of: 16, 8) == PixelSize(width: 16, height: 8))
    #expect(try size(.resize(size: box, upscale: true), of: 16, 8) == PixelSize(width: 80, height: 40))
    #expect(try size(.resize(width: 40), of: 16, 8) == PixelSize(width: 16, height: 8))
    #expect(try size(.resize(height: 40), of: 16, 8) == PixelSize(width: 16, height: 8))
    #expect(try size(.resize(width: 40), of: 160, 80) == PixelSize(width: 40, height: 20))
    #expect(try size(.resize(height: 40), of: 160, 80) == PixelSize(width: 80, height: 40))
    #expect(
      try size(.resize(width: 20, unit: .points(scale: 2)), of: 160, 80) == PixelSize(width: 40, height: 20))
  }

  @Test("Each parameter of a resize is one of its target, in pixels")
  func targets() {
    let box = CGSize(width: 20, height: 30)
    let points = ImageProcessors.Unit.points(scale: 4)

    #expect(ImageProcessors.Resize(size: box).target == ResizeTarget(width: 20, height: 30))
    #expect(ImageProcessors.Resize(size: box, unit: points).target == ResizeTarget(width: 80, height: 120))
    #expect(
      ImageProcessors.Resize(size: box, contentMode: .aspectFit).target
        == ResizeTarget(width: 20, height: 30, mode: .fit))
    #expect(
      ImageProcessors.Resize(size: box, crop: true).target == ResizeTarget(width: 20, height: 30, crops: true)
    )
    #expect(
      ImageProcessors.Resize(size: box, contentMode: .aspectFit, crop: true).target
        == ResizeTarget(width: 20, height: 30, mode: .fit))
    #expect(
      ImageProcessors.Resize(size: box, upscale: true).target
        == ResizeTarget(width: 20, height: 30, upscales: true))
    #expect(
      ImageProcessors.Resize(size: box, light: .linear).target
        == ResizeTarget(width: 20, height: 30, light: .linear))
    #expect(ImageProcessors.Resize(size: box) == .resize(size: box))
    #expect(ImageProcessors.Resize(width: 20) == .resize(width: 20))
    #expect(ImageProcessors.Resize(height: 30) == .resize(height: 30))
    for (unit, scale) in [(ImageProcessors.Unit.pixels, 1.0), (points, 4)] {
      for light in Image.Light.allCases {
        for upscale in [false, true] {
          let all = ImageProcessors.Resize(size: box, unit: unit, crop: true, upscale: upscale, light: light)
          let wide = ImageProcessors.Resize(width: 20, unit: unit, upscale: upscale, light: light)
          let high = ImageProcessors.Resize(height: 30, unit: unit, upscale: upscale, light: light)

          #expect(
            all.target
              == ResizeTarget(
                width: 20 * scale, height: 30 * scale, crops: true, upscales: upscale, light: light))
          #expect(
            wide.target
              == ResizeTarget(width: 20 * scale, height: nil, mode: .fit, upscales: upscale, light: light))
          #expect(
            high.target
              == ResizeTarget(width: nil, height: 30 * scale, mode: .fit, upscales: upscale, light: light))
          #expect(all == .resize(size: box, unit: unit, crop: true, upscale: upscale, light: light))
          #expect(wide == .resize(width: 20, unit: unit, upscale: upscale, light: light))
          #expect(high == .resize(height: 30, unit: unit, upscale: upscale, light: light))
          #expect(all.decodingTarget == (upscale ? nil : all.target))
        }
      }
    }
    #expect(
      ImageProcessors.Resize(size: box, contentMode: .aspectFit, light: .linear)
        == .resize(size: box, contentMode: .aspectFit, light: .linear))
  }

  @Test("Invalid sizes are refused", arguments: [0, -1, Double.nan, .infinity, 1e30])
  func nonsense(_ width: Double) throws {
    let picture = try Pictures.gradient(10, 10)
    let processor = ImageProcessors.Resize(width: width, upscale: true)

    #expect(throws: ImageCodecError.self) { try processor.process(picture, context) }
  }

  @Test("A resize is identified by all its parameters")
  func identifiers() {
    let box = CGSize(width: 40, height: 40)
    let processors: [ImageProcessors.Resize] = [
      .resize(size: box), .resize(size: box, contentMode: .aspectFit), .resize(size: box, crop: true),
      .resize(size: box, upscale: true), .resize(size: box, crop: true, upscale: true), .resize(width: 40),
      .resize(height: 40), .resize(width: 40.5), .resize(size: CGSize(width: 40, height: 41)),
      .resize(size: box, light: .linear), .resize(width: 40, light: .linear),
    ]

    #expect(Set(processors.map(\.identifier)).count == processors.count)
    let points = ImageProcessors.Resize(width: 20, unit: .points(scale: 2))
    #expect(points.identifier == ImageProcessors.Resize(width: 40).identifier)
  }

  @Test("Resizing in the decoder gives nearly the same pixels", arguments: ["jpeg", "png"])
  func decodedSmall(_ format: String) throws {
    let bytes = try format == "jpeg" ? Pictures.jpeg(400, 300) : Pictures.png(400, 300)
    let processor = ImageProcessors.Resize(width: 50)
    let decoder = ImageDecoders.Default()
    let whole = try processor.process(decoder.decode(bytes, ImageDecodingContext(request: "a")), context)

    let small = try decoder.decode(
      bytes, ImageDecodingContext(request: "a", target: processor.decodingTarget))

    #expect(small.size == whole.size)
    let differences = whole.withUnsafeBytes { whole in
      small.withUnsafeBytes { small in zip(whole, small).map { abs(Int($0) - Int($1)) } }
    }
    #expect(differences.max()! <= 8)
    #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 1.5)
  }
}
