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
