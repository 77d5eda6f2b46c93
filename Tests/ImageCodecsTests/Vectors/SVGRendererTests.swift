import ImageCodecs
import Testing

@Suite("`SVGRenderer`", .enabled(if: Drawing.isPossible, "librsvg is not there"))
struct SVGRendererTests {
  private let red = Image.Pixel(red: 255, green: 0, blue: 0)
  private let nothing = Image.Pixel(red: 0, green: 0, blue: 0, alpha: 0)
  private let square = #"<rect width="5" height="5" fill="red"/>"#

  @Test("An SVG draws like in rsvg-convert at its own size and three times larger", arguments: [nil, 96.0])
  func reference(width: Double?) throws {
    let target = width.map { ResizeTarget(width: $0, height: nil) }
    let image = try Drawing.image(Files.bytes("shapes.svg"), options: DecodingOptions(target: target))

    let expected = try Files.image("expected-shapes\(width == nil ? "" : "-96").png")
    #expect(image.size == expected.size && image.pixelFormat == .rgba8 && image.colorSpace == .sRGB)
    let likeness = image.likeness(to: expected)
    #expect(likeness >= 50, "\(likeness) dB")
  }

  @Test("A drawn image has colors that are not premultiplied by alpha")
  func alpha() throws {
    let image = try Drawing.image(Files.bytes("shapes.svg"))

    #expect(image.pixel(x: 3, y: 3) == Image.Pixel(red: 255, green: 128, blue: 0))
    #expect(image.pixel(x: 20, y: 6) == Image.Pixel(red: 0, green: 128, blue: 255, alpha: 128))
    #expect(image.pixel(x: 0, y: 23) == nothing)
  }

