extension ImageProcessing where Self == ImageProcessors.Filter {
  /// Does to the picture what the filter of this name does.
  public static func filter(
    _ name: String, _ parameters: [String: Double] = [:], from filters: NamedFilters = .shared
  ) -> Self {
    Self(name, parameters, from: filters)
  }
}

extension ImageProcessors {
  /// A filter that is known by its name; ``NamedFilters`` says what it does.
  public struct Filter: ImageProcessing {
    /// By which it is looked up when a picture is to be made.
    public let name: String
    /// What the filter is given. Part of the identifier.
    public let parameters: [String: Double]
    public let identifier: String
    private let filters: NamedFilters

    /// A filter that is looked up when a picture is to be made, and fails if there is none of its name.
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
