public import Foundation

/// An image with its metadata, as memory caches store it.
public struct DecodedImage: Sendable {
  /// The image, ready to be drawn.
  public var image: Image

  /// The format it was decoded from, if it is known.
  public var format: ImageFormat?

  /// Whether it is incomplete, and a better image follows.
  public var isPreview: Bool

  /// The number of bytes it was decoded from; 0 if it was not decoded.
  public var byteCount: Int

  /// The URL of these bytes, after redirects.
  public var url: URL?

  /// The metadata of the file it was decoded from. `nil` unless ``ImageRequest/keptMetadata`` asks for more than the color space.
  public var metadata: ImageMetadata?

  package var origin: ImageOrigin = .memory
  /// The cache in which this image was found, or `nil` if it was loaded or processed.
  package var hit: CacheSource?
  package var timings: LoadTimings?
  package var httpCacheStatus: CacheStatus?
  package var wasCoalesced = false
  /// The file that it was decoded from, if it was one.
  var fileVersion: FileVersion?
  /// The job that made it.
  package var job: UInt64?
  /// The loaded bytes, until they are stored.
  package var fresh: EncodedImage?
  /// Set once the load has ended; `nil` unless this is a preview.
  var isOvertaken: CancellationFlag?

  /// Creates an image with its metadata, to store it in a memory cache.
  public init(
    _ image: Image, format: ImageFormat? = nil, isPreview: Bool = false, byteCount: Int = 0, url: URL? = nil
  ) {
    self.image = image
    self.format = format
    self.isPreview = isPreview
    self.byteCount = byteCount
    self.url = url
  }
}

/// The cache in which an image was found.
public enum CacheSource: Sendable, Hashable {
  /// The memory cache, at no further cost, or the disk cache, from which the image was read and decoded.
  case memory, disk
}

/// The origin of the bytes of an image.
public enum ImageOrigin: Sendable, Hashable {
  /// A loader, for a URL that is not local.
  case network
  /// A closure or a publisher of the program.
  case program
  /// A `file:` or `data:` URL.
  case local
  /// The disk cache.
  case disk
  /// The memory cache, which had the image, or the one it was made from.
  case memory

  /// Whether the bytes are lost unless they are stored.
  var isFresh: Bool { self == .network || self == .program }
}
