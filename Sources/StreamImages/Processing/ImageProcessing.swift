/// Processes an image.
///
/// It is called on any thread, concurrently.
public protocol ImageProcessing: Sendable {
  /// Identifies the processing, including all parameters. Part of the keys of processed images: processors with the same
  /// identifier must produce the same image.
  ///
  /// It is read on every lookup, so store it rather than compute it.
  var identifier: String { get }

  /// The resize that a decoder can do in place of this processor, if it is the first one. `nil` by default.
  ///
  /// A JPEG, or a WebP without transparency, can then be decoded at a reduced size.
  var decodingTarget: ResizeTarget? { get }

  /// Returns the processed image. An error fails the request with
  /// ``ImagePipeline/Error/processingFailed(processor:_:)``, unless the image is a preview.
  func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image
}

extension ImageProcessing {
  public var decodingTarget: ResizeTarget? { nil }
}

/// Information for a processor.
public struct ImageProcessingContext: Sendable {
  /// The request. If several requests share the work, one of them.
  public let request: ImageRequest

  /// Whether the image is incomplete, and a better one follows.
  public let isPreview: Bool

  /// Whether the result is known to be not needed any more. Long-running work should check it and throw.
  public let isCancelled: @Sendable () -> Bool

  /// Creates a context, for calling a processor yourself.
  public init(
    request: ImageRequest, isPreview: Bool = false, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.request = request
    self.isPreview = isPreview
    self.isCancelled = isCancelled
  }
}

/// The included processors.
public enum ImageProcessors {}
