extension ImageProcessing where Self == ImageProcessors.Anonymous {
  /// Processes the image with a closure.
  public static func process(id: String, _ closure: @escaping @Sendable (Image) throws -> Image) -> Self {
    Self(id: id, closure)
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
}
