import StreamImages
import Testing

@Suite("ImageProcessors.Composition")
struct CompositionTests {
  private let context = ImageProcessingContext(request: "https://a/b.png")

  @Test("does what its parts do, in their order")
  func order() throws {
    let image = try Pictures.gradient(40, 20)
    let parts: [any ImageProcessing] = [.resize(width: 20), .circle(), .invert()]

    let composed = try ImageProcessors.Composition(parts).process(image, context)

    let expected = try parts.reduce(image) { try $1.process($0, context) }
    #expect(composed == expected)
    #expect(try ImageProcessors.Composition([]).process(image, context) == image)
  }

  @Test(
    "has what is said in its parts' defaults: all of an image is laid over another, and nothing is enlarged")
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

  @Test("is known by its parts and their order, however they are put together")
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

  @Test("fails where its first failing part does, and runs none behind it")
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

  @Test("stops between its parts when nobody wants the picture any more")
  func cancellation() throws {
    let image = try Pictures.gradient(4, 4)
    let cancelled = ImageProcessingContext(request: "https://a/b.png", isCancelled: { true })

    #expect(throws: ImageCodecError.cancelled) {
      try ImageProcessors.Composition([.invert()]).process(image, cancelled)
    }
  }

  @Test("is done by the decoder if it is one resize and nothing else")
  func decodingTarget() {
    let resize = ImageProcessors.Resize(width: 20)

    #expect(ImageProcessors.Composition([resize]).decodingTarget == resize.target)
    #expect(ImageProcessors.Composition([resize, .circle()]).decodingTarget == nil)
  }
}
