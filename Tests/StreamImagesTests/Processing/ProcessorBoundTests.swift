import Foundation
import StreamImages
import Testing

/// Both sides of the bounds of each parameter.
@Suite("Bounds of processors")
struct ProcessorBoundTests {
  private let context = ImageProcessingContext(request: "https://a/b.png")
  private let red = Image.Pixel(red: 255, green: 0, blue: 0)
  private let image: Image

  init() throws { image = try Pictures.gradient(10, 6) }

  private func process(_ processor: some ImageProcessing) throws -> Image {
    try processor.process(image, context)
  }

  private func failure(_ processor: some ImageProcessing) -> ImageCodecError? {
    do {
      _ = try process(processor)
      return nil
    } catch {
      return error as? ImageCodecError
    }
  }

  @Test("A context is not of a preview and is not cancelled by default")
  func defaults() {
    #expect(!context.isPreview && !context.isCancelled())
  }

  @Test("The opacity of a blended color is from 0 to 1, and multiplies its alpha")
  func opacity() throws {
    let blend = { (opacity: Double) in
      ImageProcessors.Blend(
        Image.Pixel(red: 255, green: 0, blue: 0, alpha: 200), mode: .copy, opacity: opacity)
    }

    for opacity in [-0.01, 1.01, -1, 2, .infinity] {
      #expect(failure(blend(opacity)) == .invalidSetting("an opacity of \(opacity)"))
    }
    for (opacity, alpha) in [(0, 0), (0.1, 20), (0.5, 100), (1, 200)] as [(Double, UInt8)] {
      #expect(try process(blend(opacity)).pixel(x: 3, y: 3)?.alpha == alpha, "\(opacity)")
    }
    #expect(try process(ImageProcessors.Blend(red, mode: .normal)).pixel(x: 3, y: 3) == red)
    #expect(try process(.blend(red, mode: .normal)).pixel(x: 3, y: 3) == red)
  }

  private static let anchors = [0, 0.5, 1].flatMap { y in
    [0, 0.5, 1].map { x in ImageProcessors.Anchor(x: x, y: y) }
  }

  private static let badAnchors: [ImageProcessors.Anchor] = [
    .init(x: -0.01, y: 0), .init(x: 1.01, y: 0), .init(x: 0, y: -0.01), .init(x: 0, y: 1.01),
    .init(x: 0.5, y: .infinity),
  ]

  @Test("Anchors from 0 to 1 place an image, a crop and padding, and others are refused")
  func anchors() throws {
    let mark = try Image(bytes: [255, 0, 0], width: 1, height: 1, pixelFormat: .rgb8)
    let (part, whole) = (CGSize(width: 4, height: 2), CGSize(width: 14, height: 8))
    for anchor in Self.anchors {
      let (x, y) = (Int((9 * anchor.x).rounded()), Int((5 * anchor.y).rounded()))
      let blended = try process(.blend(mark, anchor: anchor))
      #expect(blended.pixel(x: x, y: y) == red, "\(anchor)")
      #expect(
        try blended.cropped(x: 0, y: 0, width: 1, height: 1) == image.cropped(x: 0, y: 0, width: 1, height: 1)
          || x + y == 0)

      let (left, top) = (Int(6 * anchor.x), Int(4 * anchor.y))
      #expect(
        try process(.crop(size: part, anchor: anchor)) == image.cropped(x: left, y: top, width: 4, height: 2))

