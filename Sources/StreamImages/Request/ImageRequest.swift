internal import Foundation

/// What picture is wanted, how urgently, and what may be done to get it.
///
/// ```swift
/// let request = ImageRequest(url: url, processors: [.resize(width: 320)])
/// ```
///
/// A value of one word: copies share what they hold until one of them is changed.
public struct ImageRequest: Sendable {
  private var storage: Storage

  /// Where the picture comes from.
  package var source: ImageSource {
    get { storage.content.source }
    set { own().content.source = newValue }
  }

  /// Stands for the URL in the keys of all caches.
  ///
  /// For URLs with parts that change although the picture does not, such as tokens. Requests of one URL but of
  /// different ids are loaded apart.
  public var imageID: String? {
    get { storage.content.imageID }
    set { own().content.imageID = newValue }
  }

  /// Divides the caches: what was loaded under one partition is never given to another.
  ///
  /// `nil` stands for a partition derived from the credentials of the request (`Authorization`, `Cookie`, headers
  /// marked secret, user and password in the URL), so that two users of one program do not see each other's
  /// pictures. Name one if the credentials change, but the user does not.
  public var cachePartition: String? {
    get { storage.content.cachePartition }
    set { own().content.cachePartition = newValue }
  }

  /// What the bytes have to be. Others are neither decoded nor kept, wherever they come from.
  ///
  /// Part of all keys. `nil`, the default, takes any.
  public var integrity: Integrity? {
    get { storage.content.integrity }
    set { own().content.integrity = newValue }
  }

  /// Pixels per point of the picture, kept with it; the pixels are the same.
  public var scale: Double {
    get { storage.content.scale }
    set { own().content.scale = newValue }
  }

  /// Asks for a small picture, made while decoding.
  public var thumbnail: ThumbnailOptions? {
    get { storage.content.thumbnail }
    set { own().content.thumbnail = newValue }
  }

  /// Who comes first where there is a queue.
  public var priority: Priority {
    get { storage.content.priority }
    set { own().content.priority = newValue }
  }

  /// What is done to the picture, in this order.
  public var processors: [any ImageProcessing] {
    get { storage.content.processors }
    set { own().content.processors = newValue }
  }

  /// What may be read and written on the way.
  public var options: Options {
    get { storage.content.options }
    set { own().content.options = newValue }
  }

  /// The format in which ``ImagePipeline/encodedImage(for:)-(ImageRequest)`` returns the image.
  ///
  /// `nil`, the default, leaves it to the pipeline's encoder, and returns the loaded bytes if nothing is done to the image.
  /// Part of the keys of encoded images, on disk too; ignored by all other ways to ask. Two requests that differ in nothing
  /// else share the load and the processing.
  public var encoding: ImageEncoder.Encoding? {
    get { storage.content.encoding }
    set { own().content.encoding = newValue }
  }

  /// Whatever decoders, processors and delegates of yours want to know. Part of no key, and not compared.
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

  /// The storage, to be changed: this value's only.
  private mutating func own() -> Storage {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content) }
    return storage
  }

  /// Whether two values hold the very same storage.
  package func sharesStorage(with other: ImageRequest) -> Bool { storage === other.storage }

  /// The name of something in ``userInfo``.
  public struct UserInfoKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// What tells it from other keys.
    public let name: String

    /// A key of this name.
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
    var userInfo: [UserInfoKey: any Sendable] = [:]
  }

  // It is changed only by a value that has proved to be the only one to hold it.
  private final class Storage: @unchecked Sendable {
    var content: Content

    init(_ content: Content) { self.content = content }
  }
}

extension ImageRequest: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(url: URL(string: text)) }
}

extension ImageRequest: Hashable {
  /// Processors are compared by their identifiers, closures by the names they go by.
  public static func == (left: ImageRequest, right: ImageRequest) -> Bool {
    left.sharesStorage(with: right)
      || left.source == right.source && left.imageID == right.imageID
        && left.cachePartition == right.cachePartition && left.integrity == right.integrity
        && left.scale == right.scale && left.thumbnail == right.thumbnail && left.priority == right.priority
        && left.options == right.options && left.encoding == right.encoding
        && left.processors.map(\.identifier) == right.processors.map(\.identifier)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(imageID)
    hasher.combine(processors.map(\.identifier))
  }
}
