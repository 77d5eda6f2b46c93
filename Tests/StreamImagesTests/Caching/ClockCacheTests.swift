import StreamImages
import Testing

@Suite("`ClockCache`")
struct ClockCacheTests {
  /// The same rules for a plain array, the oldest entry first.
  private struct Model {
    struct Entry {
      let key: Int
      var value: Int
      var cost: Int
      var lifetime: Int?
      var deadline: Int?
      var isProvisional: Bool
      var wasRead = false

      func isOver(_ now: Int) -> Bool { deadline.map { $0 <= now } ?? false }
    }

    var entries: [Entry] = []
    var statistics = CacheStatistics()
    var (costLimit, countLimit, ratio) = (100, Int.max, 0.25)
    var (lifetime, extending) = (Int?.none, LifetimeExtension.never)
    var totals: (cost: Int, count: Int) { (entries.reduce(0) { $0 + $1.cost }, entries.count) }

    private func index(_ key: Int) -> Int? { entries.firstIndex { $0.key == key } }

    mutating func remove(_ key: Int) -> Int? { index(key).map { entries.remove(at: $0).value } }

    mutating func value(_ key: Int, _ now: Int) -> Int? {
      guard let index = index(key) else {
        statistics.misses += 1
        return nil
      }
      if entries[index].isOver(now) {
        statistics.misses += 1
        statistics.expirations += 1
        entries.remove(at: index)
        return nil
      }
      statistics.hits += 1
      entries[index].wasRead = true
      if entries[index].deadline != nil {
        switch extending {
        case .never: break
        case .byLifetime: entries[index].deadline = entries[index].lifetime.map { now + $0 }
        case .by(let duration): entries[index].deadline = now + Int(duration.components.seconds)
        }
      }
      return entries[index].value
    }

    mutating func insert(
      _ value: Int, _ key: Int, _ cost: Int, _ ownLifetime: Int?, _ isProvisional: Bool, _ now: Int
    ) -> [Int] {
      if isProvisional, let index = index(key), !entries[index].isProvisional, !entries[index].isOver(now) {
        return []
      }
      guard Double(cost) < Double(costLimit) * ratio, countLimit > 0 else {
        statistics.rejections += 1
        return remove(key).map { [$0] } ?? []
      }
      let lifetime = ownLifetime ?? lifetime
      var entry = Entry(
        key: key, value: value, cost: cost, lifetime: lifetime, deadline: lifetime.map { now + $0 },
        isProvisional: isProvisional)
      if let index = index(key) {
        let old = entries[index].value
        entry.wasRead = true
        entries[index] = entry
        return [old] + trim(costLimit, countLimit)
      }
      var gone: [Int] = []
      for _ in 0..<2 where entries.first?.isOver(now) == true {
        gone.append(entries.removeFirst().value)
        statistics.expirations += 1
      }
      gone += trim(costLimit - cost, countLimit - 1)
      entries.append(entry)
      return gone
    }

    mutating func trim(_ cost: Int, _ count: Int) -> [Int] {
      var gone: [Int] = []
      while totals.cost > cost || entries.count > max(0, count), !entries.isEmpty {
        var first = entries.removeFirst()
        if first.wasRead {
          first.wasRead = false
          entries.append(first)
        } else {
          statistics.evictions += 1
          gone.append(first.value)
        }
      }
      return gone
    }

    mutating func removeExpired(_ now: Int) {
      statistics.expirations += entries.count { $0.isOver(now) }
      entries.removeAll { $0.isOver(now) }
    }
  }

