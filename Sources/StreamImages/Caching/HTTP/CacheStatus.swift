/// How an ``HTTPCache`` produced a response.
public enum CacheStatus: Sendable, Hashable {
  /// No stored response could be used. The server sent this response.
  case miss
  /// The stored response was fresh.
  case hit
  /// The server confirmed the stored response.
  case revalidated
  /// The stored response was stale. It is being revalidated in the background.
  case staleWhileRevalidating
  /// The server could not be reached or failed, and the stored response is used instead.
  case staleAfterError
  /// The stored response was stale, and the request accepts that.
  case stale
}
