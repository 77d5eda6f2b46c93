extension ImageProcessing where Self == ImageProcessors.Filter {
  /// Applies the filter of a name.
  public static func filter(
    _ name: String, _ parameters: [String: Double] = [:], from filters: NamedFilters = .shared
  ) -> Self {
    Self(name, parameters, from: filters)
  }
}

extension ImageProcessors {
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