  @Test("SVG text draws with the system fonts, in a worker like in the program")
  func text() throws {
    let text = Drawing.document(
      "<text x='2' y='20' font-family='serif'>Ag</text><text x='40' y='20' font-weight='bold'>é</text>",
      attributes: #"width="80" height="30""#)

    let image = try Drawing.image(text)

    #expect(image == (try Drawing.imageHere(text)))
    #expect(image.withUnsafeBytes { $0.contains { $0 != 0 } })
  }

  @Test("Size and cost of an SVG are the same in a worker and in the program")
  func measured() throws {
    for attributes in [#"width="1in" height="2.54cm""#, #"viewBox="0 0 40 30""#, ""] {
      let bytes = Array(Drawing.document(square, attributes: attributes).utf8)
      func measured(_ isolation: DecodingIsolation) throws -> (PixelSize, Int) {
        var renderer = try SVGRenderer()
        renderer.isolation = isolation
        return try bytes.withUnsafeBytes { (try renderer.size(of: $0), try renderer.byteCost(of: $0)) }
      }

      let (there, here) = (try measured(.process()), try measured(.none))

      #expect(there == here)
    }
  }

  @Test("The size of an SVG comes from its attributes, its view box or the default size")
  func sizes() throws {
    for (attributes, width, height) in [
      (#"width="20" height="10""#, 20, 10), (#"width="1in" height="2.54cm""#, 96, 96),
      (#"width="19.2" height="10.5""#, 20, 11), (#"viewBox="0 0 40 30""#, 40, 30),
      (#"width="100%" height="100%" viewBox="0 0 40 30""#, 40, 30),
      (#"width="80" viewBox="0 0 40 30""#, 80, 60),
      (#"height="15" viewBox="0 0 40 30""#, 20, 15), ("", 300, 150), (#"width="50%" height="50%""#, 300, 150),
    ] {
      let size = try Drawing.image(Drawing.document(square, attributes: attributes)).size
      #expect(size == PixelSize(width: width, height: height), "\(attributes)")
    }
    #expect(
      try Drawing.image(Drawing.document(square, attributes: "")) {
        $0.defaultSize = PixelSize(width: 7, height: 3)
      }
      .size == PixelSize(width: 7, height: 3))
  }

  @Test("An SVG draws at a larger target size with sharp edges")
  func scaling() throws {
    for attributes in [#"width="10" height="10""#, #"viewBox="0 0 10 10""#] {
      let large = try Drawing.image(
        Drawing.document(square, attributes: attributes), options: DecodingOptions(target: .fitting(400)))

      #expect(large.size == PixelSize(width: 400, height: 400))
      #expect(large.pixel(x: 199, y: 199) == red && large.pixel(x: 200, y: 200) == nothing)
    }
  }

  @Test("A cropping target draws the centered part of an SVG")
  func crop() throws {
    let image = try Drawing.image(
      Drawing.document(square),
      options: DecodingOptions(target: ResizeTarget(width: 40, height: 20, crops: true)))

    #expect(image.size == PixelSize(width: 40, height: 20))
    #expect(image.pixel(x: 19, y: 9) == red && image.pixel(x: 20, y: 9) == nothing)
    #expect(image.pixel(x: 19, y: 10) == nothing)
  }

  @Test("The pixel limits apply to the drawn size of an SVG")
  func pixels() throws {
    for (side, kind) in [(40_000, "tooLarge"), (30_000, "tooLarge"), (1_000_000_000, "invalidSize")] {
      let error = #expect(throws: ImageCodecError.self) {
        try Drawing.image(Drawing.document(square, attributes: #"width="\#(side)" height="\#(side)""#))
      }
      #expect(error?.kind == kind, "\(side)")
    }
    // Nobody wants it at that size.
    let small = try Drawing.image(
      Drawing.document(square, attributes: #"width="40000" height="40000""#),
      options: DecodingOptions(target: .fitting(10)))
    #expect(small.size == PixelSize(width: 10, height: 10))
  }

  @Test("The limits on bytes, elements and painted pixels stop an SVG")
  func work() throws {
    let many = Drawing.document(String(repeating: square, count: 99))

    #expect(throws: ImageCodecError.limitExceeded(.encodedBytes(100))) {
      try Drawing.image(many) { $0.maximumBytes = 100 }
    }
    #expect(throws: ImageCodecError.limitExceeded(.elements(99))) {
      try Drawing.image(many) { $0.maximumElements = 99 }
    }
    #expect(throws: ImageCodecError.limitExceeded(.elements(99))) {
      try Drawing.image(many) { $0.maximumPaintedPixels = 9_999 }
    }
    #expect(try Drawing.image(many) { $0.maximumPaintedPixels = 10_000 }.width == 10)
  }

  @Test("The cost of an SVG is estimated from its size and text")
  func cost() throws {
    let bytes = Array(Drawing.document(square).utf8)

    let cost = try bytes.withUnsafeBytes { try SVGRenderer().byteCost(of: $0) }

    #expect(cost == 100 * 12 + bytes.count * 16)
  }

  @Test("A cancelled or expired request draws no SVG")
  func cancellation() throws {
    let bytes = Array(Drawing.document(square).utf8)
    let renderer = try SVGRenderer()

    #expect(throws: ImageCodecError.cancelled) {
      try bytes.withUnsafeBytes { try renderer.image(of: $0, isCancelled: { true }) }
    }
    var options = DecodingOptions()
    options.limits.deadline = .zero
    #expect(throws: ImageCodecError.deadlineExceeded) { try Drawing.image(bytes, options: options) }
  }
}

@Suite("SVG without librsvg")
struct SVGLibrariesTests {
  @Test("A missing librsvg throws an error that names the library")
  func missing() {
    var libraries = SVGLibraries()
    libraries.rsvg = "libnothing.so.7"

    let error = #expect(throws: ImageCodecError.missingLibrary("libnothing.so.7")) {
      try SVGRenderer(libraries: libraries)
    }

    #expect(error.map { "\($0)" } == "the system library libnothing.so.7 is missing or too old")
  }

  @Test("SVG documents are detected without librsvg")
  func sniffing() {
    for text in [
      "<svg", "<svg xmlns='a'>", "\u{FEFF}<svg/>",
      "<?xml version='1.0'?>\n<!-- <html> -->\n<!DOCTYPE svg [\n<!ENTITY a 'b>'>\n]>\n<svg:svg>",
      "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/svg11.dtd'>\r\n<svg>",
    ] {
      #expect(SVGRenderer.isDocument(Array(text.utf8)), "\(text)")
    }
    for text in ["", "<", "<html>", "<svgs>", "svg", "<?xml version='1.0'?>", "<!-- <svg>", "<html><svg>"] {
      #expect(!SVGRenderer.isDocument(Array(text.utf8)), "\(text)")
    }
    #expect(!SVGRenderer.isDocument([0x1F, 0x8B, 0x08]))
    #expect(!SVGRenderer.isDocument([0x1F, 0x8B, 0x08] + [UInt8](repeating: 0, count: 100)))
  }
}
