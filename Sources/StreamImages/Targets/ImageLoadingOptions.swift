/// How pictures are loaded into targets.
public struct ImageLoadingOptions: Sendable {
  /// One value for each thing that may be shown.
  public struct Each<Value: Sendable>: Sendable {
    public var success: Value
    public var failure: Value
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

  public var transition = ImageTransition.none
  public var failureTransition = ImageTransition.none

  /// Whether a picture that was in memory comes with the transition, too.
  public var alwaysTransitions = false

  /// Whether the target is emptied before something else is loaded into it; otherwise it keeps the last picture.
  public var preparesForReuse = true

  /// Whether previews are shown.
  public var showsPreviews = true

  public var contentModes = Each(
    success: ImageContentMode.fill, failure: .fill, placeholder: .fill)

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
