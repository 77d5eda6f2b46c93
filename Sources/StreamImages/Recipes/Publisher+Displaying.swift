public import Streams

extension Publisher where Output == ImageResponse, Failure == ImagePipeline.Error {
  /// Shows the images in a target, until the target is deallocated, the result is cancelled, or the publisher ends.
  ///
  /// The target is not retained. Images are shown on the main actor. Of the options, only content modes, tints,
  /// transitions, the failure image and ``ImageLoadingOptions/showsPreviews`` are used.
  @_disfavoredOverload
  @MainActor
  public func displaying(in target: some ImageDisplaying, options: ImageLoadingOptions? = nil)
    -> AnyCancellable
  {
    let options = options ?? .shared
    return sink { @MainActor [weak target] completion in
      if case .failure = completion, let failure = options.failure { target?.display(failure) }
    } receiveValue: { @MainActor [weak target] response in
      if response.isPreview, !options.showsPreviews { return }
      target?.display(
        ImageDisplay(
          image: response.image, role: response.isPreview ? .preview : .picture,
          contentMode: options.contentModes.success,
          transition: response.cacheSource == .memory ? .none : options.transition,
          tint: options.tints.success))
    }
  }
}
