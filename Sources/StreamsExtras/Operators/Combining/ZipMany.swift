extension Publisher {
  /// Combines the values of this publisher and a collection of others pairwise as an array. See `zip(_:)`.
  ///
  /// ![Marble diagram of zip-many](zip-many.svg)
  ///
  /// The values are in the order of the publishers.
  @_disfavoredOverload
  @inlinable
  public func zip<Others: Collection>(with others: Others) -> AnyPublisher<[Output], Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    ([eraseToAnyPublisher()] + others.map { $0.eraseToAnyPublisher() }).zip()
  }

  /// Combines the values of this publisher and several others of one type pairwise as an array. See `zip(_:)`.
  ///
  /// ![Marble diagram of zip-many](zip-many.svg)
  @_disfavoredOverload
  @inlinable
  public func zip<Other: Publisher>(with others: Other...) -> AnyPublisher<[Output], Failure>
  where Other.Output == Output, Other.Failure == Failure {
    zip(with: others)
  }
}

extension Collection where Element: Publisher {
  /// Combines the values of these publishers pairwise as an array.
  ///
  /// ![Marble diagram of zip-many](zip-many.svg)
  ///
  /// The values are in the order of the publishers, and early values wait. The stream finishes when a publisher has
  /// finished and none of its values is waiting. It fails with the first failure. An empty collection finishes at once.
  ///
  /// Of a sequence, at most 32 elements are requested ahead, so it may be endless. See `zip(_:)`.
  ///
  /// - Complexity: O(*n*) for each array of *n* publishers. Keeps the values that are ahead of the slowest publisher.
  @_disfavoredOverload
  @inlinable
  public func zip() -> AnyPublisher<[Element.Output], Element.Failure> {
    MorePublishers.ZipMany(self).eraseToAnyPublisher()
  }
}

extension MorePublishers {
  /// The publisher returned by ``Swift/Collection/zip()``.
  public struct ZipMany<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publishers, in the order of the arrays' elements.
    public let publishers: [Upstream]

    /// Creates a publisher that combines the values of a sequence of publishers pairwise.
    @inlinable
    public init<Upstreams: Swift.Sequence>(_ publishers: Upstreams) where Upstreams.Element == Upstream {
      self.publishers = Array(publishers)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      if publishers.isEmpty { return Empty().receive(subscriber: subscriber) }
      let join = Join(
        "Zip", .takesOneOfEach, WaitingValues<Upstream.Output>(count: publishers.count),
        arity: publishers.count, zeroDemand: .passes, isExhausted: { $0.queues[$1].isEmpty },
        to: RowOutlet(to: subscriber) { join in
          guard let row = join.withSlots({ $0.takeRow() }) else { return nil }
          return join.send(row, to: subscriber)
        })
      join.start(publishers, for: subscriber) { $0.add($2, at: $1) }
    }
  }
}

/// The values of each upstream that wait for their row.
@frozen @usableFromInline
struct WaitingValues<Value> {
  @usableFromInline var queues: [RingQueue<Value>]
  @usableFromInline var emptyCount: Int

  @inlinable
  init(count: Int) {
    queues = (0..<count).map { _ in RingQueue() }
    emptyCount = count
  }

  @inlinable
  mutating func add(_ value: Value, at index: Int) -> Value? {
    if queues[index].isEmpty { emptyCount -= 1 }
    queues[index].append(value)
    return nil
  }

  @inlinable
  mutating func takeRow() -> [Value]? {
    guard emptyCount == 0 else { return nil }
    let row = queues.indices.map { queues[$0].removeFirst() }
    emptyCount = queues.count { $0.isEmpty }
    return row
  }
}