  @Test("`ClockCache` agrees with a plain array under random operations", arguments: 0..<40)
  func model(seed: UInt64) {
    let (start, time) = (ContinuousClock.now, Shared(0))
    let cache = ClockCache<Int, Int>(costLimit: 100, countLimit: .max) {
      start.advanced(by: .seconds(time.value))
    }
    var (random, model) = (Generator(seed: seed), Model())
    for step in 0..<2_000 {
      let (key, now) = (Int.random(in: 0..<12, using: &random), time.value)
      switch Int.random(in: 0..<24, using: &random) {
      case 0..<9:
        let cost = Int.random(in: 0...30, using: &random)
        let lifetime = Bool.random(using: &random) ? nil : Int.random(in: 0..<6, using: &random)
        let isProvisional = Int.random(in: 0..<4, using: &random) == 0
        let gone = cache.insert(
          step, for: key, cost: cost, lifetime: lifetime.map { .seconds($0) }, isProvisional: isProvisional)
        let expected = model.insert(step, key, cost, lifetime, isProvisional, now)
        #expect(gone == expected)
      case 9..<15:
        let expected = model.value(key, now)
        #expect(cache.value(for: key) == expected)
      case 15:
        let isThere = model.entries.contains { $0.key == key }
        let expected = isThere ? model.value(key, now) : nil
        #expect(cache.hit(for: key) == expected)
      case 16:
        let value = model.value(key, now)
        _ = model.remove(key)
        #expect(cache.take(key) == value)
      case 17:
        let expected = model.remove(key)
        #expect(cache.remove(key) == expected)
      case 18: time.change { $0 += 1 }
      case 19:
        cache.removeExpired()
        model.removeExpired(now)
      case 20:
        let cost = Int.random(in: -1...110, using: &random)
        let count = [-1, 0, 1, 5, .max].randomElement(using: &random)!
        cache.trim(toCost: cost, count: count)
        _ = model.trim(cost, count)
      case 21:
        model.lifetime = [nil, 1, 4].randomElement(using: &random)!
        model.extending = [.never, .byLifetime, .by(.seconds(2))].randomElement(using: &random)!
        cache.setLimits { [model] in
          ($0.lifetime, $0.extending) = (model.lifetime.map { .seconds($0) }, model.extending)
        }
      case 22:
        model.costLimit = [0, 60, 100, 100].randomElement(using: &random)!
        model.countLimit = [0, 1, 2, 6, .max, .max].randomElement(using: &random)!
        model.ratio = [0.25, 0.5, 1].randomElement(using: &random)!
        cache.setLimits { [model] in
          ($0.cost, $0.count, $0.entryRatio) = (model.costLimit, model.countLimit, model.ratio)
        }
        _ = model.trim(model.costLimit, model.countLimit)
      default:
        guard step % 7 == 0 else { continue }
        cache.removeAll()
        model.entries = []
      }
      #expect(cache.totals == model.totals)
      #expect(cache.statistics == model.statistics)
    }
  }

  @Test("An entry of exactly its share of the limit is rejected, and a limit of one entry keeps one")
  func bounds() {
    for (cost, ratio, count, isKept) in [
      (24, 0.25, 1, true), (25, 0.25, 1, false), (26, 0.25, 1, false), (99, 1, 1, true), (100, 1, 1, false),
      (1, 1, 0, false), (1, 1, -1, false), (0, 0.25, 2, true),
    ] {
      let cache = ClockCache<Int, Int>(costLimit: 100, countLimit: count, entryRatio: ratio)
      cache.insert(1, for: 1, cost: cost)

      #expect(cache.totals == (isKept ? (cost, 1) : (0, 0)))
      #expect(cache.statistics.rejections == (isKept ? 0 : 1))
    }
  }

  @Test("An empty cache can be trimmed below nothing")
  func empty() {
    let cache = ClockCache<Int, Int>(costLimit: 100, countLimit: 1)

    cache.trim(toCost: -1, count: -1)

    #expect(cache.totals == (0, 0) && cache.statistics.evictions == 0)
  }

  @Test("The clock is not read for entries that live for ever, and their lifetime is not extended")
  func noClock() {
    let reads = Shared(0)
    let cache = ClockCache<Int, Int>(costLimit: 100, countLimit: 2) {
      reads.change { $0 += 1 }
      return .now
    }
    cache.setLimits { $0.extending = .by(.zero) }

    for key in 0..<4 {
      cache.insert(key, for: key, cost: 1)
      for _ in 0..<2 { #expect(cache.value(for: key) == key) }
    }

    #expect(reads.value == 0 && cache.totals == (2, 2))
  }
}
