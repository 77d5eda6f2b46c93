extension ImageProcessing where Self == ImageProcessors.Anonymous {
  /// Processes the image with a closure.
  public static func process(id: String, _ closure: @escaping @Sendable (Image) throws -> Image) -> Self {
    Self(id: id, closure)
  }
}

extension ImageProcessing where Self == ImageProcessors.Composition {
  /// Runs several processors, one after the other.
  public static func composition(_ processors: [any ImageProcessing]) -> Self { Self(processors) }
}

extension ImageProcessing where Self == ImageProcessors.Filter {
  /// Applies the filter of a name.
  public static func filter(
    _ name: String, _ parameters: [String: Double] = [:], from filters: NamedFilters = .shared
  ) -> Self {
    Self(name, parameters, from: filters)
  }
}

extension ImageProcessors {
  /// A processor that calls a closure.
  public struct Anonymous: ImageProcessing {
    public let identifier: String
    private let closure: @Sendable (Image) throws -> Image

    /// Creates a processor that calls a closure.
    ///
    /// `id` alone identifies the processing, because closures cannot be compared.
    public init(id: String, _ closure: @escaping @Sendable (Image) throws -> Image) {
      identifier = "anonymous \(id)"
      self.closure = closure
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      try closure(image)
    }
  }

  /// Combines several processors into one.
  ///
  /// The images in between are not cached. If the request lists the processors instead, it shares them with other
  /// requests in flight. Nested compositions are flattened. An empty composition changes nothing. The first failure ends it.
  public struct Composition: ImageProcessing {
    /// The processors in order, with nested compositions flattened.
    public let processors: [any ImageProcessing]
    public let identifier: String

    /// Creates a processor that runs `processors` in order.
    public init(_ processors: [any ImageProcessing]) {
      self.processors = processors.flatMap { ($0 as? Composition)?.processors ?? [$0] }
      identifier = (["composition"] + self.processors.map { ProcessorIdentifier.quote($0.identifier) })
        .joined(separator: " ")
    }

    /// Only for a single processor. With more, the following ones would receive an image of another size.
    public var decodingTarget: ResizeTarget? {
      processors.count == 1 ? processors[0].decodingTarget : nil
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      try processors.reduce(image) { image, processor in
        if context.isCancelled() { throw ImageCodecError.cancelled }
        return try processor.process(image, context)
      }
    }
  }

  /// Applies a filter that is registered by name; see ``NamedFilters``.
  public struct Filter: ImageProcessing {
    /// The name of the filter.
    public let name: String
    /// The parameters of the filter. Part of the identifier.
    public let parameters: [String: Double]
    public let identifier: String
    private let filters: NamedFilters

    /// Creates a processor that looks up the filter when it runs, and fails if there is none.
    public init(_ name: String, _ parameters: [String: Double] = [:], from filters: NamedFilters = .shared) {
      self.name = name
      self.parameters = parameters
      self.filters = filters
      let settings = parameters.sorted { $0.key < $1.key }.map {
        "\(ProcessorIdentifier.quote($0.key)) \($0.value)"
      }
      identifier = (["filter", ProcessorIdentifier.quote(name)] + settings).joined(separator: " ")
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      guard let filter = filters[name] else {
        throw ImageCodecError.invalidSetting("no filter named \(name)")
      }
      return try filter(image, parameters)
    }
  }
}

/// Filters by name, for programs that select the processing at run time.
///
/// ```swift
/// NamedFilters.shared.register("soft") { image, parameters in
///   try image.blurred(radius: parameters["radius"] ?? 2)
/// }
/// let request = ImageRequest(url: url, processors: [.filter("soft", ["radius": 3])])
/// ```
public final class NamedFilters: Sendable {
  /// Filters an image. The included filters have default values for missing parameters.
  public typealias Filter = @Sendable (Image, _ parameters: [String: Double]) throws -> Image

  /// The shared registry, with the included filters.
  public static let shared = NamedFilters()

  private let filters = Guarded([String: Filter]())

  /// Creates a registry with the included filters.
  public init() {
    for (name, filter) in NamedFilters.standard { register(name, filter) }
  }

  /// Registers a filter, and replaces an earlier one of that name.
  ///
  /// Caches identify a filter only by name and parameters, so give a different filter a different name.
  public func register(_ name: String, _ filter: @escaping Filter) {
    let replaced = filters.withLock { $0.updateValue(filter, forKey: name) }
    // Outside the lock: what the closure captures may use the registry while it is released.
    withExtendedLifetime(replaced) {}
  }

  /// Removes the filter of a name.
  public func unregister(_ name: String) {
    let removed = filters.withLock { $0.removeValue(forKey: name) }
    withExtendedLifetime(removed) {}
  }

  /// The names of all filters, sorted.
  public var names: [String] { filters.withLock { $0.keys.sorted() } }

  package subscript(name: String) -> Filter? { filters.withLock { $0[name] } }

  /// The filters, with their parameters and default values.
  private static let standard: [String: Filter] = [
    "blur": { try $0.blurred(radius: $1["radius"] ?? 8) },
    "brightness": { try $0.recolored(by: .brightness($1["amount"] ?? 0)) },
    "contrast": { try $0.recolored(by: .contrast($1["factor"] ?? 1)) },
    "gamma": { try $0.recolored(gamma: $1["power"] ?? 1) },
    "invert": { image, _ in try image.recolored(by: .inversion) },
    "monochrome": {
      try $0.recolored(
        by: .monochrome(Image.Pixel(red: 255, green: 255, blue: 255), intensity: $1["intensity"] ?? 1))
    },
    "saturation": { try $0.recolored(by: .saturation($1["factor"] ?? 1)) },
    "sepia": { try $0.recolored(by: .sepia($1["intensity"] ?? 1)) },
    "sharpen": { try $0.sharpened(radius: $1["radius"] ?? 1, amount: $1["amount"] ?? 1) },
    "vignette": { try $0.vignetted(start: $1["start"] ?? 0.4, amount: $1["amount"] ?? 0.8) },
  ]
}
