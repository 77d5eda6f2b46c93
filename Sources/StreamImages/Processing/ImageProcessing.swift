/// Makes a picture of a picture.
///
/// It is called on a thread of the pipeline's own, several at a time.
public protocol ImageProcessing: Sendable {
  /// Names what is done, with all parameters. Part of the keys of all caches: processors of one identifier must
  /// give the same picture.
  ///
  /// It is asked for on every lookup: better stored than computed.
  var identifier: String { get }

  /// What a decoder can do in the place of this processor, if it is the first.
  ///
  /// A large picture decoded straight to a small size is never in memory as a whole. `nil`, the default, if there
  /// is no such thing.
  var decodingTarget: ResizeTarget? { get }

  /// Throws what is delivered as ``ImagePipeline/Error/processingFailed(processor:_:)``.
  func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image
}

extension ImageProcessing {
  public var decodingTarget: ResizeTarget? { nil }
}

/// What a processor may want to know.
public struct ImageProcessingContext: Sendable {
  /// Whose picture it is; one of those who share the work, if there are several.
  public let request: ImageRequest

  /// Whether more, and better, is to come.
  public let isPreview: Bool

  /// Whether nobody wants the result any more. Long work should look now and then, and throw.
  public let isCancelled: @Sendable () -> Bool

  /// What a processor is told, for who calls one by hand.
  public init(
    request: ImageRequest, isPreview: Bool = false, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.request = request
    self.isPreview = isPreview
    self.isCancelled = isCancelled
  }
}

/// The processors that come with the library.
public enum ImageProcessors {}
