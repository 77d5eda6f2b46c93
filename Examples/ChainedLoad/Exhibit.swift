import StreamImages

/// How a picture meets its frame.
enum ContentMode: Sendable {
  /// It covers the frame; what sticks out is cut off.
  case fill
  /// All of it is inside the frame.
  case fit
}

/// A picture to be shown, and how it came about.
struct Exhibit: Sendable {
  let image: Image
  let mode: ContentMode
  let source: Result<ImageResponse, ImagePipeline.Error>
  let time = ContinuousClock.now

  /// Whether it stands for a picture that is still to come.
  var isPlaceholder: Bool {
    if case .success(let response) = source { response.isPreview } else { false }
  }

  init(_ response: ImageResponse) {
    image = response.image
    mode = .fill
    source = .success(response)
  }

  init(_ error: ImagePipeline.Error) {
    image = FailureImage.image
    mode = .fit
    source = .failure(error)
  }
}
