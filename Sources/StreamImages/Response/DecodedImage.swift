public import Foundation

/// A picture, and where it comes from. What decoders make and memory caches keep.
public struct DecodedImage: Sendable {
  /// Its pixels, ready to be drawn.
  public var image: Image

  /// What it was decoded from; `nil` if it was made otherwise.
  public var format: ImageFormat?

  /// Whether better is to come.
  public var isPreview: Bool

  /// How many bytes it was decoded from.
  public var byteCount: Int

  /// Where these bytes were found in the end, after redirects.
  public var url: URL?

  package var origin: ImageOrigin = .memory
  /// Where this very variant was found; `nil` if work was done to make it.
  package var hit: CacheSource?
  package var timings: LoadTimings?
  package var httpCacheStatus: CacheStatus?
  package var wasCoalesced = false
  /// The job that made it.
  package var job: UInt64?
  /// The bytes as they were loaded, as long as they are not stored.
  package var fresh: EncodedImage?
  /// Set once better has come; `nil` unless this is a preview.
  var isOvertaken: CancellationFlag?

  /// What a decoder of your own has made.
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

/// The cache in which a picture was found.
public enum CacheSource: Sendable, Hashable {
  /// One in memory costs nothing more; one on disk had to be read and decoded.
  case memory, disk
}

/// Where the bytes of a picture came from.
public enum ImageOrigin: Sendable, Hashable {
  /// From the network, just now.
  case network
  /// From a closure or a publisher of the program, just now.
  case program
  /// From a `file:` or `data:` URL, just now.
  case local
  /// From the cache on disk.
  case disk
  /// From nowhere: the picture was in memory.
  case memory

  /// Whether the bytes are gone if nobody keeps them.
  var isFresh: Bool { self == .network || self == .program }
}
