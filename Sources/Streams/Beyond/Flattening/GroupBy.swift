/// The values of a stream that have a key in common. See ``Publisher/groupBy(maxGroups:buffer:_:)``.
public struct GroupedPublisher<Key: Hashable, Output, Failure: Error>: Publisher {
  /// What the values have in common.
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
  /// Sends a publisher for each key that values have: of the values with this key.
  ///
  /// ```
  /// self    -a1-b2-a3-|
  /// result  -a--b-----|         groupBy { $0.letter }
  /// a       -a1----a3-|
  /// b           b2----|
  /// ```
  ///
  /// A group is sent with its first value. It keeps up to `buffer` values for who subscribes to it later. This publisher
  /// is asked for everything. Its end ends all groups the same way; a cancellation finishes them. Traps if `maxGroups`
  /// is less than one.
  ///
  /// - Parameters:
  ///   - maxGroups: How many groups may be open. A new key beyond that finishes the group that has been silent for the
  ///     longest; a value for it later begins another group.
  ///   - buffer: How many values a group keeps.
  ///   - key: Called once for each value.
  /// - Complexity: O(1) for each value; O(*n*) when a group is finished to make room in *n* groups.
  @_disfavoredOverload
  public func groupBy<Key: Hashable>(
    maxGroups: Int, buffer: Int = 256, _ key: @escaping (Output) -> Key
  ) -> MorePublishers.GroupBy<Self, Key> {
    if maxGroups < 1 { Violation.emptyGroup(maxGroups) }
    return MorePublishers.GroupBy(upstream: self, maxGroups: maxGroups, buffer: buffer, key: key)
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/groupBy(maxGroups:buffer:_:)``.
  public struct GroupBy<Upstream: Publisher, Key: Hashable>: Publisher {
    public typealias Output = GroupedPublisher<Key, Upstream.Output, Upstream.Failure>
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are sorted into groups.
    public let upstream: Upstream
    /// How many groups may be open at once.
    public let maxGroups: Int
    /// How many values a group keeps for those who subscribe to it later.
    public let buffer: Int
    @usableFromInline let key: (Upstream.Output) -> Key

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (key, maxGroups, buffer) = (key, maxGroups, buffer)
      Desk.start("GroupBy", for: subscriber) { desk in
        typealias Group = ReplaySubject<Upstream.Output, Failure>
        var groups: [Key: (subject: Group, touched: Int)] = [:]
        var number = 0
        let closeAll = { (completion: Subscribers.Completion<Failure>) in
          let all = groups
          groups = [:]
          for group in all.values { group.subject.send(completion: completion) }
        }
        desk.keepOnCancel(Departing { closeAll(.finished) })
        desk.open(upstream, DeskLink(asking: .unlimited)) { value in
          let key = key(value)
          number += 1
          if let group = groups[key]?.subject {
            groups[key]?.touched = number
            return group.send(value)
          }
          if groups.count == maxGroups, let oldest = groups.min(by: { $0.value.touched < $1.value.touched }) {
            groups[oldest.key] = nil
            oldest.value.subject.send(completion: .finished)
          }
          let group = Group(bufferSize: buffer)
          groups[key] = (group, number)
          group.send(value)
          desk.emit(GroupedPublisher(key: key, subject: group))
        } ended: { completion in
          closeAll(completion)
          desk.finish(completion)
        }
      }
    }
  }
}
