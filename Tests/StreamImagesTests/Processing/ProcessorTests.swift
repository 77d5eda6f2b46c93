import Foundation
import StreamImages
import Testing

@Suite("`ImageProcessors`")
struct ProcessorTests {
  private let context = ImageProcessingContext(request: "https://a/b.png")
  private let red = Image.Pixel(red: 255, green: 0, blue: 0)

  private func picture(_ width: Int, _ height: Int, alpha: UInt8? = nil) throws -> Image {
    try Pictures.gradient(width, height, alpha: alpha)
  }

  @Test("A circle is cut from the largest centered square")
  func circle() throws {
    let image = try picture(80, 40)

    let plain = try ImageProcessors.Circle().process(image, context)
    let lined = try ImageProcessors.Circle(
      border: .init(color: red, width: 2, unit: .points(scale: 2))
    ).process(image, context)

    #expect(plain.size == PixelSize(width: 40, height: 40) && plain.pixelFormat == .rgba8)
    #expect(plain.pixel(x: 0, y: 0)?.alpha == 0)
    #expect(plain.pixel(x: 20, y: 20) == image.pixel(x: 40, y: 20))
    #expect(lined.pixel(x: 20, y: 3) == red && lined.pixel(x: 20, y: 4) != red)
  }

  @Test("Rounding corners converts points to pixels and rejects a negative radius")
  func corners() throws {
    let image = try picture(40, 30)

    let rounded = try ImageProcessors.RoundedCorners(radius: 5, unit: .points(scale: 2))
      .process(image, context)

    #expect(rounded == (try image.rounded(radius: 10)))
    #expect(throws: ImageCodecError.self) {
      try ImageProcessors.RoundedCorners(radius: -1).process(image, context)
    }
  }

  @Test("A crop takes a size at an anchor, or an area")
  func crop() throws {
    let image = try picture(80, 40)
    let size = CGSize(width: 20, height: 100)

    let center = try ImageProcessors.Crop(size: size).process(image, context)
    let corner = try ImageProcessors.Crop(size: size, anchor: .init(x: 1, y: 0)).process(image, context)
    let area = try ImageProcessors.Crop(CGRect(x: 10, y: 5, width: 10, height: 10), unit: .points(scale: 2))
      .process(image, context)

    #expect(center.size == PixelSize(width: 20, height: 40))
    #expect(center.pixel(x: 0, y: 0) == image.pixel(x: 30, y: 0))
    #expect(corner.pixel(x: 19, y: 0) == image.pixel(x: 79, y: 0))
    #expect(area.size == PixelSize(width: 20, height: 20))
    #expect(area.pixel(x: 0, y: 0) == image.pixel(x: 20, y: 10))
    for side in [0, -1, Double.nan, .infinity] {
      #expect(throws: ImageCodecError.self) {
        try ImageProcessors.Crop(size: CGSize(width: side, height: 5)).process(image, context)
      }
    }
    #expect(throws: ImageCodecError.self) {
      try ImageProcessors.Crop(CGRect(x: 80, y: 0, width: 5, height: 5)).process(image, context)
    }
  }

  @Test("A blur produces the blurred image, and stops when cancelled")
  func blur() throws {
    let image = try picture(20, 20)

    let blurred = try ImageProcessors.GaussianBlur(radius: 2).process(image, context)

    #expect(try blurred == image.blurred(radius: 2))
    let cancelled = ImageProcessingContext(request: "https://a/b.png", isCancelled: { true })
    #expect(throws: ImageCodecError.cancelled) {
      try ImageProcessors.GaussianBlur(radius: 2).process(image, cancelled)
    }
  }

  @Test("Color processors apply their matrix")
  func colors() throws {
    let image = try picture(20, 20)
    let processors: [(ImageProcessors.Colors, ColorMatrix, Image.Light)] = [
      (.colorControls(saturation: 0.5), .saturation(0.5), .encoded), (.sepia(), .sepia(), .encoded),
      (.monochrome(color: red, intensity: 0.7), .monochrome(red, intensity: 0.7), .encoded),
      (.invert(), .inversion, .encoded), (.exposure(stops: 1), .gain(2), .linear),
      (.init(.sepia()), .sepia(), .encoded),
    ]

    for (processor, matrix, light) in processors {
      #expect(try processor.process(image, context) == image.recolored(by: matrix, in: light))
    }
    #expect(throws: ImageCodecError.self) {
      try ImageProcessors.Colors.exposure(stops: .nan).process(image, context)
    }
  }

  @Test("A tint keeps transparency, and an overlay of an opaque image stays opaque")
  func tint() throws {
    let image = try picture(9, 9, alpha: 100)

    let tinted = try ImageProcessors.Blend.tint(red).process(image, context)
    let covered = try ImageProcessors.Blend.overlay(red, fraction: 0.75).process(picture(9, 9), context)

    #expect(tinted.pixel(x: 4, y: 4) == Image.Pixel(red: 255, green: 0, blue: 0, alpha: 100))
    let (before, after) = (try picture(9, 9).pixel(x: 4, y: 4), covered.pixel(x: 4, y: 4))
    #expect(abs(Double(after!.green) - Double(before!.green) * 0.75) <= 1)
    #expect(covered.pixelFormat == .rgb8)
  }

  @Test("An overlaid image is placed at its anchor")
  func watermark() throws {
    let image = try picture(10, 10)
    let mark = try Image(bytes: [255, 0, 0, 255, 0, 0], width: 2, height: 1, pixelFormat: .rgb8)

    let center = try ImageProcessors.Blend(mark).process(image, context)
    let corner = try ImageProcessors.Blend(mark, anchor: .init(x: 1, y: 1)).process(image, context)

    #expect(center.pixel(x: 4, y: 5) == red && center.pixel(x: 5, y: 5) == red)
    #expect(corner.pixel(x: 8, y: 9) == red && corner.pixel(x: 9, y: 9) == red)
    #expect(corner.pixel(x: 7, y: 9) == image.pixel(x: 7, y: 9))
    #expect(throws: ImageCodecError.self) {
      try ImageProcessors.Blend(mark, anchor: .init(x: .nan, y: 0)).process(image, context)
    }
  }

  @Test("An image can be rotated and flipped")
  func turns() throws {
    let image = try picture(10, 6)

    let turned = try ImageProcessors.Turn.rotate(degrees: 90).process(image, context)
    let flipped = try ImageProcessors.Turn.flip(horizontally: true, vertically: true).process(image, context)

    #expect(turned.pixel(x: 5, y: 0) == image.pixel(x: 0, y: 0))
    #expect(try flipped == image.turned(degrees: 180))
  }

  @Test("Processors written as in Nuke have distinct identifiers")
  func sugar() {
    let request = ImageRequest(
      url: URL(string: "https://a/b"),
      processors: [
        .resize(size: CGSize(width: 10, height: 10)), .circle(), .roundedCorners(radius: 8),
        .gaussianBlur(radius: 8), .process(id: "x") { $0 }, .composition([.sepia(), .invert()]),
        .crop(size: CGSize(width: 1, height: 1)), .tint(red), .filter("sepia"), .rotate(degrees: 5), .flip(),
      ])

    #expect(Set(request.processors.map(\.identifier)).count == request.processors.count)
  }
}
