/// Keeps decoded pictures in memory.
///
/// It is asked on the thread that asks the pipeline, before anything else happens: it must answer at once, from any
/// thread.
public protocol ImageCaching: AnyObject, Sendable {
  /// Setting `nil` removes.
  subscript(key: ImageCacheKey) -> DecodedImage? { get set }

  /// Forgets everything.
  func removeAll()
}
