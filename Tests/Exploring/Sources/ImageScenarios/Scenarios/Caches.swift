import Foundation
import Interleavings
import StreamsExtras
@testable import StreamImages

/// A disk cache of the explorer's: each access is one step, after which others may go on.
private final class Disk: DataCaching, @unchecked Sendable {  // fibers share one thread
  private let object = Explorer.shared.newObject()
  private(set) var entries: [DataCacheKey: CachedData] = [:]

  init(_ entries: [DataCacheKey: CachedData] = [:]) { self.entries = entries }

  private func step() {
    Explorer.shared.checkNoLockIsHeld("an access to a disk")
    Explorer.shared.point(object)
  }

  func data(for key: DataCacheKey) async -> CachedData? {
    step()
    let found = entries[key]
    step()
    return found
  }

  func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    step()
    entries[key] = data
    step()
  }

  func contains(_ key: DataCacheKey) async -> Bool {
    step()
    return entries[key] != nil
  }

  func remove(_ key: DataCacheKey) async {
    step()
    entries[key] = nil
    step()
  }

  func removeAll() async {
    step()
    entries = [:]
    step()
  }
}

extension ImageScenario {
  static var caches: [ImageScenario] { clock + encoded + layers }

  private static func cache(
    _ name: String, cost: Int = 4, count: Int = 100, inserting keys: [String],
    _ body: @escaping (Play, ClockCache<String, EncodedImage>) -> (() -> String?)?
  ) -> ImageScenario {
    ImageScenario("ClockCache: \(name)") { play in
      let cache = ClockCache<String, EncodedImage>(costLimit: cost, countLimit: count, entryRatio: 1)
      for (number, key) in keys.enumerated() { cache.insert(EncodedImage(number), for: key, cost: 1) }
      let check = body(play, cache)
      return {
        let totals = cache.totals
        if totals.cost > cache.limits.cost || totals.count > cache.limits.count { return "K1: \(totals)" }
        if totals.cost != totals.count { return "K2: \(totals.count) entries cost \(totals.cost)" }
        return check?()
      }
    }
  }

  /// What was stored last is found or evicted, and the cost never exceeds the limit.
  private static var clock: [ImageScenario] {
    [
      cache("two threads fill it", cost: 3, inserting: ["a"]) { play, cache in
        for name in ["b", "c"] {
          play.thread {
            for number in 1...2 {
              cache.insert(EncodedImage(number), for: "\(name)\(number)", cost: 1)
              if cache.totals.cost > 3 { Explorer.shared.fail("K1: \(cache.totals)") }
            }
          }
        }
        return nil
      },
      cache("one key, stored and read by two", inserting: []) { play, cache in
        let seen = Log<Int>()
        for number in 1...2 {
          play.thread {
            cache.insert(EncodedImage(number), for: "a", cost: 1)
            let found = cache.value(for: "a")
            found?.read()
            seen.add(found?.number ?? 0)
          }
        }
        return {
          if seen.entries.contains(0) { return "K3: a value is lost" }
          return seen.entries.last == cache.value(for: "a")?.number ? nil : "K3: an older value is back"
        }
      },
      cache("the limit is lowered while it fills", inserting: ["a", "b"]) { play, cache in
        play.thread { cache.setLimits { $0.cost = 2 } }
        play.thread { for key in ["c", "d"] { cache.insert(EncodedImage(1), for: key, cost: 1) } }
        return nil
      },
      cache("taken by two", inserting: ["a"]) { play, cache in
        let taken = Log<Int>()
        for _ in 0..<2 { play.thread { if cache.take("a") != nil { taken.add(1) } } }
        return { taken.entries.count == 1 ? nil : "K4: taken \(taken.entries.count) times" }
      },
      cache("emptied while it fills", inserting: ["a", "b"]) { play, cache in
        let isEmpty = Signal()
        play.thread {
          cache.removeAll()
          isEmpty.set()
        }
        play.thread {
          isEmpty.wait()
          cache.insert(EncodedImage(1), for: "c", cost: 1)
        }
        play.thread { cache.insert(EncodedImage(2), for: "a", cost: 1) }
        return { cache.value(for: "c") != nil && cache.value(for: "b") == nil ? nil : "K3: \(cache.totals)" }
      },
      cache("a preview and the image", inserting: []) { play, cache in
        play.thread { cache.insert(EncodedImage(1, isPreview: true), for: "a", cost: 1, isProvisional: true) }
        play.thread { cache.insert(EncodedImage(2), for: "a", cost: 1) }
        return { cache.value(for: "a")?.number == 2 ? nil : "K5: a preview replaces the image" }
      },
      cache("removed while it is stored and read", inserting: ["a"]) { play, cache in
        play.thread { cache.remove("a")?.read() }
        play.thread { cache.insert(EncodedImage(1), for: "a", cost: 1) }
        play.thread { cache.value(for: "a")?.read() }
        return nil
      },
    ]
  }

