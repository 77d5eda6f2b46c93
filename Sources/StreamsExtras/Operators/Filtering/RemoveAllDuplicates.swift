extension Publisher where Output: Hashable {
  /// Sends each distinct value once, for values that are hashable.
  ///
  /// ```
  /// self    -1-2-1-3-2-|
  /// result  -1-2---3---|
  /// ```
  ///
  /// - Complexity: O(1) for each value on average. Each subscription keeps every distinct value until it ends.
  @_disfavoredOverload
  @inlinable
  public func removeAllDuplicates() -> MorePublishers.RemoveAllDuplicates<Self, Set<Output>> {
    MorePublishers.RemoveAllDuplicates(upstream: self, initial: []) { value, seen in
      var all: Set<Output> = []  // taken out, and so not copied: comparing calls user code
      swap(&all, &seen.value)
      defer { seen.value = all }
      return all.insert(value).inserted
    }
  }
}

extension Publisher where Output: Equatable {
  /// Sends each distinct value once, for values that are equatable.
  ///
  /// - Complexity: O(*n*) for each value, where *n* is the number of distinct values so far.
  @inlinable
  @_disfavoredOverload
  public func removeAllDuplicates() -> MorePublishers.RemoveAllDuplicates<Self, [Output]> {
    removeAllDuplicates(by: ==)
  }
}

extension Publisher {
  /// Sends each distinct value once, as `comparator` compares them.
  ///
  /// - Parameter comparator: Receives an earlier value and the new one.
  /// - Complexity: O(*n*) for each value, where *n* is the number of distinct values so far.
  @_disfavoredOverload
  @inlinable
  public func removeAllDuplicates(
    by comparator: @escaping (Output, Output) -> Bool
  ) -> MorePublishers.RemoveAllDuplicates<Self, [Output]> {
    MorePublishers.RemoveAllDuplicates(upstream: self, initial: []) { value, seen in
      var index = 0
      while index < seen.value.count {  // which grows if `comparator` sends a value
        if comparator(seen.value[index], value) { return false }
        index += 1
      }
      seen.value.append(value)
      return true
    }
  }

  /// Drops a value if its property at `keyPath` equals that of the previous value.
  @_disfavoredOverload
  @inlinable
  public func removeDuplicates<Key: Equatable>(
    at keyPath: KeyPath<Output, Key>
  ) -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates { $0[keyPath: keyPath] == $1[keyPath: keyPath] }
  }

  /// Drops a value if its key equals that of the previous value.
  ///
  /// - Parameter key: Called for both values of each comparison.
  @_disfavoredOverload
  @inlinable
  public func removeDuplicates<Key: Equatable>(
    on key: @escaping (Output) -> Key
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self) { key($0) == key($1) }
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/removeAllDuplicates(by:)``.
  public struct RemoveAllDuplicates<Upstream: Publisher, Seen>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose repeated values are dropped.
    public let upstream: Upstream
    @usableFromInline let initial: Seen
    @usableFromInline let isNew: (Output, Box<Seen>) -> Bool

    @inlinable
    init(upstream: Upstream, initial: Seen, isNew: @escaping (Output, Box<Seen>) -> Bool) {
      self.upstream = upstream
      self.initial = initial
      self.isNew = isNew
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: RemoveAllDuplicatesStage(initial, isNew), to: subscriber)
    }
  }
}

@frozen @usableFromInline
struct RemoveAllDuplicatesStage<Value, Seen>: Stage {
  @inlinable static var name: String { "RemoveAllDuplicates" }

  @usableFromInline let empty: Seen
  @usableFromInline let isNew: (Value, Box<Seen>) -> Bool

  @inlinable
  init(_ empty: Seen, _ isNew: @escaping (Value, Box<Seen>) -> Bool) {
    self.empty = empty
    self.isNew = isNew
  }

  @inlinable var initial: Box<Seen> { Box(empty) }

  @inlinable
  func receive(_ value: Value, _ seen: inout Box<Seen>) -> Step<Value> {
    isNew(value, seen) ? .emit(value) : .skip
  }
}
