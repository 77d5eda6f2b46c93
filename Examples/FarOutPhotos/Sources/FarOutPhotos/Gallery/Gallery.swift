import Foundation
import StreamImages

/// The photographs, and the two pipelines they go through.
///
/// ```
/// variant ─▶ variants( memory │ disk │ pictures( disk │ origin ) ─▶ decode to size ─▶ encode )
/// ```
///
/// The second pipeline's pictures are the bytes of the first one's. So who wants what somebody else waits for shares the
/// work, and what nobody waits for any more is stopped, on all of the way.
final class Gallery: Sendable {
  let photos: [Photo]
  let counters = Counters()
  let limits: MemoryLimits

  private let pictures: ImagePipeline
  private let variants: ImagePipeline
  private let memory: EncodedMemoryCache
  private let disk: DataCache

  init(_ photos: [Photo], cache: DataCache, limits: MemoryLimits = MemoryLimits()) {
    self.photos = photos
    self.limits = limits
    disk = cache
    let memory = EncodedMemoryCache(over: cache, byteLimit: limits.variants)
    self.memory = memory

    // On this machine, a proxy would look for 127.0.0.1 on its own.
    var network = CurlLoader.Configuration()
    network.proxy = .none
    let loader = SchemeLoader(network: CurlLoader(network))
    pictures = ImagePipeline {
      $0.dataLoader = loader
      $0.dataCache = cache
      $0.dataCachePolicy = .storeOriginalData
      // Pixels are there to be encoded, and go.
      $0.imageCache = nil
      $0.decodingByteBudget = limits.decoding
      $0.storingByteBudget = limits.storing
      $0.loadLimits.maximumByteCount = limits.original
    }
    variants = ImagePipeline {
      $0.dataCache = memory
      $0.imageCache = nil
      $0.storingByteBudget = limits.storing
      // Those that wait here wait for the other pipeline, which knows how much it can do.
      $0.loadingWidth = 32
    }
  }

  /// The bytes of a variant, as they are sent.
  func variant(_ variant: Variant) -> AnyPublisher<Data, ImagePipeline.Error> {
    variants.dataPublisher(with: request(for: variant))
      .handleEvents(receiveOutput: { [counters] response in
        if response.cacheSource == .disk { counters.count(\.hits) }
      })
      .map(\.data)
      .trackActivity(counters.activity)
  }

  /// The bytes of an original, as they were loaded.
  func original(of photo: Photo) -> AnyPublisher<Data, ImagePipeline.Error> {
    pictures.dataPublisher(with: request(for: photo))
      .handleEvents(receiveOutput: { [counters] response in
        counters.count(response.cacheSource == .disk ? \.hits : \.originals)
      })
      .map(\.data)
      .trackActivity(counters.activity)
  }

  /// Makes variants before they are wanted, after those that are.
  func prefetcher() -> ImagePrefetcher { ImagePrefetcher(pipeline: variants, destination: .diskCache) }

  func request(for variant: Variant) -> ImageRequest {
    let photo = photos[variant.photo]
    var source = request(for: photo)
    source.processors = [variant.processor]
    return ImageRequest(id: variant.identity(of: photo)) { [pictures, counters, source] in
      pictures.imagePublisher(with: source)
        .handleEvents(receiveOutput: { response in
          counters.count(\.made)
          counters.add(response.byteCount, to: \.bytesDecoded)
        })
        .tryMap { Data(try ImageEncoder.encode($0.image, as: .jpeg(quality: 0.82))) }
    }
  }

  private func request(for photo: Photo) -> ImageRequest {
    var request = ImageRequest(url: photo.url)
    request.imageID = photo.identity
    return request
  }

  /// Forgets an original, so that it has to be loaded again.
  func forgetOriginal(of photo: Photo) async {
    await pictures.flush()
    await pictures.cache.remove(request(for: photo))
  }

  /// In bytes: what the variants in memory take.
  var variantsInMemory: Int { memory.totalCost }

  /// Waits until everything is stored, then forgets it.
  func forgetAll() async {
    await pictures.flush()
    await variants.flush()
    await memory.removeAll()
    await disk.removeAll()
  }
}

/// How much memory the gallery may take, in bytes.
struct MemoryLimits: Sendable {
  /// Of an original while it is loaded.
  var original = 64 << 20
  /// Of pixels in the making.
  var decoding = 96 << 20
  /// Of the bytes of variants that are kept.
  var variants = 16 << 20
  /// Of bytes that wait to be written to the disk, for each pipeline.
  var storing = 16 << 20

  var total: Int { original + decoding + variants + 2 * storing }
}
