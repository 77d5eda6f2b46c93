public import Dispatch
internal import Foundation
public import Streams
public import StreamsFoundation

extension ImagePipeline {
  /// The parts of a pipeline. Each can be replaced; all have working defaults.
  public struct Configuration: Sendable {
    /// Gets bytes: from the network, from files and from data URLs.
    public var dataLoader: any DataLoading = SchemeLoader()

    /// Keeps bytes from run to run; `nil` for none.
    public var dataCache: (any DataCaching)? = DataCache.shared

    /// Keeps pictures in memory; `nil` for none.
    public var imageCache: (any ImageCaching)? = ImageCache.shared

    /// The first that can decode the bytes does.
    public var decoders: [any ImageDecoding] = [ImageDecoders.Default()]

    /// Asked before ``decoders``: what has been registered last, first.
    public var decoderRegistry = ImageDecoderRegistry.shared

    /// Makes the bytes of pictures that are kept on disk as they were delivered.
    public var encoder: any ImageEncoding = ImageEncoders.Default()

    /// What is kept on disk.
    public var dataCachePolicy = DataCachePolicy.automatic

    /// Has a say in each request. Kept as long as the pipeline.
    public var delegate: (any ImagePipelineDelegate)?

    /// Whether those who want the same at the same time share the work.
    public var isCoalescingEnabled = true

    /// Whether pictures are shown before all of their bytes are there, where the format is made for that.
    ///
    /// What has come is decoded at most seven times, at each eighth of the bytes, and never two times at once.
    public var isProgressiveDecodingEnabled = false

    /// How many loads from the network may begin in a second; `nil`, the default, for as many as there are places.
    ///
    /// For loaders that take starting and cancelling badly, and for servers that count.
    public var rateLimit: RateLimit?

    /// By what the rate is measured.
    public var scheduler: AnySchedulerOf<DispatchQueue> = .global()

    /// What is known of the network. Requests that it is not good enough for fail, and nothing is sent; `nil` asks nobody.
    public var networkConditions: (any NetworkConditions)?

    /// How much, how long and how far a load may go.
    public var loadLimits = LoadLimits()

    /// How large a picture may be, before any memory is taken for it.
    public var decodingLimits = DecodingLimits.default

    /// How many loads run at a time; what waits for its turn is ordered by priority. ``CurlLoader`` lets fewer of them go out to
    /// a host that does not speak HTTP/2. Of encoded images, as many are in the making at a time.
    public var loadingWidth = 128

    /// How many of these may come from one host, so that one that is slow does not take all places; `nil`, the default, for
    /// as many as there are.
    public var loadingWidthPerHost: Int?

    /// How many pictures are decoded at a time. As many as there are processors by default.
    public var decodingWidth = ProcessInfo.processInfo.activeProcessorCount

    /// How many pictures are processed at a time. As many as there are processors by default.
    public var processingWidth = ProcessInfo.processInfo.activeProcessorCount

    /// How many pictures are encoded for the disk at a time.
    public var encodingWidth = 1

    /// How many bytes of pixels may be in the making at a time. A quarter of the memory by default.
    ///
    /// A picture larger than that is decoded alone.
    public var decodingByteBudget = SystemMemory.byteCount / 4

    /// How many bytes of loaded pictures may wait to be decoded, or be in decoding, before loading waits too. 64 MiB.
    ///
    /// What is being loaded at that moment comes on top, and so does what was read from the disk cache.
    public var loadedByteBudget = 64 << 20

    /// How many bytes of loaded images are kept in memory for a minute although the disk cache does not keep them, as only a
    /// smaller image was wanted: who shows that often wants a larger one next. 32 MiB.
    public var recentByteLimit = 32 << 20

    /// How many bytes may wait to be stored before loading waits too.
    public var storingByteBudget = 64 << 20

    /// Called, on any thread, when something could not be kept on disk. Loading goes on without.
    public var onStorageError: (@Sendable (DataCacheError) -> Void)?

    /// The defaults: they work as they are.
    public init() {}
  }

  /// What is kept on disk. Never what is on this machine anyway (`file:` and `data:` URLs), as far as originals go.
  public enum DataCachePolicy: Sendable, Hashable, CaseIterable {
    /// The bytes as they were loaded, if the picture is delivered as it is; the picture as it was delivered, if it
    /// was processed; both for a thumbnail without processors.
    case automatic

    /// The bytes as they were loaded.
    case storeOriginalData

    /// The picture as it was delivered.
    case storeEncodedImages

    /// The bytes as they were loaded, and the picture if anything was done to it.
    case storeAll
  }
}
