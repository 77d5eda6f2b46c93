public import StreamImages
internal import Streams

/// Keeps pictures in memory, without limit, and remembers what was asked and stored.
public final class RecordingImageCache: ImageCaching {
  private struct State {
    var entries: [ImageCacheKey: DecodedImage] = [:]
    var reads: [ImageCacheKey] = []
    var writes: [ImageCacheKey] = []
  }

  private let state = Guarded(State())

  /// An empty cache.
  public init() {}

  /// What was looked for, in order.
  public var reads: [ImageCacheKey] { state.withLock { $0.reads } }

  /// What was stored, in order.
  public var writes: [ImageCacheKey] { state.withLock { $0.writes } }

  /// What it holds.
  public var entries: [ImageCacheKey: DecodedImage] { state.withLock { $0.entries } }

  /// The picture of a key, noting that it was asked for or stored.
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
