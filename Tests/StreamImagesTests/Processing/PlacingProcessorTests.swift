import Foundation
import StreamImages
import Testing

@Suite("Processors of size and place")
struct PlacingProcessorTests {
  private let context = ImageProcessingContext(request: "https://a/b.png")
  private let red = Image.Pixel(red: 255, green: 0, blue: 0)

  private func process(_ image: Image, _ processor: some ImageProcessing) throws -> Image {
    try processor.process(image, context)
  }

  @Test("A focus is the center of a crop, as far as the crop stays inside the image")
  func focus() throws {
    let image = try Pictures.gradient(80, 40)
    let size = CGSize(width: 20, height: 10)
    let corner = { (x: Double, y: Double) in
      try process(image, .crop(size: size, focus: .init(x: x, y: y))).pixel(x: 0, y: 0)
    }

    #expect(try corner(0.5, 0.5) == image.pixel(x: 30, y: 15))
    #expect(try corner(0.25, 0.75) == image.pixel(x: 10, y: 25))
    #expect(try corner(0, 0) == image.pixel(x: 0, y: 0))
    #expect(try corner(1, 0.9) == image.pixel(x: 60, y: 30))
    #expect(throws: ImageCodecError.self) { try corner(1.1, 0) }
    #expect(try process(image, .crop(size: CGSize(width: 999, height: 999), focus: .left)) == image)
  }

  @Test("Anchors have the names of corners and edges")
  func anchors() throws {
    let image = try Pictures.gradient(30, 30)
    let size = CGSize(width: 10, height: 10)
    let anchors: [ImageProcessors.Anchor] = [
      .topLeft, .top, .topRight, .left, .center, .right, .bottomLeft, .bottom, .bottomRight,
    ]

    for (index, anchor) in anchors.enumerated() {
      let corner = try process(image, .crop(size: size, anchor: anchor)).pixel(x: 0, y: 0)
      #expect(corner == image.pixel(x: index % 3 * 10, y: index / 3 * 10), "\(anchor)")
    }
  }

  @Test("A crop to attention is the part that the image itself names")
  func attention() throws {
    let image = try Image(width: 200, height: 100, pixelFormat: .rgb8)
      .watermarked(with: Pictures.gradient(30, 30), at: .init(x: 0.8, y: 0.5))
    let size = PixelSize(width: 60, height: 100)

    let cropped = try process(image, .crop(size: CGSize(width: 60, height: 150), to: .attention))

    let origin = try image.attentiveOrigin(of: size)
    #expect(cropped == (try image.cropped(x: origin.x, y: origin.y, width: 60, height: 100)))
    #expect((110...140).contains(origin.x), "\(origin)")
  }

  @Test("Padding extends to a size or by edges, and keeps a side that is long enough")
  func padding() throws {
    let image = try Pictures.gradient(20, 10)

    let square = try process(image, .pad(to: CGSize(width: 15, height: 20), anchor: .bottom, color: red))
    let framed = try process(image, .pad(1.5, unit: .points(scale: 2), color: red))
    let clear = try process(image, .pad(1))

    #expect(square.size == PixelSize(width: 20, height: 20))
    #expect(square.pixel(x: 0, y: 9) == red && square.pixel(x: 0, y: 10) == image.pixel(x: 0, y: 0))
    #expect(framed == (try image.padded(top: 3, left: 3, bottom: 3, right: 3, color: red)))
    #expect(clear.pixel(x: 0, y: 0) == .clear)
    for side in [-1, Double.nan, .infinity, 1e10] {
      #expect(throws: ImageCodecError.self) { try process(image, .pad(side)) }
      #expect(throws: ImageCodecError.self) { try process(image, .pad(to: CGSize(width: side, height: 1))) }
    }
    #expect(throws: ImageCodecError.self) {
      try process(image, .pad(to: CGSize(width: 50, height: 50), anchor: .init(x: 2, y: 0)))
    }
  }

  @Test("Processors call the functions of images with their parameters")
  func parameters() throws {
    let image = try Pictures.gradient(24, 16, alpha: 90)
    let mark = try Pictures.gradient(4, 4)

    #expect(try process(image, .sharpen(radius: 2, amount: 0.5)) == image.sharpened(radius: 2, amount: 0.5))
    #expect(try process(image, .pixelate(side: 2, unit: .points(scale: 2))) == image.pixelated(side: 4))
    #expect(try process(image.padded(top: 2, color: red), .trim()) == image)
    #expect(try process(image, .background(red)) == image.flattened(over: red))
    #expect(
      try process(image, .watermark(mark, anchor: .top, scale: 0.5, opacity: 0.5, margin: 1.4))
        == image.watermarked(with: mark, at: .init(x: 0.5, y: 0, scale: 0.5, margin: 1), opacity: 0.5))
    #expect(
      try process(image, .watermark(mark, repeats: true))
        == image.watermarked(with: mark, at: .init(repeats: true)))
    #expect(throws: ImageCodecError.self) { try process(image, .pixelate(side: 0.4)) }
    #expect(throws: ImageCodecError.self) { try process(image, .pixelate(side: .nan)) }
    #expect(throws: ImageCodecError.self) { try process(image, .watermark(mark, margin: .nan)) }
    #expect(throws: ImageCodecError.self) { try process(image, .trim(tolerance: 2)) }
  }

  @Test("The steps of a builder append these processors")
  func builder() {
    let size = CGSize(width: 5, height: 6)
    let request = ImagePipeline().image(with: URL(string: "https://a/b"))
      .crop(size: size).crop(size: size, focus: .top).crop(size: size, to: .attention)
      .pad(to: size, color: red).trim().background(red).sharpen().pixelate(side: 4)
      .request

    let expected: [any ImageProcessing] = [
      .crop(size: size), .crop(size: size, focus: .top), .crop(size: size, to: .attention),
      .pad(to: size, color: red), .trim(), .background(red), .sharpen(), .pixelate(side: 4),
    ]
    #expect(request.processors.map(\.identifier) == expected.map(\.identifier))
  }
}
