import StreamImages
import Testing

@Suite("`NamedFilters`")
struct NamedFilterTests {
  private let context = ImageProcessingContext(request: "https://a/b.png")

  @Test(
    "Each standard filter changes the image",
    arguments: [
      ("blur", ["radius": 3]), ("brightness", ["amount": 0.2]), ("contrast", ["factor": 2]),
      ("gamma", ["power": 2]), ("invert", [:]), ("monochrome", ["intensity": 0.5]),
      ("saturation", ["factor": 0]),
      ("sepia", [:]), ("sharpen", ["radius": 2]), ("vignette", [:]),
    ] as [(String, [String: Double])])
  func standard(name: String, parameters: [String: Double]) throws {
    let image = try Pictures.gradient(30, 20)

    let changed = try ImageProcessors.Filter(name, parameters).process(image, context)

    #expect(changed.size == image.size && changed != image)
    #expect(NamedFilters.shared.names.contains(name))
  }

  @Test("A named filter is available from its registration until it is removed")
  func registration() throws {
    let filters = NamedFilters()
    let image = try Pictures.gradient(4, 4)
    let processor = ImageProcessors.Filter("negative", ["ignored": 1], from: filters)

    filters.register("negative") { image, _ in try image.recolored(by: .inversion) }
    let changed = try processor.process(image, context)
    filters.unregister("negative")

    #expect(try changed == image.recolored(by: .inversion))
    #expect(throws: ImageCodecError.invalidSetting("no filter named negative")) {
      try processor.process(image, context)
    }
  }

  @Test("A named filter receives its parameters")
  func parameters() throws {
    let filters = NamedFilters()
    filters.register("soft") { image, parameters in try image.blurred(radius: parameters["radius"] ?? 2) }
    let image = try Pictures.gradient(9, 9)

    let changed = try ImageProcessors.Filter("soft", ["radius": 3], from: filters).process(image, context)

    #expect(try changed == image.blurred(radius: 3))
  }
}
