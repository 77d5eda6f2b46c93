/// The state of a ``Clock``: a dictionary into a doubly linked list that lives in an array.
///
/// The oldest is first. Whatever is thrown out is returned, so that it dies where the caller wants.
struct ClockRing<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Node: Sendable {
    let key: Key
    var value: Value
    var cost: Int
    var deadline: ContinuousClock.Instant?
    var wasRead = false
    var previous: Int
    var next: Int
  }

  var limits: Clock<Key, Value>.Limits
  private(set) var cost = 0
  var count: Int { places.count }

  private var places: [Key: Int] = [:]
  private var nodes: [Node?] = []
  private var free: [Int] = []
  private var first = -1
  private var last = -1

  init(_ limits: Clock<Key, Value>.Limits) { self.limits = limits }

  /// - Returns: The value, and what has turned out to have expired.
  mutating func value(
    for key: Key, _ now: () -> ContinuousClock.Instant
  ) -> (value: Value?, expired: Value?) {
    guard let place = places[key] else { return (nil, nil) }
    if let deadline = nodes[place]!.deadline, deadline <= now() { return (nil, remove(key)) }
    nodes[place]!.wasRead = true
    return (nodes[place]!.value, nil)
  }

  mutating func insert(
    _ value: Value, for key: Key, cost newCost: Int, lifetime: Duration?, _ now: () -> ContinuousClock.Instant
  ) -> [Value] {
    guard Double(newCost) < Double(limits.cost) * limits.entryRatio, limits.count > 0 else {
      return remove(key).map { [$0] } ?? []
    }
    let deadline = (lifetime ?? limits.lifetime).map { now().advanced(by: $0) }
    var gone: [Value] = []
    if let place = places[key] {
      gone = [nodes[place]!.value]
      cost += newCost - nodes[place]!.cost
      nodes[place]!.value = value
      nodes[place]!.cost = newCost
      nodes[place]!.deadline = deadline
      nodes[place]!.wasRead = true
      gone += trim(toCost: limits.cost, count: limits.count)
    } else {
      // Room is made before: if all others were read lately, the newcomer would be the one to go.
      gone = trim(toCost: limits.cost - newCost, count: limits.count - 1)
      let node = Node(key: key, value: value, cost: newCost, deadline: deadline, previous: -1, next: -1)
      let place = free.popLast() ?? nodes.count
      if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
      places[key] = place
      cost += newCost
      append(place)
    }
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

  /// Each node is passed over at most once, so this ends.
  mutating func trim(toCost costLimit: Int, count countLimit: Int) -> [Value] {
    var gone: [Value] = []
    while cost > costLimit || count > max(0, countLimit), first >= 0 {
      let place = first
      if nodes[place]!.wasRead {
        nodes[place]!.wasRead = false
        unlink(place)
        append(place)
      } else if let value = remove(nodes[place]!.key) {
        gone.append(value)
      }
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
