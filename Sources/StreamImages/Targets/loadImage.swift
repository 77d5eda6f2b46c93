public import Foundation
internal import Streams

/// Loads an image into a target. Only the last request for a target is shown.
///
/// An earlier load of the target is cancelled. An image in the memory cache is shown before this function returns,
/// by default without a transition. Otherwise the placeholder is shown, then previews, and finally the image or the failure
/// image. The target is not retained: when it is deallocated, the load is cancelled.
///
/// - Parameters:
///   - request: Fails with ``ImagePipeline/Error/imageRequestMissing`` if it is `nil`.
///   - options: Options for this load. ``ImageLoadingOptions/shared`` by default.
///   - target: The target that shows the image.
///   - completion: Called once on the main actor, but not if the load is cancelled before that, or if the target loads
///     something else first or is deallocated.
/// - Returns: `nil` if nothing is loaded: the image was in memory, or there is no request.
@MainActor @discardableResult
public func loadImage(
  with request: ImageRequest?, options: ImageLoadingOptions? = nil, into target: some ImageDisplaying,
  completion: (@MainActor (Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
) -> ImageTask? {
  loadImage(with: request, options: options, into: target, progress: { _, _ in }, completion: completion)
}

/// Loads the image at a URL into a target.
@MainActor @discardableResult
public func loadImage(
  with url: URL?, options: ImageLoadingOptions? = nil, into target: some ImageDisplaying,
  completion: (@MainActor (Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
) -> ImageTask? {
  loadImage(with: ImageRequest(url: url), options: options, into: target, completion: completion)
}

/// Loads an image into a target and reports progress.
///
/// `progress` is called on the main actor with previews, and with the progress of the load.
@MainActor @discardableResult
public func loadImage<Target: ImageDisplaying>(
  with request: ImageRequest?, options: ImageLoadingOptions? = nil, into target: Target,
  progress: @escaping @MainActor (ImageResponse?, LoadProgress) -> Void,
  completion: (@MainActor (Result<ImageResponse, ImagePipeline.Error>) -> Void)?
) -> ImageTask? {
  let options = options ?? .shared
  let pipeline = options.pipeline ?? .shared
  target.imageSlot.clear()

  guard let request = request.map(options.prepared) else {
    if let failure = options.failure { target.display(failure) }
    completion?(.failure(.imageRequestMissing))
    return nil
  }
  let prepared = pipeline.prepared(request)
  if let found = pipeline.hit(prepared), !found.isPreview {
    let response = ImageResponse(request: prepared, decoded: found)
    target.display(options.picture(response))
    completion?(.success(response))
    return nil
  }
  if let placeholder = options.placeholderDisplay(in: pipeline) { target.display(placeholder) }

  let task = pipeline.makeTask(prepared: prepared)
  // Closures of an actor passed to `sink` run there, in order, and not after the slot is cleared.
  let subscription = task.eventPublisher.sink { @MainActor [weak target] event in
    guard let target, target.imageSlot.isOccupied(by: task) else { return }
    let isAbandoned = task.isAbandoned
    if case .finished = event { target.imageSlot.clear() }
    if isAbandoned { return }
    switch event {
    case .progress(let value): progress(nil, value)
    case .preview(let response):
      if options.showsPreviews { target.display(options.preview(response)) }
      progress(response, task.status.progress)
    case .finished(let result):
      switch result {
      case .success(let response): target.display(options.picture(response))
      case .failure: if let failure = options.failure { target.display(failure) }
      }
      completion?(result)
    }
  }
  target.imageSlot.hold(task, subscription)
  // The delegate may have cancelled it. Then its end came before the slot was occupied.
  if task.isCancelled { target.imageSlot.clear() }
  pipeline.run(task) { _ in }
  return task
}

/// Cancels the load of a target. The target keeps what it shows.
@MainActor
public func cancelRequest(for target: some ImageDisplaying) { target.imageSlot.clear() }

extension ImageLoadingOptions {
  @MainActor
  fileprivate func placeholderDisplay(in pipeline: ImagePipeline) -> ImageDisplay? {
    let image = pipeline.cache.firstImage(of: placeholderRequests)?.image ?? placeholder
    guard image != nil || preparesForReuse else { return nil }
    return ImageDisplay(
      image: image, role: .placeholder, contentMode: contentModes.placeholder, tint: tints.placeholder)
  }

  fileprivate func preview(_ response: ImageResponse) -> ImageDisplay {
    ImageDisplay(
      image: response.image, role: .preview, contentMode: contentModes.success, tint: tints.success)
  }

  fileprivate func picture(_ response: ImageResponse) -> ImageDisplay {
    let wasThere = response.cacheSource == .memory
    return ImageDisplay(
      image: response.image, role: .picture, contentMode: contentModes.success,
      transition: wasThere && !alwaysTransitions ? .none : transition, tint: tints.success)
  }

  var failure: ImageDisplay? {
    guard let failureImage else { return nil }
    return ImageDisplay(
      image: failureImage, role: .failure, contentMode: contentModes.failure,
      transition: failureTransition, tint: tints.failure)
  }
}
