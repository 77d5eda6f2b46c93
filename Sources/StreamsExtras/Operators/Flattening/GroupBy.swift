/// A publisher of the values that have one key. See ``Streams/Publisher/groupBy(maxGroups:buffer:_:)``.
public struct GroupedPublisher<Key: Hashable, Output, Failure: Error>: Publisher {
  /// The key of the values.
  public let key: Key

  @usableFromInline let subject: ReplaySubject<Output, Failure>

  @inlinable
  init(key: Key, subject: ReplaySubject<Output, Failure>) {
    self.key = key
    self.subject = subject
  }

  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    subject.subscribe(subscriber)
  }
}

extension Publisher {
  /// Sends a publisher for each key, which sends the values with this key.
  ///
  /// ![Marble diagram of group-by](group-by.svg)
  ///
  /// A group is sent with its first value. While it has no subscriber, it keeps its values, and the next subscriber receives
  /// them. Everything is requested from this publisher. Its completion ends all groups the same way, and a cancellation
  /// finishes them. Traps if `maxGroups` is less than one.
  ///
  /// - Parameters:
  ///   - maxGroups: The maximum number of open groups. A new key beyond that finishes the group with the oldest last
  ///     value. A later value with its key opens another group.
  ///   - buffer: The largest number of values that a group keeps. The oldest is dropped to make room, and reported as
  ///     dropped. By default, a group keeps all values.
  ///   - key: Returns the key of a value. Called once for each value.
  /// - Complexity: O(1) for each value, amortized. Keeps the groups that downstream has not requested, without a bound,
  ///   finished or not, and the values of those without a subscriber.
  @_disfavoredOverload
  public func groupBy<Key: Hashable>(
    maxGroups: Int, buffer: Int = .max, _ key: @escaping (Output) -> Key
  ) -> MorePublishers.GroupBy<Self, Key> {
    if maxGroups < 1 { Violation.emptyGroup(maxGroups) }
    return MorePublishers.GroupBy(upstream: self, maxGroups: maxGroups, buffer: buffer, key: key)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/groupBy(maxGroups:buffer:_:)``.
  public struct GroupBy<Upstream: Publisher, Key: Hashable>: Publisher {
    public typealias Output = GroupedPublisher<Key, Upstream.Output, Upstream.Failure>
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are grouped.
    public let upstream: Upstream
    /// The maximum number of open groups.
    public let maxGroups: Int
    /// The largest number of values that a group keeps while it has no subscriber.
    public let buffer: Int
    @usableFromInline let key: (Upstream.Output) -> Key

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (key, maxGroups, buffer) = (key, maxGroups, buffer)
      OperatorCore.start("GroupBy", for: subscriber) { core in
        typealias Group = ReplaySubject<Upstream.Output, Failure>
        var groups = RecentlyUsed<Key, Group>()
        let closeAll = { (completion: Subscribers.Completion<Failure>) in
          let all = groups.entries.values
          groups = RecentlyUsed()
          for group in all { group.value.send(completion: completion) }
        }
        core.onCancel { closeAll(.finished) }
        core.subscribe(to: upstream, UpstreamHandle(requesting: .unlimited)) { value in
          let key = key(value)
          if let group = groups.use(key) { return group.send(value) }
          let oldest = groups.entries.count == maxGroups ? groups.removeLeastRecent() : nil
          let group = Group(keeping: buffer) { [weak core] in core?.drop($0, because: .full) }
          groups.add(group, for: key)
          group.send(value)
          core.emit(GroupedPublisher(key: key, subject: group))
          oldest?.send(completion: .finished)  // last: it may send a value of this key, or end this publisher
        } onCompletion: { completion in
          closeAll(completion)
          core.finish(completion)
        }
      }
    }
  }
}

extension GroupedPublisher: Sendable where Key: Sendable, Output: Sendable {}

/// Values by key, in the order of their last uses. Each operation takes constant time, amortized.
@usableFromInline
struct RecentlyUsed<Key: Hashable, Value> {
  @usableFromInline
  final class Entry {
    @usableFromInline let key: Key
    @usableFromInline let value: Value
    @usableFromInline var lastUse = 0

    @inlinable
    init(_ key: Key, _ value: Value) { (self.key, self.value) = (key, value) }
  }

  @usableFromInline var entries: [Key: Entry] = [:]
  /// The oldest first. Only the last use of an entry counts.
  @usableFromInline var uses = RingQueue<(entry: Entry, number: Int)>()
  @usableFromInline var number = 0

  @inlinable
  init() {}

  @inlinable
  mutating func use(_ key: Key) -> Value? {
    guard let entry = entries[key] else { return nil }
    note(entry)
    return entry.value
  }

  @inlinable
  mutating func add(_ value: Value, for key: Key) {
    let entry = Entry(key, value)
    entries[key] = entry
    note(entry)
  }

  @inlinable
  mutating func removeLeastRecent() -> Value? {
    while let (entry, number) = uses.popFirst() {
      guard entry.lastUse == number else { continue }
      entries[entry.key] = nil
      return entry.value
    }
    return nil
  }

  @inlinable
  mutating func note(_ entry: Entry) {
    number += 1
    entry.lastUse = number
    uses.append((entry, number))
    guard uses.count > 2 * entries.count + 16 else { return }
    var last = RingQueue<(entry: Entry, number: Int)>()
    uses.forEach { if $0.entry.lastUse == $0.number { last.append($0) } }
    uses = last
  }
}
