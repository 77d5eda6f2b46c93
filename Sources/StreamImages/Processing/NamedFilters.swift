/// Filters by name, for programs that are told at run time what to do to a picture.
///
/// ```swift
/// NamedFilters.shared.register("soft") { image, parameters in
///   try image.blurred(radius: parameters["radius"] ?? 2)
/// }
/// let request = ImageRequest(url: url, processors: [.filter("soft", ["radius": 3])])
/// ```
public final class NamedFilters: Sendable {
  /// Makes a picture of a picture. What of the parameters is missing has a default of the filter's own.
  public typealias Filter = @Sendable (Image, _ parameters: [String: Double]) throws -> Image

  /// Those that come with the library, and those that were registered.
  public static let shared = NamedFilters()

  private let filters = Guarded([String: Filter]())

  /// A registry with the filters that come with the library.
  public init() {
    for (name, filter) in NamedFilters.standard { register(name, filter) }
  }

  /// From now on, `name` means this filter.
  ///
  /// Caches know a filter by its name and parameters only: give another filter another name.
  public func register(_ name: String, _ filter: @escaping Filter) {
    filters.withLock { $0[name] = filter }
  }

  /// From now on, `name` means nothing.
  public func unregister(_ name: String) {
    _ = filters.withLock { $0.removeValue(forKey: name) }
  }

  /// In alphabetical order.
  public var names: [String] { filters.withLock { $0.keys.sorted() } }

  package subscript(name: String) -> Filter? { filters.withLock { $0[name] } }

  /// Parameters stand behind the names; a number is what they are if nothing is said.
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
