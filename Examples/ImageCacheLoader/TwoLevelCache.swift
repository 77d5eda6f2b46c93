import Foundation
import Synchronization

/// Pictures ready to show, and behind them the bytes of more pictures, which take less room.
final class TwoLevelCache: Caching {
  /// How often each level had what was looked for.
  struct Counts: Sendable, Equatable {
    var decodedHits = 0
    var encodedHits = 0
    var misses = 0
  }

  let decoded = CacheLevel<Picture>(costLimit: 100_000_000) { $0.cost }
  let encoded = CacheLevel<Data>(countLimit: 100)
  private let tally = Mutex(Counts())

  var counts: Counts { tally.withLock(\.self) }

  /// What is there as bytes only is decoded, here and now, and is ready to show from then on.
  func value(for url: URL) -> Picture? {
    if let picture = decoded[url] {
      tally.withLock { $0.decodedHits += 1 }
      return picture
    }
    if let data = encoded[url], let picture = Picture(data) {
      tally.withLock { $0.encodedHits += 1 }
      decoded[url] = picture
      return picture
    }
    tally.withLock { $0.misses += 1 }
    return nil
  }

  func insert(_ picture: Picture?, for url: URL) {
    encoded[url] = picture?.data
    decoded[url] = picture
  }

  func removeAll() {
    encoded.removeAll()
    decoded.removeAll()
  }
}
