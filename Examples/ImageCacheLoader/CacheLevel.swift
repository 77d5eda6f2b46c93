import Foundation
import Synchronization

/// One level of the cache, in memory. May be used from any thread.
final class CacheLevel<Value: Sendable>: Caching {
  private let values: Mutex<LeastRecentlyUsed<URL, Value>>
  private let cost: @Sendable (Value) -> Int

  /// At most so many values.
  init(countLimit: Int) {
    values = Mutex(LeastRecentlyUsed(countLimit: countLimit, costLimit: .max))
    cost = { _ in 0 }
  }

  /// Values that cost at most so much together.
  init(costLimit: Int, cost: @escaping @Sendable (Value) -> Int) {
    values = Mutex(LeastRecentlyUsed(countLimit: .max, costLimit: costLimit))
    self.cost = cost
  }

  func value(for url: URL) -> Value? { values.withLock { $0.value(for: url) } }

  func insert(_ value: Value?, for url: URL) {
    // What it costs is asked before the lock is taken.
    let costed = value.map { (value: $0, cost: cost($0)) }
    values.withLock { values in
      if let costed {
        values.insert(costed.value, cost: costed.cost, for: url)
      } else {
        values.remove(url)
      }
    }
  }

  func removeAll() { values.withLock { $0.removeAll() } }
}