  private static let key = DataCacheKey("a")

  private static func layered(
    _ name: String, hasEntry: Bool, _ body: @escaping (Play, EncodedMemoryCache, Disk) -> (() -> String?)
  ) -> ImageScenario {
    ImageScenario("EncodedMemoryCache: \(name)") { play in
      let disk = Disk(hasEntry ? [key: CachedData(Data([1]))] : [:])
      let cache = EncodedMemoryCache(over: disk, byteLimit: 100, countLimit: 10)
      let check = body(play, cache, disk)
      return { check() ?? (cache.totalCost > 100 ? "K1: \(cache.totalCost)" : nil) }
    }
  }

  /// In front of a disk: a removal wins over reads and stores that began before it.
  private static var encoded: [ImageScenario] {
    [
      layered("removed while it is read", hasEntry: true) { play, cache, disk in
        play.task { _ = await cache.data(for: key) }
        play.task { await cache.remove(key) }
        return { cache.immediateData(for: key) == nil ? nil : "K6: a removed entry is in memory" }
      },
      layered("emptied while it is read", hasEntry: true) { play, cache, disk in
        play.task { _ = await cache.data(for: key) }
        play.task { await cache.removeAll() }
        return { cache.immediateData(for: key) == nil ? nil : "K6: a removed entry is in memory" }
      },
      layered("stored while it is read", hasEntry: true) { play, cache, disk in
        play.task { _ = await cache.data(for: key) }
        play.task { try? await cache.store(CachedData(Data([2])), for: key) }
        return { cache.immediateData(for: key)?.data == Data([2]) ? nil : "K3: an older entry is back" }
      },
      layered("removed and then stored, while it is read", hasEntry: true) { play, cache, disk in
        play.task { _ = await cache.data(for: key) }
        play.task {
          await cache.remove(key)
          try? await cache.store(CachedData(Data([2])), for: key)
        }
        return { cache.immediateData(for: key)?.data == Data([2]) ? nil : "K3: an older entry is back" }
      },
      layered("read by two", hasEntry: true) { play, cache, disk in
        let found = Log<Bool>()
        for _ in 0..<2 { play.task { found.add(await cache.data(for: key) != nil) } }
        return { found.entries == [true, true] ? nil : "K3: an entry is not found" }
      },
    ]
  }

  /// In the end, all layers have only these bytes, or nothing.
  private static func layers(
    _ name: String, endWith bytes: Data? = nil, _ body: @escaping (Play, LayeredDataCache) -> Void
  ) -> ImageScenario {
    ImageScenario("LayeredDataCache: \(name)") { play in
      let disks = [Disk(), Disk([key: CachedData(Data([1]))])]
      body(play, LayeredDataCache(layers: disks))
      return { disks.allSatisfy { $0.entries[key]?.data == bytes } ? nil : "K6: an old entry is in a layer" }
    }
  }

  /// The same for layers of any kind.
  private static var layers: [ImageScenario] {
    [
      layers("removed while it is read") { play, cache in
        play.task { _ = await cache.data(for: key) }
        play.task { await cache.remove(key) }
      },
      layers("emptied while it is read") { play, cache in
        play.task { _ = await cache.data(for: key) }
        play.task { await cache.removeAll() }
      },
      layers("stored while it is read", endWith: Data([2])) { play, cache in
        play.task { _ = await cache.data(for: key) }
        play.task { try? await cache.store(CachedData(Data([2])), for: key) }
      },
    ]
  }
}
