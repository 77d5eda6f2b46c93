public import Dispatch
internal import Foundation
public import StreamsExtras
public import StreamsFoundation
internal import StreamsFoundationExtras

extension ImagePipeline {
  /// The components and limits of a pipeline. Each can be replaced, and all have working defaults. Widths below 1 count as 1,
  /// and negative budgets as 0.
  public struct Configuration: Sendable {
    /// Loads bytes from the network, from files and from data URLs.
    public var dataLoader: any DataLoading = SchemeLoader()

    /// Stores bytes between runs of the program. `nil` for no disk cache.
    public var dataCache: (any DataCaching)? = DataCache.shared

    /// Stores decoded images in memory. `nil` for no memory cache.
    public var imageCache: (any ImageCaching)? = ImageCache.shared

    /// The decoders, in the order in which they are tried.
    public var decoders: [any ImageDecoding] = [ImageDecoders.Default()]

    /// Decoders that are tried before ``decoders``. The decoder registered last is tried first.
    public var decoderRegistry = ImageDecoderRegistry.shared

    /// Encodes images, for the disk cache and for ``ImagePipeline/encodedImage(for:)-(ImageRequest)``.
    public var encoder: any ImageEncoding = ImageEncoders.Default()

    /// Decides which data is stored on disk.
    public var dataCachePolicy = DataCachePolicy.automatic

    /// Customizes how requests are handled. The pipeline retains it.
    public var delegate: (any ImagePipelineDelegate)?

    /// Whether concurrent requests for the same image share one load. `true` by default.
    public var isCoalescingEnabled = true

    /// Whether previews are delivered while an image loads, if its format supports that and the length of its body is
    /// known. `false` by default.
    ///
    /// For each image, the bytes received so far are decoded at most seven times, once for each eighth of the body, one
    /// preview at a time.
    public var isProgressiveDecodingEnabled = false

    /// Limits the rate at which loads start, except those of `file:` and `data:` URLs and of closures. `nil`, the default,
    /// is unlimited.
    ///
    /// Set it for loaders that handle frequent starts and cancellations badly, and for servers that limit requests.
    public var rateLimit: RateLimit?

    /// The scheduler that measures the rate.
    public var scheduler: AnySchedulerOf<DispatchQueue> = .global()

    /// Describes the network. Requests that it does not satisfy fail before anything is sent. `nil` performs no check.
    public var networkConditions: (any NetworkConditions)?

    /// Limits on the size, duration and redirects of a load.
    public var loadLimits = LoadLimits()

    /// Limits on the size of an image and on decoding it.
    public var decodingLimits = DecodingLimits.default

    /// Where images are decoded: in the program, or in worker processes that cannot harm it. By default, HEIC, AVIF, JPEG XL and TIFF
    /// are decoded in workers on Linux: call `ImageWorker.runIfAsked()` first in your program, or put `image-worker` beside it.
    ///
    /// With `.process()`, all formats are. An image starts a process if no idle one can be used. A request whose image crashes its process
    /// fails with ``ImagePipeline/Error/decodingFailed(_:)`` and `ImageCodecError.decoderCrashed`.
    public var decodingIsolation = DecodingIsolation.default

    /// The number of concurrent loads; further loads wait, ordered by priority. 128 by default. A load that waits for a retry, or
    /// awaits another request, is not counted meanwhile.
    ///
    /// ``CurlLoader`` has limits of its own, such as ``CurlLoader/Configuration/maximumConnectionsPerHost``.
    public var loadingWidth = 128

    /// The number of concurrent loads from one host, so that a slow host cannot occupy the whole queue. `nil`, the
    /// default, is unlimited.
    public var loadingWidthPerHost: Int?

    /// The number of images that are decoded at a time. By default, the number of processors.
    public var decodingWidth = ProcessInfo.processInfo.activeProcessorCount

    /// The number of images that are processed at a time. By default, the number of processors.
    public var processingWidth = ProcessInfo.processInfo.activeProcessorCount

    /// The number of images that are encoded at a time. 1 by default.
    public var encodingWidth = 1

    /// The memory that decoding may take at a time, in bytes. A quarter of the memory by default.
    ///
    /// An image that needs more is decoded alone. The images of ``ImagePipeline/encodedImage(for:)-(ImageRequest)`` count until they
    /// are encoded.
    public var decodingByteBudget = SystemMemory.byteCount / 4

    /// The number of loaded bytes that may wait for decoding, or be decoded, before new loads wait too. 64 MiB by
    /// default.
    ///
    /// Loads that have already started, and bytes read from the disk cache, do not wait.
    public var loadedByteBudget = 64 << 20

    /// The number of loaded bytes kept in memory, for a minute at most, when the disk cache stores only the processed
    /// image because the policy is ``ImagePipeline/DataCachePolicy/automatic``. 32 MiB by default.
    ///
    /// A request for another size often follows.
    public var recentByteLimit = 32 << 20

    /// The number of bytes that may wait to be stored before new loads wait too. 64 MiB by default.
    public var storingByteBudget = 64 << 20

    /// Called on any thread when the pipeline cannot store something on disk. Loading continues.
    public var onStorageError: (@Sendable (DataCacheError) -> Void)?

    /// Creates the default configuration.
    public init() {}
  }

  /// Decides which data is stored on disk. Of a `data:` URL, only encoded images are stored, and of a `file:` URL nothing.
  public enum DataCachePolicy: Sendable, Hashable, CaseIterable {
    /// Stores the loaded bytes of an unprocessed image, and the encoded result of a processed one. Stores both for a
    /// thumbnail or an ``ImageRequest/encoding`` without processors.
    case automatic

    /// Stores the loaded bytes only.
    case storeOriginalData

    /// Stores the delivered image only, encoded.
    case storeEncodedImages

    /// Stores the loaded bytes, and the encoded result of a processed image or an ``ImageRequest/encoding``.
    case storeAll
  }
}

extension ImagePipeline {
  /// A kind of work whose concurrency a pipeline limits. Waiting work starts in order of priority.
  public enum Work: Sendable, Hashable, CaseIterable {
    /// The steps of a request, in this order.
    case loading, decoding, processing
    /// Encoding images.
    case encoding
  }

  /// Returns how much work of this kind may run at a time. ``Configuration`` has the initial value.
  public func width(of work: Work) -> Int { queue(of: work).width }

  /// Changes how much work of this kind may run at a time; at least 1. Work that is running continues.
  public func setWidth(_ width: Int, of work: Work) { queue(of: work).width = width }

  /// Returns whether new work of this kind is suspended.
  public func isSuspended(_ work: Work) -> Bool { queue(of: work).isSuspended }

  /// Starts no new work of this kind until ``resume(_:)`` is called, except loads with
  /// ``ImageRequest/Options/skipDataLoadingQueue``. Running work continues; waiting work can be cancelled.
  public func suspend(_ work: Work) { queue(of: work).isSuspended = true }

  /// Starts the waiting work, in order of priority. Does nothing unless the kind is suspended.
  public func resume(_ work: Work) { queue(of: work).isSuspended = false }

  /// Returns how much work of this kind is waiting and how much is running.
  public func counts(of work: Work) -> (waiting: Int, running: Int) { queue(of: work).counts }

  package func waitingPriorities(of work: Work) -> [ImageRequest.Priority] {
    queue(of: work).waitingPriorities
  }

  private func queue(of work: Work) -> WorkQueue {
    switch work {
    case .loading: load.queue
    case .decoding: decode.queue
    case .processing: process.queue
    case .encoding: store.queue
    }
  }
}
