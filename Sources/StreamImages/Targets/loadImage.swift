public import Foundation
internal import Streams

/// Loads a picture into a target: the one that is asked for last is the one that is shown.
///
/// What the target was loading before is cancelled. A picture that is in memory is shown before this returns, without
/// a transition. Otherwise the placeholder is shown, previews as they come, and the picture or the failure image. The
/// target is not kept: when it goes, the load ends.
///
/// - Parameters:
///   - request: Without one, it fails with ``ImagePipeline/Error/imageRequestMissing``.
///   - options: ``ImageLoadingOptions/shared`` if there are none.
///   - target: What shows the picture.
///   - completion: Called once, on the main actor; not if the target loads something else before, or is let go.
/// - Returns: `nil` if there is nothing to load: the picture was in memory, or there is no request.
@MainActor @discardableResult
public func loadImage(
  with request: ImageRequest?, options: ImageLoadingOptions? = nil, into target: some ImageDisplaying,
  completion: (@MainActor (Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
) -> ImageTask? {
  loadImage(with: request, options: options, into: target, progress: { _, _ in }, completion: completion)
}

/// The same for a URL.
@MainActor @discardableResult
public func loadImage(
  with url: URL?, options: ImageLoadingOptions? = nil, into target: some ImageDisplaying,
  completion: (@MainActor (Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
) -> ImageTask? {
  loadImage(with: ImageRequest(url: url), options: options, into: target, completion: completion)
}

/// The same, and says how far it is.
///
/// `progress` is told each unfinished picture, and how far the load is; on the main actor.
@MainActor @discardableResult
public func loadImage<Target: ImageDisplaying>(
  with request: ImageRequest?, options: ImageLoadingOptions? = nil, into target: Target,
  progress: @escaping @MainActor (ImageResponse?, LoadProgress) -> Void,
  completion: (@MainActor (Result<ImageResponse, ImagePipeline.Error>) -> Void)?
) -> ImageTask? {
  let options = options ?? .shared
  let pipeline = options.pipeline ?? .shared
  let show = DisplayRules(options: options)
  target.imageSlot.clear()

  guard let request = request.map(options.prepared) else {
    if let failure = show.failure { target.display(failure) }
    completion?(.failure(.imageRequestMissing))
    return nil
  }
  let prepared = pipeline.prepared(request)
  if let found = pipeline.memory(prepared), !found.isPreview {
    let response = ImageResponse(request: request, decoded: found)
    target.display(show.picture(response))
    completion?(.success(response))
    return nil
  }
  if let placeholder = show.placeholder(in: pipeline) { target.display(placeholder) }

  let task = pipeline.makeTask(prepared: prepared)
  // On the main actor, in order, and not after the slot is cleared: that is what `sink` promises closures of an actor.
  let subscription = task.eventPublisher.sink { @MainActor [weak target] event in
    guard let target, target.imageSlot.isOccupied(by: task) else { return }
    switch event {
    case .progress(let value): progress(nil, value)
    case .preview(let response):
      if options.showsPreviews { target.display(show.preview(response)) }
      progress(response, task.status.progress)
    case .finished(let result):
      target.imageSlot.clear()
      if task.isCancelled { return }
      switch result {
      case .success(let response): target.display(show.picture(response))
      case .failure: if let failure = show.failure { target.display(failure) }
      }
      completion?(result)
    }
  }
  target.imageSlot.hold(task, subscription)
  pipeline.run(task) { _ in }
  return task
}

/// Ends what a target is loading. It keeps what it shows.
@MainActor
public func cancelRequest(for target: some ImageDisplaying) { target.imageSlot.clear() }

/// What is shown when.
private struct DisplayRules {
  let options: ImageLoadingOptions

  @MainActor
  func placeholder(in pipeline: ImagePipeline) -> ImageDisplay? {
    let image = pipeline.cache.firstImage(of: options.placeholderRequests)?.image ?? options.placeholder
    guard image != nil || options.preparesForReuse else { return nil }
    return ImageDisplay(
      image: image, role: .placeholder, contentMode: options.contentModes.placeholder,
      tint: options.tints.placeholder)
  }

  func preview(_ response: ImageResponse) -> ImageDisplay {
    ImageDisplay(
      image: response.image, role: .preview, contentMode: options.contentModes.success,
      tint: options.tints.success)
  }

  func picture(_ response: ImageResponse) -> ImageDisplay {
    let wasThere = response.cacheSource == .memory
    return ImageDisplay(
      image: response.image, role: .picture, contentMode: options.contentModes.success,
      transition: wasThere && !options.alwaysTransitions ? .none : options.transition,
      tint: options.tints.success)
  }

  var failure: ImageDisplay? {
    guard let image = options.failureImage else { return nil }
    return ImageDisplay(
      image: image, role: .failure, contentMode: options.contentModes.failure,
      transition: options.failureTransition, tint: options.tints.failure)
  }
}
