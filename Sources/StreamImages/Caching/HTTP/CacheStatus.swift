/// What an ``HTTPCache`` had to do with an answer.
public enum CacheStatus: Sendable, Hashable {
  /// Nothing was there that could be used; the answer is the server's.
  case miss
  /// The stored answer was fresh.
  case hit
  /// The stored answer had expired, and the server confirmed it.
  case revalidated
  /// The stored answer has expired, and the server is being asked behind the program's back.
  case staleWhileRevalidating
  /// The stored answer has expired, but the server cannot be asked.
  case staleAfterError
  /// The stored answer has expired, and the request takes it so.
  case stale
}
