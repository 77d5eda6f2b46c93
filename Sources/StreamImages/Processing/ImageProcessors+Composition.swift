extension ImageProcessing where Self == ImageProcessors.Composition {
  /// Does what several processors do, one after the other.
  public static func composition(_ processors: [any ImageProcessing]) -> Self { Self(processors) }
}

extension ImageProcessors {
  /// Several processors as one.
  ///
  /// The pictures in between are not kept: a request that lists the processors instead shares them with other
  /// requests. Compositions in a composition are taken apart. None at all changes nothing. The first that fails is
  /// the last that runs.
  public struct Composition: ImageProcessing {
    /// What it does, in order; compositions among them taken apart.
    public let processors: [any ImageProcessing]
    public let identifier: String

    /// A processor made of `processors`, which run in this order.
    public init(_ processors: [any ImageProcessing]) {
      self.processors = processors.flatMap { ($0 as? Composition)?.processors ?? [$0] }
      identifier = (["composition"] + self.processors.map { ProcessorIdentifier.quote($0.identifier) })
        .joined(separator: " ")
    }

    /// That of the only processor: with more, what comes next would be done to a picture of another size than it
    /// was meant for.
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
