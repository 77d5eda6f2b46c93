/// Values by key, within limits. When one is passed, what was used longest ago goes.
///
/// - Complexity: O(1) for everything, and O(1) for each value that goes.
struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    let value: Value
    let cost: Int
    var older: Key?
    var newer: Key?
  }

  let countLimit: Int
  let costLimit: Int
  private(set) var totalCost = 0
  var count: Int { entries.count }

  private var entries: [Key: Entry] = [:]
  private var oldest: Key?
  private var newest: Key?

  init(countLimit: Int, costLimit: Int) {
    self.countLimit = countLimit
    self.costLimit = costLimit
  }

  /// Counts as use.
  mutating func value(for key: Key) -> Value? {
    guard let entry = remove(key) else { return nil }
    append(entry.value, cost: entry.cost, for: key)
    return entry.value
  }

  /// What costs more than there is room is not kept, and neither is what it was to replace.
  mutating func insert(_ value: Value, cost: Int, for key: Key) {
    remove(key)
    guard cost <= costLimit, countLimit > 0 else { return }
    append(value, cost: cost, for: key)
    while totalCost > costLimit || count > countLimit, let oldest { remove(oldest) }
  }

  /// - Returns: What was there.
  @discardableResult
  mutating func remove(_ key: Key) -> (value: Value, cost: Int)? {
    guard let entry = entries.removeValue(forKey: key) else { return nil }
    if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
    if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
    totalCost -= entry.cost
    return (entry.value, entry.cost)
  }

  mutating func removeAll() { self = LeastRecentlyUsed(countLimit: countLimit, costLimit: costLimit) }

  private mutating func append(_ value: Value, cost: Int, for key: Key) {
    entries[key] = Entry(value: value, cost: cost, older: newest)
    if let newest { entries[newest]?.newer = key } else { oldest = key }
    newest = key
    totalCost += cost
  }
}
