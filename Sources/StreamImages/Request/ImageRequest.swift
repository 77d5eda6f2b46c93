internal import Foundation

/// A request for an image: its source, its processing, its priority, and its caching options.
///
/// ```swift
/// let request = ImageRequest(url: url, processors: [.resize(width: 320)])
/// ```
///
/// It has the size of one pointer. Copies share their storage until one of them is changed.
public struct ImageRequest: Sendable {
  private var storage: Storage

  /// The source of the image.
  package var source: ImageSource {
    get { storage.content.source }
    set { own().content.source = newValue }
  }

  /// Replaces the URL in the keys of the pipeline's caches.
  ///
  /// Use it for URLs with parts that change although the image does not, such as tokens. Concurrent requests for one
  /// URL with different IDs do not share a load.
  public var imageID: String? {
    get { storage.content.imageID }
    set { own().content.imageID = newValue }
  }

  /// Partitions all caches and everything that requests share: an image that was loaded for one partition is never used
  /// for another.
  ///
  /// `nil`, the default, derives the partition from the credentials of the request: its secret headers, such as
  /// `Authorization` and `Cookie`, and user and password of the URL. So users with different credentials do not see each
  /// other's images. Set it if the credentials of a user change, or if a middleware or a delegate adds them. Partitions
  /// are compared by their bytes.
  public var cachePartition: String? {
    get {
      if case .address(let request) = source {
        request.cachePartition
      } else {
        storage.content.cachePartition
      }
    }
    set {
      // The loaders have caches of their own, and see only the request that is loaded.
      if address != nil {
        address?.cachePartition = newValue
      } else {
        own().content.cachePartition = newValue
      }
    }
  }

  /// The expected bytes. Others are not kept, whatever their source, and decoded only for previews.
  ///
  /// Part of the keys of the pipeline's caches. `nil`, the default, accepts any bytes.
  public var integrity: Integrity? {
    get { storage.content.integrity }
    set { own().content.integrity = newValue }
  }

  /// The number of pixels per point. Stored with the image; it does not change the pixels.
  public var scale: Double {
    get { storage.content.scale }
    set { own().content.scale = newValue }
  }

  /// Decodes a small image directly.
  public var thumbnail: ThumbnailOptions? {
    get { storage.content.thumbnail }
    set { own().content.thumbnail = newValue }
  }

  /// The priority in the queues of the pipeline.
  public var priority: Priority {
    get { storage.content.priority }
    set { own().content.priority = newValue }
  }

  /// The processors, applied in order.
  public var processors: [any ImageProcessing] {
    get { storage.content.processors }
    set { own().content.processors = newValue }
  }

  /// Options for caching and loading.
  public var options: Options {
    get { storage.content.options }
    set { own().content.options = newValue }
  }

  /// The format in which ``ImagePipeline/encodedImage(for:)-(ImageRequest)`` returns the image.
  ///
  /// `nil`, the default, uses the pipeline's encoder, and returns the loaded bytes if the image is not processed. It
  /// is part of the keys of encoded images, on disk too. Requests that differ only in their encoding share the load and
  /// the processing.
  public var encoding: ImageEncoder.Encoding? {
    get { storage.content.encoding }
    set { own().content.encoding = newValue }
  }

  /// What an encoded image keeps of the metadata of the loaded file: nothing by default, and positions by satellite only if you ask
  /// for `KeptMetadata.location`.
  ///
  /// It applies wherever the pipeline encodes the image: to ``ImagePipeline/encodedImage(for:)-(ImageRequest)``, and to the
  /// disk cache. Loaded bytes that are returned as they are keep all of their metadata: set ``encoding`` to have them encoded. Images of
  /// closures have no metadata. It is part of the keys of images, in memory and on disk, so requests that keep different metadata share
  /// the load, but not the image.
  public var keptMetadata: KeptMetadata {
    get { storage.content.keptMetadata }
    set { own().content.keptMetadata = newValue }
  }

  /// Values for your own decoders, processors and delegates. Not part of any cache key, and not compared.
  public var userInfo: [UserInfoKey: any Sendable] {
    get { storage.content.userInfo }
    set { own().content.userInfo = newValue }
  }

  package init(
    source: ImageSource, processors: [any ImageProcessing], priority: Priority, options: Options
  ) {
    storage = Storage(
      Content(source: source, priority: priority, processors: processors, options: options))
  }

  /// Returns storage that no other value shares.
  private mutating func own() -> Storage {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content) }
    return storage
  }

  /// Whether two values share their storage.
  package func sharesStorage(with other: ImageRequest) -> Bool { storage === other.storage }

  /// A key in ``userInfo``.
  public struct UserInfoKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name that identifies the key.
    public let name: String

    /// Creates a key.
    public init(_ name: String) { self.name = name }

    public init(stringLiteral name: String) { self.name = name }
  }

  private struct Content {
    var source: ImageSource
    var imageID: String?
    var cachePartition: String?
    var integrity: Integrity?
    var scale = 1.0
    var thumbnail: ThumbnailOptions?
    var priority: Priority
    var processors: [any ImageProcessing]
    var options: Options
    var encoding: ImageEncoder.Encoding?
    var keptMetadata = KeptMetadata.none
    var userInfo: [UserInfoKey: any Sendable] = [:]
  }

  // Changed only by a value that is its sole owner.
  private final class Storage: @unchecked Sendable {
    var content: Content

    init(_ content: Content) { self.content = content }
  }
}

extension ImageRequest: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(url: URL(string: text)) }
}

extension ImageRequest: Hashable {
  /// Processors are compared by their identifiers, closures by their names.
  public static func == (left: ImageRequest, right: ImageRequest) -> Bool {
    left.sharesStorage(with: right)
      || left.source == right.source && left.identity == right.identity && left.integrity == right.integrity
        && left.scale == right.scale && left.thumbnail == right.thumbnail && left.priority == right.priority
        && left.options == right.options && left.encoding == right.encoding
        && left.keptMetadata == right.keptMetadata
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(identity)
  }

  private var identity: [KeyText?] {
    [imageID.map { KeyText($0) }, cachePartition.map { KeyText($0) }]
      + processors.map { KeyText($0.identifier) }
  }
}

extension ImageRequest {
  /// A small version of the image, made by the decoder. A JPEG, or a WebP without transparency, can be decoded at a
  /// reduced size.
  ///
  /// An image that is small enough is delivered as it is.
  public struct ThumbnailOptions: Sendable, Hashable {
    package let target: ResizeTarget

    /// Whether to use the thumbnail that a camera embedded in the file, if it is large enough and has the same aspect
    /// ratio.
    ///
    /// `false` by default, because programs that edit images often leave it unchanged.
    public var usesEmbeddedThumbnail = false

    /// Creates a thumbnail whose longer side has at most `maxPixelSize` pixels.
    public init(maxPixelSize: Double) { target = .fitting(maxPixelSize) }

    /// Creates a thumbnail that fills or fits a box of `width` × `height`.
    public init(
      width: Double, height: Double, unit: ImageProcessors.Unit = .pixels,
      contentMode: ImageProcessors.ContentMode = .aspectFill
    ) {
      target = ResizeTarget(
        width: width * unit.pixels, height: height * unit.pixels, mode: contentMode.resizeMode)
    }

    package var identifier: String {
      "thumbnail \(target.identifier)\(usesEmbeddedThumbnail ? " embedded" : "")"
    }
  }
}
