import Foundation
import StreamImages

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The right-hand column of `Docs/moving/from-nuke.md`, as it must compile.
@MainActor
private struct FromNuke {
  var configuration: ImagePipeline.Configuration
  var options: ImageLoadingOptions
  var request: ImageRequest
  let pipeline: ImagePipeline
  let prefetcher: ImagePrefetcher
  let fetch: FetchImage
  let view: any ImageDisplaying
  let url: URL
  let low: URL
  let high: URL
  let size: CGSize
  let cache: ImageCache
  let dataCache: DataCache
  let delegate: any ImagePipelineDelegate
  let response: ImageResponse
  let image: Image
  let data: Data
  let failure: ImagePipeline.Error
  let urlRequest: URLRequest

  mutating func expressions() async throws {
    _ = ImagePipeline(configuration)
    _ = ImagePipeline { $0.dataCache = try? DataCache(name: "Photos") }
    ImagePipeline.shared = pipeline
    configuration.dataCache = try DataCache(name: "Photos", sizeLimit: 200 << 20)
    configuration.dataLoader = SchemeLoader(network: HTTPCache(CurlLoader.shared))
    configuration.imageCache = ImageCache(costLimit: 64 << 20)
    cache.lifetime = .seconds(60)
    cache.trim(toCost: 32 << 20)
    configuration.dataCachePolicy = .storeAll
    configuration.isProgressiveDecodingEnabled = true
    configuration.isCoalescingEnabled = false
    configuration.rateLimit = RateLimit(perSecond: 80, burst: 25)
    configuration.loadingWidth = 6
    configuration.loadLimits.maximumByteCount = 16 << 20
    _ = CurlLoader.shared.with(RequestMiddleware { $0.headers.replace("Accept", with: "image/webp") })
    _ = ImageRequest(url: url, processors: [.resize(width: 320)])
    _ = ImageRequest(url: url, processors: [.resize(size: size, crop: true), .circle()])
    request.imageID = "photo-17"
    request.thumbnail = ImageRequest.ThumbnailOptions(maxPixelSize: 320)
    request.options = .reloadIgnoringCachedData
    _ = ImageRequest(id: "drawing") { try Data(contentsOf: URL(filePath: "drawing.png")) }
    _ = try await pipeline.image(for: url)
    _ = pipeline.imagePublisher(with: url)
    _ = pipeline.imageTask(with: url).progress
    _ = pipeline.loadImage(with: request) { result in _ = result }
    _ = try await pipeline.data(for: url).data
    _ = try await pipeline.image(with: url).resize(width: 320).priority(.high).load()
    _ = pipeline.cache[request]
    await pipeline.cache.removeAll()
    _ = pipeline.lowThenHigh(ImageRequest(url: low), ImageRequest(url: high))
    fetch.load(pipeline.sparing(ImageRequest(url: high), orElse: ImageRequest(url: low)) { true })
    _ = DecodedImage(image)
    _ = response.cacheSource
    _ = pipeline.cache[ImageRequest(url: url)]
    _ = pipeline.cache.image(for: request)
    _ = await pipeline.cache.storedImage(for: request)
    _ = await pipeline.cache.data(for: request)
    _ = await pipeline.cache.contains(request, in: .disk)
    pipeline.cache[request] = DecodedImage(image)
    try await pipeline.cache.store(data, for: request)
    await pipeline.cache.remove(request)
    _ = ImageCache.shared[ImageCacheKey(request)]
    try await dataCache.store(CachedData(data), for: DataCacheKey("key"))
    _ = await dataCache.data(for: DataCacheKey("key"))
    _ = await dataCache.contains(DataCacheKey("key"))
    await dataCache.remove(DataCacheKey("key"))
    await pipeline.flush()
    _ = ImagePipeline { $0.delegate = delegate }
    pipeline.loadImage(with: request, progress: { preview, progress in _ = (preview, progress) }) { _ in }
    if case .decodingFailed(let error) = failure { _ = error }
    _ = ImageRequest(urlRequest: urlRequest)
    prefetcher.start(with: [url])
    prefetcher.stop(with: [url])
    _ = ImagePrefetcher(destination: .diskCache)
    options.transition = .fadeIn(.milliseconds(330))
    options.contentModes.success = .fill
    ImageLoadingOptions.shared = options
    loadImage(with: url, options: options, into: view)
    cancelRequest(for: view)
    _ = ImageEncoders.Default(quality: 0.8)
    configuration.decoderRegistry.register(ImageDecoders.Default())
    _ = Integrity(of: Data())
  }
}

/// The methods of a delegate, a processor and a decoder, as the guide has them. Each is a requirement, not a method of its own.
private protocol Delegate: ImagePipelineDelegate {
  func willLoad(_ address: DataRequest, for request: ImageRequest) async throws -> DataRequest
  func willStore(_ data: Data, of image: Image?, for request: ImageRequest) async -> Data?
  func prepare(_ request: ImageRequest) -> ImageRequest
  func taskCreated(_ task: ImageTask)
  func taskDidStart(_ task: ImageTask)
  func task(_ task: ImageTask, didReceive event: ImageTask.Event)
}

private protocol Processor: ImageProcessing {
  func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image
}

private protocol Decoder: ImageDecoding {
  func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image
}
