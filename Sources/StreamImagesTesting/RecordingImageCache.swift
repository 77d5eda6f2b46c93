public import StreamImages
internal import Streams

/// A memory cache without limits that records reads and writes.
public final class RecordingImageCache: ImageCaching {
  private struct State {
    var entries: [ImageCacheKey: DecodedImage] = [:]
    var reads: [ImageCacheKey] = []
    var writes: [ImageCacheKey] = []
  }

  private let state = Guarded(State())

  /// Creates an empty cache.
  public init() {}

  /// The keys that were read, in order.
  public var reads: [ImageCacheKey] { state.withLock { $0.reads } }

  /// The keys that were stored, in order.
  public var writes: [ImageCacheKey] { state.withLock { $0.writes } }

  /// The entries.
  public var entries: [ImageCacheKey: DecodedImage] { state.withLock { $0.entries } }

  /// The image for `key`. Reads and writes are recorded.
  public subscript(key: ImageCacheKey) -> DecodedImage? {
    get {
      state.withLock { state in
        state.reads.append(key)
        return state.entries[key]
      }
    }
    set {
      state.withLock { state in
        if newValue != nil { state.writes.append(key) }
        state.entries[key] = newValue
      }
    }
  }

  public func removeAll() { state.withLock { $0.entries = [:] } }
}
