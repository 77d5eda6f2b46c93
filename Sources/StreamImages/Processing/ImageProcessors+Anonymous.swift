extension ImageProcessing where Self == ImageProcessors.Anonymous {
  /// Does to the picture what a closure does.
  public static func process(id: String, _ closure: @escaping @Sendable (Image) throws -> Image) -> Self {
    Self(id: id, closure)
  }
}

extension ImageProcessors {
  /// A closure as a processor.
  public struct Anonymous: ImageProcessing {
    public let identifier: String
    private let closure: @Sendable (Image) throws -> Image

    /// A processor that calls a closure.
    ///
    /// `id` is all that tells this processor from others: closures cannot be compared.
    public init(id: String, _ closure: @escaping @Sendable (Image) throws -> Image) {
      identifier = "anonymous \(id)"
      self.closure = closure
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      try closure(image)
    }
  }
}
