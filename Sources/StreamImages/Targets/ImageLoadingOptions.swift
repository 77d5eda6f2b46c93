/// How pictures are loaded into targets.
public struct ImageLoadingOptions: Sendable {
  /// One value for each thing that may be shown.
  public struct Each<Value: Sendable>: Sendable {
    /// For the picture and its previews.
    public var success: Value
    /// For the failure image.
    public var failure: Value
    /// For the placeholder.
    public var placeholder: Value

    /// One value for each of the three.
    public init(success: Value, failure: Value, placeholder: Value) {
      self.success = success
      self.failure = failure
      self.placeholder = placeholder
    }
  }

  /// What is used where nothing else is said.
  @MainActor public static var shared = ImageLoadingOptions()

  /// Shown until there is a picture; `nil` for nothing.
  public var placeholder: Image?

  /// Requests for pictures of which one may be in memory, to be shown before the placeholder: other sizes of the same.
  public var placeholderRequests: [ImageRequest] = []

  /// Shown if there is no picture; `nil` to leave what is there.
  public var failureImage: Image?

  /// How the picture comes. At once by default.
  public var transition = ImageTransition.none
  /// How the failure image comes. At once by default.
  public var failureTransition = ImageTransition.none

  /// Whether a picture that was in memory comes with the transition, too.
  public var alwaysTransitions = false

  /// Whether the target is emptied before something else is loaded into it; otherwise it keeps the last picture.
  public var preparesForReuse = true

  /// Whether previews are shown.
  public var showsPreviews = true

  /// How each lies in the box of the target. All fill it by default.
  public var contentModes = Each(
    success: ImageContentMode.fill, failure: .fill, placeholder: .fill)

  /// The color that each is painted in; `nil`, the default, for its own.
  public var tints = Each<Image.Pixel?>(success: nil, failure: nil, placeholder: nil)

  /// For requests without processors.
  public var processors: [any ImageProcessing] = []

  /// Whether the request is asked with this priority instead of its own.
  public var priority: ImageRequest.Priority?

  /// `nil` for ``ImagePipeline/shared``.
  public var pipeline: ImagePipeline?

  /// The defaults: nothing but the picture.
  public init() {}

  func prepared(_ request: ImageRequest) -> ImageRequest {
    var request = request
    if request.processors.isEmpty { request.processors = processors }
    if let priority { request.priority = priority }
    return request
  }
}
