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

  @Test("Each standard filter uses its parameters, and has a default for each")
  func defaults() throws {
    typealias Filter = NamedFilters.Filter
    let image = try Pictures.noise(12, 8)
    let white = Image.Pixel(red: 255, green: 255, blue: 255)
    let table: [(String, parameter: String, default: Double, other: Double, Filter)] = [
      ("blur", "radius", 8, 2, { try $0.blurred(radius: $1["radius"]!) }),
      ("brightness", "amount", 0, 0.2, { try $0.recolored(by: .brightness($1["amount"]!)) }),
      ("contrast", "factor", 1, 2, { try $0.recolored(by: .contrast($1["factor"]!)) }),
      ("gamma", "power", 1, 2, { try $0.recolored(gamma: $1["power"]!) }),
      (
        "monochrome", "intensity", 1, 0.5,
        { try $0.recolored(by: .monochrome(white, intensity: $1["intensity"]!)) }
      ),
      ("saturation", "factor", 1, 0.5, { try $0.recolored(by: .saturation($1["factor"]!)) }),
      ("sepia", "intensity", 1, 0.5, { try $0.recolored(by: .sepia($1["intensity"]!)) }),
      ("sharpen", "radius", 1, 3, { try $0.sharpened(radius: $1["radius"]!, amount: 1) }),
      ("sharpen", "amount", 1, 3, { try $0.sharpened(radius: 1, amount: $1["amount"]!) }),
      ("vignette", "start", 0.4, 0.1, { try $0.vignetted(start: $1["start"]!, amount: 0.8) }),
      ("vignette", "amount", 0.8, 0.3, { try $0.vignetted(start: 0.4, amount: $1["amount"]!) }),
    ]

    for (name, parameter, value, other, filter) in table {
      let expected = try filter(image, [parameter: value])
      let filtered = { try ImageProcessors.Filter(name, $0).process(image, context) }
      #expect(try filtered([:]) == expected, "\(name)")
      #expect(try filtered([parameter: other]) == filter(image, [parameter: other]), "\(name) \(parameter)")
      #expect(try filter(image, [parameter: other]) != expected, "\(name) \(parameter)")
    }
    #expect(
      NamedFilters().names == [
        "blur", "brightness", "contrast", "gamma", "invert", "monochrome", "saturation", "sepia", "sharpen",
        "vignette",
      ])
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

  /// Uses a registry when it is released.
  private final class Guest: Sendable {
    let filters: NamedFilters
    let isKnown: Shared<[Bool]>

    init(_ filters: NamedFilters, _ isKnown: Shared<[Bool]>) {
      (self.filters, self.isKnown) = (filters, isKnown)
    }

    deinit {
      let known = filters.names.contains("guest")
      isKnown.change { $0.append(known) }
    }
  }

  @Test("A replaced or removed filter is released at once, and may use the registry then")
  func released() {
    let (filters, isKnown) = (NamedFilters(), Shared<[Bool]>([]))
    for _ in 0..<2 {
      let guest = Guest(filters, isKnown)
      filters.register("guest") { image, _ in withExtendedLifetime(guest) { image } }
    }
    #expect(isKnown.value == [true])

    filters.unregister("guest")
    #expect(isKnown.value == [true, false])
  }
}
