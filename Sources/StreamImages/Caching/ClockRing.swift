/// The state of a ``ClockCache``: a dictionary into a doubly linked list that is stored in an array.
///
/// The oldest entry is first. Evicted values are returned, so that callers release them outside the lock.
struct ClockRing<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Node: Sendable {
    let key: Key
    var value: Value
    var cost: Int
    var lifetime: Duration?
    var deadline: ContinuousClock.Instant?
    var isProvisional: Bool
    var wasRead = false
    var previous: Int
    var next: Int

    func isOver(_ now: ContinuousClock.Instant) -> Bool { deadline.map { $0 <= now } ?? false }
  }

  var limits: ClockCache<Key, Value>.Limits
  private(set) var cost = 0
  private(set) var statistics = CacheStatistics()
  var count: Int { places.count }

  private var places: [Key: Int] = [:]
  private var nodes: [Node?] = []
  private var free: [Int] = []
  private var first = -1
  private var last = -1

  init(_ limits: ClockCache<Key, Value>.Limits) { self.limits = limits }

  func contains(_ key: Key) -> Bool { places[key] != nil }

  mutating func value(
    for key: Key, _ now: () -> ContinuousClock.Instant
  ) -> (value: Value?, expired: Value?) {
    guard let place = places[key] else {
      statistics.misses += 1
      return (nil, nil)
    }
    if nodes[place]!.deadline != nil {
      let now = now()
      if nodes[place]!.isOver(now) {
        statistics.misses += 1
        statistics.expirations += 1
        return (nil, remove(key))
      }
      prolong(place, now)
    }
    statistics.hits += 1
    nodes[place]!.wasRead = true
    return (nodes[place]!.value, nil)
  }

  mutating func insert(
    _ value: Value, for key: Key, cost newCost: Int, lifetime: Duration?, isProvisional: Bool,
    _ now: () -> ContinuousClock.Instant
  ) -> [Value] {
    if isProvisional, let place = places[key], !nodes[place]!.isProvisional, !nodes[place]!.isOver(now()) {
      return []
    }
    guard Double(newCost) < Double(limits.cost) * limits.entryRatio, limits.count > 0 else {
      statistics.rejections += 1
      return remove(key).map { [$0] } ?? []
    }
    let lifetime = lifetime ?? limits.lifetime
    let deadline = lifetime.map { now().advanced(by: $0.bounded) }
    if let place = places[key] {
      let old = nodes[place]!.value
      cost += newCost - nodes[place]!.cost
      nodes[place]!.value = value
      nodes[place]!.cost = newCost
      nodes[place]!.lifetime = lifetime
      nodes[place]!.deadline = deadline
      nodes[place]!.isProvisional = isProvisional
      nodes[place]!.wasRead = true
      return [old] + trim(toCost: limits.cost, count: limits.count)
    }
    // Room is made first. If all other entries were read recently, the new one would be evicted otherwise.
    let gone = dropExpired(now) + trim(toCost: limits.cost - newCost, count: limits.count - 1)
    let node = Node(
      key: key, value: value, cost: newCost, lifetime: lifetime, deadline: deadline,
      isProvisional: isProvisional, previous: -1, next: -1)
    let place = free.popLast() ?? nodes.count
    if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
    places[key] = place
    cost += newCost
    append(place)
    return gone
  }

  mutating func remove(_ key: Key) -> Value? {
    guard let place = places.removeValue(forKey: key), let node = nodes[place] else { return nil }
    unlink(place)
    nodes[place] = nil
    free.append(place)
    cost -= node.cost
    return node.value
  }

  /// - Returns: An empty ring with the same limits and statistics.
  func emptied() -> ClockRing {
    var empty = ClockRing(limits)
    empty.statistics = statistics
    return empty
  }

  /// Each node is skipped at most once, so the loop ends.
  mutating func trim(toCost costLimit: Int, count countLimit: Int) -> [Value] {
    var gone: [Value] = []
    while cost > costLimit || count > max(0, countLimit), first >= 0 {
      let place = first
      if nodes[place]!.wasRead {
        nodes[place]!.wasRead = false
        unlink(place)
        append(place)
      } else if let value = remove(nodes[place]!.key) {
        statistics.evictions += 1
        gone.append(value)
      }
    }
    return gone
  }

  mutating func removeExpired(_ now: ContinuousClock.Instant) -> [Value] {
    let over = nodes.compactMap { $0.flatMap { $0.isOver(now) ? $0.key : nil } }
    statistics.expirations += over.count
    return over.compactMap { remove($0) }
  }

  // MARK: Lifetimes

  private mutating func prolong(_ place: Int, _ now: ContinuousClock.Instant) {
    switch limits.extending {
    case .never: return
    case .byLifetime:
      if let lifetime = nodes[place]!.lifetime { nodes[place]!.deadline = now.advanced(by: lifetime.bounded) }
    case .by(let duration): nodes[place]!.deadline = now.advanced(by: duration.bounded)
    }
  }

  /// Checks only the two oldest entries, so that the cost does not depend on the count.
  private mutating func dropExpired(_ now: () -> ContinuousClock.Instant) -> [Value] {
    var gone: [Value] = []
    for _ in 0..<2 where first >= 0 {
      guard let node = nodes[first], node.deadline != nil, node.isOver(now()) else { break }
      statistics.expirations += 1
      if let value = remove(node.key) { gone.append(value) }
    }
    return gone
  }

  // MARK: The list

  private mutating func append(_ place: Int) {
    nodes[place]!.previous = last
    nodes[place]!.next = -1
    if last >= 0 { nodes[last]!.next = place } else { first = place }
    last = place
  }

  private mutating func unlink(_ place: Int) {
    let (previous, next) = (nodes[place]!.previous, nodes[place]!.next)
    if previous >= 0 { nodes[previous]!.next = next } else { first = next }
    if next >= 0 { nodes[next]!.previous = previous } else { last = previous }
  }
}
