import StreamImages
import Testing

@Suite("`ImageProcessors.Composition`")
struct CompositionTests {
  private let context = ImageProcessingContext(request: "https://a/b.png")

  @Test("A composition applies its processors in order")
  func order() throws {
    let image = try Pictures.gradient(40, 20)
    let parts: [any ImageProcessing] = [.resize(width: 20), .circle(), .invert()]

    let composed = try ImageProcessors.Composition(parts).process(image, context)

    let expected = try parts.reduce(image) { try $1.process($0, context) }
    #expect(composed == expected)
    #expect(try ImageProcessors.Composition([]).process(image, context) == image)
  }

  @Test(
    "By default, blending is opaque and resizing does not enlarge")
  func defaults() throws {
    let (below, above) = (try Pictures.gradient(8, 4), try Pictures.gradient(4, 8))

    let blended = try (ImageProcessors.Blend.blend(above) as ImageProcessors.Blend).process(below, context)
    let enlarged = try ImageProcessors.Resize(height: 100).process(below, context)

    #expect(
      try blended
        == (ImageProcessors.Blend.blend(above, opacity: 1) as ImageProcessors.Blend).process(below, context))
    #expect(blended != below)
    #expect(enlarged.size == below.size)
  }

  @Test("A composition is identified by its processors and their order")
  func identifiers() {
    let composition = ImageProcessors.Composition.self
    let flat = composition.init([.sepia(), .invert(), .circle()])

    #expect(
      flat.identifier == composition.init([composition.init([.sepia(), .invert()]), .circle()]).identifier)
    #expect(flat.identifier != composition.init([.invert(), .sepia(), .circle()]).identifier)
    #expect(
      composition.init([.process(id: "a\" \"anonymous b") { $0 }]).identifier
        != composition.init([.process(id: "a") { $0 }, .process(id: "b") { $0 }]).identifier)
    #expect(composition.init([]).identifier != composition.init([.process(id: "") { $0 }]).identifier)
  }

  @Test("A composition fails with its first error and runs no later processor")
  func failure() throws {
    struct Refusal: Error {}
    let image = try Pictures.gradient(4, 4)
    let composition = ImageProcessors.Composition([
      .process(id: "no") { _ in throw Refusal() },
      .process(id: "never") { image in
        Issue.record("ran after a failure")
        return image
      },
    ])

    #expect(throws: Refusal.self) { try composition.process(image, context) }
  }

  @Test("A cancelled composition stops between its processors")
  func cancellation() throws {
    let image = try Pictures.gradient(4, 4)
    let cancelled = ImageProcessingContext(request: "https://a/b.png", isCancelled: { true })

    #expect(throws: ImageCodecError.cancelled) {
      try ImageProcessors.Composition([.invert()]).process(image, cancelled)
    }
  }

  @Test("A composition is delegated to the decoder only if it is a single resize")
  func decodingTarget() {
    let resize = ImageProcessors.Resize(width: 20)

    #expect(ImageProcessors.Composition([resize]).decodingTarget == resize.target)
    #expect(ImageProcessors.Composition([resize, .circle()]).decodingTarget == nil)
  }
}
