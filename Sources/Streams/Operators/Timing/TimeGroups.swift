/// The values of ``Publishers/CollectByTime``, in groups: collected, full, and on their way.
struct TimeGroups<Value, Failure: Error> {
  enum Delivery {
    case group([Value])
    case completion(Subscribers.Completion<Failure>)
  }

  var collected: [Value] = []
  /// Full groups without demand.
  var full = RingQueue<[Value]>()
  /// Groups that are due and requested. The scheduler delivers them.
  var outbox = RingQueue<[Value]>()
  /// The demand, without the groups in the outbox.
  var demand = Subscribers.Demand.none
  var hasAsked = false
  var ending: Subscribers.Completion<Failure>?

  mutating func add(_ value: Value, most: Int?) {
    collected.append(value)
    if collected.count == most { full.append(collected.take()) }
  }

  /// Moves full groups to the outbox, as far as they are requested. True if there was one.
  mutating func packFull() -> Bool {
    var hasPacked = false
    while demand > .none, let group = full.popFirst() {
      pack(group)
      hasPacked = true
    }
    return hasPacked
  }

  /// The same, and also with the group that is not full.
  mutating func packRest() {
    _ = packFull()
    if demand > .none, !collected.isEmpty { pack(collected.take()) }
  }

  private mutating func pack(_ group: [Value]) {
    demand -= 1
    outbox.append(group)
  }

  /// Takes all that is not in the outbox. Releasing it may run user code, which must not happen while this is accessed.
  mutating func takeRest() -> ([Value], RingQueue<[Value]>) {
    defer { (collected, full) = ([], RingQueue()) }
    return (collected, full)
  }

  mutating func next() -> Delivery? {
    if let group = outbox.popFirst() { return .group(group) }
    if full.isEmpty, collected.isEmpty, let ending = ending.take() { return .completion(ending) }
    return nil
  }
}

extension Array {
  /// Leaves nothing behind.
  fileprivate mutating func take() -> Self {
    defer { self = [] }
    return self
  }
}
