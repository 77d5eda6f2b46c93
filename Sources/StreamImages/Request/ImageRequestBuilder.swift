public import Foundation
internal import Streams

extension ImagePipeline {
  /// Starts building a request for a URL.
  ///
  /// ```swift
  /// let image = try await pipeline.image(with: url).resize(width: 320).circle().priority(.high).load()
  /// ```
  public func image(with url: URL?) -> ImageRequestBuilder { image(with: ImageRequest(url: url)) }

  /// Starts building from a request.
  public func image(with request: ImageRequest) -> ImageRequestBuilder {
    ImageRequestBuilder(pipeline: self, request: request)
  }
}

/// Builds a request step by step. Each step returns a changed copy. Nothing is loaded before the last step.
public struct ImageRequestBuilder: Sendable {
  /// The pipeline that loads the image.
  public let pipeline: ImagePipeline
  /// The request built so far.
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

  // MARK: Processing

  /// Appends a processor.
  public func process(_ processor: any ImageProcessing) -> Self { with { $0.processors.append(processor) } }

  /// Resizes to a width and keeps the aspect ratio.
  public func resize(width: Double, unit: ImageProcessors.Unit = .pixels, upscale: Bool = false) -> Self {
    process(.resize(width: width, unit: unit, upscale: upscale))
  }

  /// Resizes to a height and keeps the aspect ratio.
  public func resize(height: Double, unit: ImageProcessors.Unit = .pixels, upscale: Bool = false) -> Self {
    process(.resize(height: height, unit: unit, upscale: upscale))
  }

  /// Resizes the image to fill or fit a box.
  public func resize(
    size: CGSize, unit: ImageProcessors.Unit = .pixels,
    contentMode: ImageProcessors.ContentMode = .aspectFill, crop: Bool = false, upscale: Bool = false
  ) -> Self {
    process(.resize(size: size, unit: unit, contentMode: contentMode, crop: crop, upscale: upscale))
  }

  /// Blurs the image.
  public func blur(radius: Double = 8) -> Self { process(.gaussianBlur(radius: radius)) }

  /// Crops the image to a circle.
  public func circle(border: ImageProcessors.Border? = nil) -> Self { process(.circle(border: border)) }

  /// Rounds the corners.
  public func roundedCorners(
    radius: Double, unit: ImageProcessors.Unit = .pixels, border: ImageProcessors.Border? = nil
  ) -> Self {
    process(.roundedCorners(radius: radius, unit: unit, border: border))
  }

  /// Crops the image to a size, without scaling.
  public func crop(
    size: CGSize, unit: ImageProcessors.Unit = .pixels, anchor: ImageProcessors.Anchor = .center
  ) -> Self {
    process(.crop(size: size, unit: unit, anchor: anchor))
  }

  /// Crops the image to a size, without scaling. A position in the image stays visible.
  public func crop(
    size: CGSize, unit: ImageProcessors.Unit = .pixels, focus: ImageProcessors.Anchor
  ) -> Self {
    process(.crop(size: size, unit: unit, focus: focus))
  }

  /// Crops the image to a size, without scaling. Where there is most to look at stays visible.
  public func crop(
    size: CGSize, unit: ImageProcessors.Unit = .pixels, to interest: ImageProcessors.Interest
  ) -> Self {
    process(.crop(size: size, unit: unit, to: interest))
  }

  /// Extends the image to a size. The rest has a color.
  public func pad(
    to size: CGSize, unit: ImageProcessors.Unit = .pixels, anchor: ImageProcessors.Anchor = .center,
    color: Image.Pixel = .clear
  ) -> Self {
    process(.pad(to: size, unit: unit, anchor: anchor, color: color))
  }

  /// Cuts off edges of one color.
  public func trim(tolerance: Double = 0.04) -> Self { process(.trim(tolerance: tolerance)) }

  /// Replaces transparency by a color.
  public func background(_ color: Image.Pixel) -> Self { process(.background(color)) }

  /// Sharpens the image.
  public func sharpen(radius: Double = 1, amount: Double = 1) -> Self {
    process(.sharpen(radius: radius, amount: amount))
  }

  /// Turns the image into squares of one color.
  public func pixelate(side: Double = 8, unit: ImageProcessors.Unit = .pixels) -> Self {
    process(.pixelate(side: side, unit: unit))
  }

  // MARK: Loading

  /// Sets the priority.
  public func priority(_ priority: ImageRequest.Priority) -> Self { with { $0.priority = priority } }

  /// Adds options.
  public func options(_ options: ImageRequest.Options) -> Self { with { $0.options.formUnion(options) } }

  /// Sets the number of pixels per point.
  public func scale(_ scale: Double) -> Self { with { $0.scale = scale } }

  /// Decodes a small image directly.
  public func thumbnail(_ thumbnail: ImageRequest.ThumbnailOptions?) -> Self {
    with { $0.thumbnail = thumbnail }
  }

  /// Sets the format in which ``encoded()`` returns the image.
  public func encoding(_ encoding: ImageEncoder.Encoding?) -> Self { with { $0.encoding = encoding } }

  /// Sets what an encoded image keeps of the metadata of the loaded file; see ``ImageRequest/keptMetadata``.
  public func keeping(_ metadata: KeptMetadata) -> Self { with { $0.keptMetadata = metadata } }

  /// Sets the ID that replaces the URL in cache keys.
  public func imageID(_ id: String?) -> Self { with { $0.imageID = id } }

  /// Sets the expected bytes.
  public func integrity(_ integrity: Integrity?) -> Self { with { $0.integrity = integrity } }

  /// Sets a header and replaces one of that name.
  ///
  /// Pass `isSecret: true` to keep it out of descriptions and away from other origins.
  public func header(_ name: String, _ value: String, isSecret: Bool = false) -> Self {
    with { $0.headers.replace(name, with: value, isSecret: isSecret) }
  }

  /// Sets a value for decoders and processors.
  public func userInfo(_ key: ImageRequest.UserInfoKey, _ value: any Sendable) -> Self {
    with { $0.userInfo[key] = value }
  }

  // MARK: Results

  /// Loads the image.
  public func load() async throws(ImagePipeline.Error) -> Image { try await pipeline.image(for: request) }

  /// Loads the image and returns it with its metadata.
  public func response() async throws(ImagePipeline.Error) -> ImageResponse {
    try await pipeline.response(for: request)
  }

  /// Loads the image and returns it encoded; see ``ImagePipeline/encodedImage(for:)-(ImageRequest)``.
  public func encoded() async throws(ImagePipeline.Error) -> DataResponse {
    try await pipeline.encodedImage(for: request)
  }

  /// Starts a task.
  public func task() -> ImageTask { pipeline.imageTask(with: request) }

  /// Returns a publisher of the image.
  public func publisher(includingPreviews includesPreviews: Bool = true) -> ImagePublisher {
    pipeline.imagePublisher(with: request, includingPreviews: includesPreviews)
  }

  /// Loads the image into a target that shows it.
  @MainActor @discardableResult
  public func display(in target: some ImageDisplaying, options: ImageLoadingOptions? = nil) -> ImageTask? {
    var options = options ?? .shared
    options.pipeline = pipeline
    return loadImage(with: request, options: options, into: target)
  }
}