      let (before, above) = (Int(4 * anchor.x), Int(2 * anchor.y))
      #expect(
        try process(.pad(to: whole, anchor: anchor, color: red))
          == image.padded(top: above, left: before, bottom: 2 - above, right: 4 - before, color: red))
    }
    for anchor in Self.badAnchors {
      let refusal = ImageCodecError.invalidSetting("an anchor at \(anchor.x), \(anchor.y)")
      #expect(failure(.blend(mark, anchor: anchor)) == refusal)
      #expect(failure(.pad(to: whole, anchor: anchor)) == refusal)
      let share = (0...1).contains(anchor.x) ? anchor.y : anchor.x
      #expect(failure(.crop(size: part, anchor: anchor)) == .invalidSetting("an anchor at \(share)"))
      #expect(failure(.crop(size: part, focus: anchor)) == .invalidSetting("a focus at \(share)"))
    }
  }

  @Test("A crop has at least one pixel, less than a billion, and no more than the image has")
  func crops() throws {
    for side in [0, -0.4, 1e9, 1e30, .infinity, .nan] {
      let refusal = failure(.crop(size: CGSize(width: side, height: 1)))
      guard case .invalidSize(let text)? = refusal else { return unexpected(refusal) }
      #expect(text == "a side of \(side) pixels")
    }
    #expect(failure(.crop(size: CGSize(width: 1, height: 0))) == .invalidSize("a side of 0.0 pixels"))
    #expect(try process(.crop(size: CGSize(width: 0.4, height: 1.4))).size == PixelSize(width: 1, height: 1))
    #expect(try process(.crop(size: CGSize(width: 1.5, height: 1))).size == PixelSize(width: 2, height: 1))

    let huge = CGSize(width: 999_999_999, height: 999_999_999)
    for anchor in Self.anchors {
      #expect(try process(.crop(size: huge, anchor: anchor)) == image)
      #expect(try process(.crop(size: huge, focus: anchor)) == image)
    }
    #expect(try process(.crop(size: huge, to: .attention)) == image)
    #expect(
      try process(.crop(size: CGSize(width: 99, height: 2), anchor: .bottom)).size
        == PixelSize(width: 10, height: 2))
  }

  @Test("An area may begin before the image and end behind it, and is less than a billion pixels away")
  func areas() throws {
    #expect(
      try process(.crop(CGRect(x: -5, y: -3, width: 12, height: 12)))
        == image.cropped(x: 0, y: 0, width: 7, height: 6))
    #expect(
      try process(.crop(CGRect(x: 4.6, y: 2.4, width: 99, height: 99)))
        == image.cropped(x: 5, y: 2, width: 5, height: 4))
    for place in [1e9, -1e9, .infinity, .nan] {
      let refusal = failure(.crop(CGRect(x: 0, y: place, width: 5, height: 5)))
      guard case .invalidSize(let text)? = refusal else { return unexpected(refusal) }
      #expect(text == "a corner at \(place)")
    }
    // Near enough, and outside of the image.
    #expect(
      failure(.crop(CGRect(x: 999_999_999, y: 0, width: 5, height: 5)))
        == .invalidSize("5 × 5 pixels at 999999999, 0 of \(image.size)"))
  }

  @Test("A high image becomes the circle in its middle")
  func circle() throws {
    let high = try Pictures.gradient(6, 11)

    let circle = try ImageProcessors.Circle().process(high, context)

    #expect(circle == (try high.cropped(x: 0, y: 2, width: 6, height: 6).rounded(radius: 3)))
  }

  @Test("A border is one pixel wide by default")
  func border() {
    let border = ImageProcessors.Border(color: red)

    #expect(border.width == 1 && border.unit == .pixels)
  }

  @Test("Each edge of padding has its own width from 0, and none by default")
  func edges() throws {
    #expect(
      try process(ImageProcessors.Pad(top: 1, left: 2, bottom: 3, right: 4, color: red))
        == image.padded(top: 1, left: 2, bottom: 3, right: 4, color: red))
    #expect(try process(ImageProcessors.Pad(color: red)) == image)
    #expect(try process(.pad(to: CGSize(width: 9, height: 5), color: red)) == image)
    #expect(
      try process(
        .pad(to: CGSize(width: 6, height: 4), unit: .points(scale: 2), anchor: .topLeft, color: red))
        == image.padded(bottom: 2, right: 2, color: red))
    for width in [-0.1, -1, 1e9, .infinity, .nan] {
      for refusal in [
        failure(.pad(width)), failure(.pad(to: CGSize(width: width, height: 1))),
        failure(.pad(to: CGSize(width: 1, height: width))),
      ] {
        guard case .invalidSize(let text)? = refusal else { return unexpected(refusal) }
        #expect(text == "an edge of \(width) pixels")
      }
    }
    // Near enough for the processor, and too much for the image.
    #expect(
      failure(ImageProcessors.Pad(left: 999_999_999))
        == .invalidSize("edges of \([0, 999_999_999, 0, 0]) pixels"))
  }

  @Test("Squares have a side from 1 to less than a billion pixels")
  func squares() throws {
    #expect(try process(.pixelate(side: 1)) == image)
    #expect(try process(.pixelate(side: 0.5)) == image)
    #expect(try process(.pixelate(side: 999_999_999)) == image.pixelated(side: 10))
    for side in [0, 0.4, -1, 1e9, .infinity] {
      #expect(failure(.pixelate(side: side)) == .invalidSetting("squares of \(side.rounded()) pixels"))
    }
  }

  @Test("The margin of a watermark is from 0 to 65,535 pixels, in the unit that it has")
  func margins() throws {
    let mark = try Image(bytes: [255, 0, 0], width: 1, height: 1, pixelFormat: .rgb8)
    let watermark = { (margin: Double, unit: ImageProcessors.Unit) in
      ImageProcessors.Watermark(mark, margin: margin, unit: unit)
    }

    #expect(try process(watermark(0, .pixels)).pixel(x: 9, y: 5) == red)
    #expect(try process(watermark(1, .points(scale: 2))).pixel(x: 7, y: 3) == red)
    #expect(try process(watermark(65_535, .pixels)) == image)
    for margin in [-0.1, -1, 65_535.5, 65_536, .infinity] {
      #expect(failure(watermark(margin, .pixels)) == .invalidSetting("a margin of \(margin) pixels"))
    }
  }

  @Test("Color controls change nothing by default, and a monochrome image has no color")
  func colors() throws {
    #expect(try process(.colorControls()) == image)
    #expect(try process(.monochrome()) == image.recolored(by: .monochrome(.white, intensity: 1)))
    #expect(try process(.flip()) == image)
    #expect(try process(ImageProcessors.Turn(degrees: 0)) == image)
    #expect(try process(.flip(horizontally: true)) == image.flipped(horizontally: true, vertically: false))
    #expect(try process(.flip(vertically: true)) == image.flipped(horizontally: false, vertically: true))
    #expect(try process(.sharpen()) == image.sharpened(radius: 1, amount: 1))
  }

  @Test("Only a composition of one processor has a size to decode to")
  func decodingTargets() {
    let resize = ImageProcessors.Resize(width: 20)

    #expect(ImageProcessors.Composition([]).decodingTarget == nil)
    #expect(ImageProcessors.Composition([.circle()]).decodingTarget == nil)
    #expect(ImageProcessors.Composition([.circle(), resize]).decodingTarget == nil)
    #expect(ImageProcessors.Resize(width: 20, upscale: true).decodingTarget == nil)
    #expect(resize.decodingTarget == resize.target)
  }
}
