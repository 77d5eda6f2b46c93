/// Options for loading images into targets.
public struct ImageLoadingOptions: Sendable {
  /// A value for each kind of image.
  public struct Each<Value: Sendable>: Sendable {
    /// For the image and its previews.
    public var success: Value
    /// For the failure image.
    public var failure: Value
    /// For the placeholder.
    public var placeholder: Value

    /// Creates a value for each kind.
    public init(success: Value, failure: Value, placeholder: Value) {
      self.success = success
      self.failure = failure
      self.placeholder = placeholder
    }
  }

  /// The options that are used where no others are given.
  @MainActor public static var shared = ImageLoadingOptions()

  /// The image that is shown until one is loaded, or `nil` for nothing.
  public var placeholder: Image?

  /// Requests for images that may be in memory, such as other sizes of the same. The first one found is shown in place
  /// of the placeholder.
  public var placeholderRequests: [ImageRequest] = []

  /// The image that is shown after a failure, or `nil` to keep what is shown.
  public var failureImage: Image?

  /// The transition to the image. None by default.
  public var transition = ImageTransition.none
  /// The transition to the failure image. None by default.
  public var failureTransition = ImageTransition.none

  /// Whether an image from the memory cache also has the transition.
  public var alwaysTransitions = false

  /// Whether the target is cleared before another image is loaded, if there is no placeholder. Otherwise it keeps the
  /// previous image.
  public var preparesForReuse = true

  /// Whether previews are shown.
  public var showsPreviews = true

  /// How each kind of image is fitted to the target. By default, all fill it.
  public var contentModes = Each(
    success: ImageContentMode.fill, failure: .fill, placeholder: .fill)

  /// The color that each kind of image is painted in, or `nil`, the default, for its own colors.
  public var tints = Each<Image.Pixel?>(success: nil, failure: nil, placeholder: nil)

  /// Processors for requests that have none.
  public var processors: [any ImageProcessing] = []

  /// The priority that replaces that of the request, if it is not `nil`.
  public var priority: ImageRequest.Priority?

  /// The pipeline, or `nil` for ``ImagePipeline/shared``.
  public var pipeline: ImagePipeline?

  /// Creates the default options, without placeholder and failure image.
  public init() {}

  func prepared(_ request: ImageRequest) -> ImageRequest {
    var request = request
    if request.processors.isEmpty { request.processors = processors }
    if let priority { request.priority = priority }
    return request
  }
}
