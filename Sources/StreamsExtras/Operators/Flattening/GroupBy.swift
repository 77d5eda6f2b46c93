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
  /// A group is sent with its first value. It buffers up to `buffer` values for a later subscriber. Everything is
  /// requested from this publisher. Its completion ends all groups the same way, and a cancellation finishes them.
  /// Traps if `maxGroups` is less than one.
  ///
  /// - Parameters:
  ///   - maxGroups: The maximum number of open groups. A new key beyond that finishes the group with the oldest last
  ///     value. A later value with its key opens another group.
  ///   - buffer: The number of values that a group buffers.
  ///   - key: Returns the key of a value. Called once for each value.
  /// - Complexity: O(1) for each value. O(*n*) if a group of *n* is finished to make room. Keeps the groups that downstream
  ///   has not requested, without a bound, finished or not.
  @_disfavoredOverload
  public func groupBy<Key: Hashable>(
    maxGroups: Int, buffer: Int = 256, _ key: @escaping (Output) -> Key
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
    /// The number of values that a group buffers for a later subscriber.
    public let buffer: Int
    @usableFromInline let key: (Upstream.Output) -> Key

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (key, maxGroups, buffer) = (key, maxGroups, buffer)
      OperatorCore.start("GroupBy", for: subscriber) { core in
        typealias Group = ReplaySubject<Upstream.Output, Failure>
        var groups: [Key: (subject: Group, touched: Int)] = [:]
        var number = 0
        let closeAll = { (completion: Subscribers.Completion<Failure>) in
          let all = groups
          groups = [:]
          for group in all.values { group.subject.send(completion: completion) }
        }
        core.onCancel { closeAll(.finished) }
        core.subscribe(to: upstream, UpstreamHandle(requesting: .unlimited)) { value in
          let key = key(value)
          number += 1
          if let group = groups[key]?.subject {
            groups[key]?.touched = number
            return group.send(value)
          }
          let isFull = groups.count == maxGroups
          let oldest = isFull ? groups.min(by: { $0.value.touched < $1.value.touched }) : nil
          if let oldest { groups[oldest.key] = nil }
          let group = Group(bufferSize: buffer)
          groups[key] = (group, number)
          group.send(value)
          oldest?.value.subject.send(completion: .finished)  // last: it may send a value of this key
          core.emit(GroupedPublisher(key: key, subject: group))
        } onCompletion: { completion in
          closeAll(completion)
          core.finish(completion)
        }
      }
    }
  }
}
