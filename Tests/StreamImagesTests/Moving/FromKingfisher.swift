import Foundation
import StreamImages
import StreamsFoundationExtras

/// The right-hand column of `Docs/moving/from-kingfisher-sdwebimage.md`, as it must compile.
@MainActor
private struct FromKingfisher {
  var configuration: ImagePipeline.Configuration
  var options: ImageLoadingOptions
  var request: ImageRequest
  let pipeline: ImagePipeline
  let prefetcher: ImagePrefetcher
  let view: any ImageDisplaying
  let url: URL
  let other: URL
  let size: CGSize
  let blue: Image.Pixel
  let week: Duration
  let placeholder: Image
  let cache: ImageCache

  mutating func expressions() async throws {
    loadImage(with: url, options: options, into: view)
    cancelRequest(for: view)
    options.placeholder = placeholder
    options.failureImage = placeholder
    options.transition = .fadeIn(.milliseconds(200))
    options.preparesForReuse = false
    options.processors = [.resize(width: 320), .roundedCorners(radius: 20)]
    _ = ImageRequest(url: url, processors: [.resize(size: size)])
    request.thumbnail = ImageRequest.ThumbnailOptions(maxPixelSize: 320)
    _ = ImageRequest(url: url, processors: [.gaussianBlur(radius: 8), .tint(blue)])
    _ = ImageRequest(url: url, processors: [.crop(size: size, anchor: .center)])
    request.options = .reloadIgnoringCachedData
    request.options = .returnCacheDataDontLoad
    request.options = .disableDiskCacheWrites
    request.options = .waitForStorage
    request.priority = .high
    request.scale = 2
    _ = try await pipeline.image(for: url)
    _ = pipeline.imageTask(with: url).progressPublisher
    _ = pipeline.firstAvailable([ImageRequest(url: url), ImageRequest(url: other)])
    _ = CurlLoader.shared.with(RetryMiddleware(maximumRetryCount: 3))
    _ = CurlLoader.shared.with(RequestMiddleware { $0.headers.replace("Accept", with: "image/webp") })
    cache.lifetime = .seconds(300)
    cache.lifetimeExtension = .byLifetime
    configuration.dataCache = try DataCache(name: "Photos", sizeLimit: 1 << 30, lifetime: week)
    configuration.dataCachePolicy = .storeAll
    await pipeline.cache.removeAll()
    await pipeline.cache.remove(request)
    _ = await pipeline.cache.contains(request, in: .disk)
    prefetcher.start(with: [url])
    _ = prefetcher.publisher(for: [request])
    _ = pipeline.animationPublisher(with: url)
    _ = try await pipeline.animation(for: url).play(on: .main)
    _ = ImageEncoders.Fixed(encoding: .webp(quality: 0.8))
    configuration.isProgressiveDecodingEnabled = true
    configuration.loadLimits.idleTimeout = .seconds(15)
    configuration.loadingWidth = 6
  }
}
