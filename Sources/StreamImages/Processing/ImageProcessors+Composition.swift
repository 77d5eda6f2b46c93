extension ImageProcessing where Self == ImageProcessors.Composition {
  /// Runs several processors, one after the other.
  public static func composition(_ processors: [any ImageProcessing]) -> Self { Self(processors) }
}

extension ImageProcessors {
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
}
