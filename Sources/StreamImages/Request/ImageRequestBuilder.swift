public import Foundation
internal import Streams

extension ImagePipeline {
  /// A request to be completed step by step, and then carried out by this pipeline.
  ///
  /// ```swift
  /// let image = try await pipeline.image(with: url).resize(width: 320).circle().priority(.high).load()
  /// ```
  public func image(with url: URL?) -> ImageRequestBuilder { image(with: ImageRequest(url: url)) }

  /// The same, beginning with a request.
  public func image(with request: ImageRequest) -> ImageRequestBuilder {
    ImageRequestBuilder(pipeline: self, request: request)
  }
}

/// A request in the making. Each step returns a changed copy; nothing happens before the last.
public struct ImageRequestBuilder: Sendable {
  /// Who carries the request out.
  public let pipeline: ImagePipeline
  /// What has come of the steps so far.
  public private(set) var request: ImageRequest

  init(pipeline: ImagePipeline, request: ImageRequest) {
    self.pipeline = pipeline
    self.request = request
  }

  private func with(_ change: (inout ImageRequest) -> Void) -> Self {
    var changed = self
    change(&changed.request)
    return changed
  }

  // MARK: What is done to the picture

  /// Adds a processor behind the others.
  public func process(_ processor: any ImageProcessing) -> Self { with { $0.processors.append(processor) } }

  /// Scales to a width; the height follows.
  public func resize(width: Double, unit: ImageProcessors.Unit = .pixels, upscale: Bool = false) -> Self {
    process(.resize(width: width, unit: unit, upscale: upscale))
  }

  /// Scales to a height; the width follows.
  public func resize(height: Double, unit: ImageProcessors.Unit = .pixels, upscale: Bool = false) -> Self {
    process(.resize(height: height, unit: unit, upscale: upscale))
  }

  /// Scales so that the picture fills or fits a box.
  public func resize(
    size: CGSize, unit: ImageProcessors.Unit = .pixels,
    contentMode: ImageProcessors.ContentMode = .aspectFill, crop: Bool = false, upscale: Bool = false
  ) -> Self {
    process(.resize(size: size, unit: unit, contentMode: contentMode, crop: crop, upscale: upscale))
  }

  /// Blurs.
  public func blur(radius: Double = 8) -> Self { process(.gaussianBlur(radius: radius)) }

  /// Cuts out a circle.
  public func circle(border: ImageProcessors.Border? = nil) -> Self { process(.circle(border: border)) }

  /// Rounds the corners.
  public func roundedCorners(
    radius: Double, unit: ImageProcessors.Unit = .pixels, border: ImageProcessors.Border? = nil
  ) -> Self {
    process(.roundedCorners(radius: radius, unit: unit, border: border))
  }

  // MARK: How it is loaded

  /// Sets who comes first where there is a queue.
  public func priority(_ priority: ImageRequest.Priority) -> Self { with { $0.priority = priority } }

  /// Adds options to those there are.
  public func options(_ options: ImageRequest.Options) -> Self { with { $0.options.formUnion(options) } }

  /// Sets the pixels per point.
  public func scale(_ scale: Double) -> Self { with { $0.scale = scale } }

  /// Asks for a small picture, made while decoding.
  public func thumbnail(_ thumbnail: ImageRequest.ThumbnailOptions?) -> Self {
    with { $0.thumbnail = thumbnail }
  }

  /// Sets what stands for the URL in the caches.
  public func imageID(_ id: String?) -> Self { with { $0.imageID = id } }

  /// Sets what the bytes have to be.
  public func integrity(_ integrity: Integrity?) -> Self { with { $0.integrity = integrity } }

  /// Sets a header, in the place of one of that name.
  ///
  /// One that `isSecret` is kept out of descriptions and from other origins.
  public func header(_ name: String, _ value: String, isSecret: Bool = false) -> Self {
    with { $0.headers.replace(name, with: value, isSecret: isSecret) }
  }

  /// Adds something for decoders and processors to know.
  public func userInfo(_ key: ImageRequest.UserInfoKey, _ value: any Sendable) -> Self {
    with { $0.userInfo[key] = value }
  }

  // MARK: The last step

  /// Waits for the picture.
  public func load() async throws(ImagePipeline.Error) -> Image { try await pipeline.image(for: request) }

  /// Waits for the picture and what is known of it.
  public func response() async throws(ImagePipeline.Error) -> ImageResponse {
    try await pipeline.response(for: request)
  }

  /// Begins a task.
  public func task() -> ImageTask { pipeline.imageTask(with: request) }

  /// A publisher of the picture.
  public func publisher(includingPreviews includesPreviews: Bool = true) -> ImagePublisher {
    pipeline.imagePublisher(with: request, includingPreviews: includesPreviews)
  }

  /// Loads the picture into something that shows it.
  @MainActor @discardableResult
  public func display(in target: some ImageDisplaying, options: ImageLoadingOptions? = nil) -> ImageTask? {
    var options = options ?? .shared
    options.pipeline = pipeline
    return loadImage(with: request, options: options, into: target)
  }
}
