/// Stores decoded images in memory.
///
/// It is read synchronously at the start of each request for an image, on the caller's thread. So it must be fast and
/// thread-safe.
public protocol ImageCaching: AnyObject, Sendable {
  /// The image for `key`. Set `nil` to remove it.
  subscript(key: ImageCacheKey) -> DecodedImage? { get set }

  /// Removes all images.
  func removeAll()
}
