public import Streams

extension Publisher {
  /// Finishes in place of a failure. Use it for optional parts of a chain.
  @_disfavoredOverload
  public func orEmpty() -> Publishers.Catch<Self, Empty<Output, Failure>> {
    self.catch { _ in Empty<Output, Failure>() }
  }

  /// Sends `nil` and finishes in place of a failure. Use it for one of several publishers that are combined.
  @_disfavoredOverload
  public func orNil() -> AnyPublisher<Output?, Never> {
    map { Optional($0) }.catch { _ in Just(nil) }.eraseToAnyPublisher()
  }
}

extension Publisher where Output == ImageResponse {
  /// Publishes the images, and another image in place of a failure.
  @_disfavoredOverload
  public func replaceError(withImage image: Image) -> AnyPublisher<Image, Never> {
    map(\.image).catch { _ in Just(image) }.eraseToAnyPublisher()
  }

  /// Drops images that are worse than an earlier one: a preview or a smaller image that arrives late.
  @_disfavoredOverload
  public func preferringHigherQuality() -> AnyPublisher<ImageResponse, Failure> {
    scan(Best(response: nil, isNew: false)) { best, next in best.next(next) }
      .compactMap { $0.isNew ? $0.response : nil }
      .eraseToAnyPublisher()
  }
}

private struct Best {
  var response: ImageResponse?
  var isNew: Bool

  func next(_ next: ImageResponse) -> Best {
    guard let response else { return Best(response: next, isNew: true) }
    let isBetter =
      response.isPreview == next.isPreview
      ? next.image.width * next.image.height >= response.image.width * response.image.height
      : response.isPreview
    return isBetter ? Best(response: next, isNew: true) : Best(response: response, isNew: false)
  }
}
