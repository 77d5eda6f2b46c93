extension Publisher {
  /// Combines the latest values of this publisher and a collection of others as an array. See `combineLatest(_:)`.
  ///
  /// ![Marble diagram of combine-latest-many](combine-latest-many.svg)
  ///
  /// The values are in the order of the publishers.
  @_disfavoredOverload
  @inlinable
  public func combineLatest<Others: Collection>(with others: Others) -> AnyPublisher<[Output], Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    ([eraseToAnyPublisher()] + others.map { $0.eraseToAnyPublisher() }).combineLatest()
  }

  /// Combines the latest values of this publisher and several others of one type as an array. See
  /// `combineLatest(_:)`.
  ///
  /// ![Marble diagram of combine-latest-many](combine-latest-many.svg)
  @_disfavoredOverload
  @inlinable
  public func combineLatest<Other: Publisher>(with others: Other...) -> AnyPublisher<[Output], Failure>
  where Other.Output == Output, Other.Failure == Failure {
    combineLatest(with: others)
  }
}

extension Collection where Element: Publisher {
  /// Combines the latest values of these publishers as an array, each time one of them sends a value.
  ///
  /// ![Marble diagram of combine-latest-many](combine-latest-many.svg)
  ///
  /// The values are in the order of the publishers. Nothing is sent until each publisher has sent a value. A value that
  /// arrives during the delivery of an array makes none: it is in the next one. Of the arrays without demand, only the newest
  /// is kept, for the next request. The stream finishes when all publishers have finished, and fails with the first failure.
  /// An empty collection finishes at once.
  ///
  /// - Complexity: O(1) for each value under unlimited demand, if the array before is not retained any more. Otherwise O(*n*)
  ///   for *n* publishers.
  @_disfavoredOverload
  @inlinable
  public func combineLatest() -> AnyPublisher<[Element.Output], Element.Failure> {
    MorePublishers.CombineLatestMany(self).eraseToAnyPublisher()
  }
}

extension MorePublishers {
  /// The publisher returned by ``Swift/Collection/combineLatest()``.
  public struct CombineLatestMany<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publishers, in the order of the arrays' elements.
    public let publishers: [Upstream]

    /// Creates a publisher that combines the latest values of a sequence of publishers.
    @inlinable
    public init<Upstreams: Swift.Sequence>(_ publishers: Upstreams) where Upstreams.Element == Upstream {
      self.publishers = Array(publishers)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      if publishers.isEmpty { return Empty().receive(subscriber: subscriber) }
      let join = Join(
        "CombineLatest", .showsLatest, LatestValues<Upstream.Output>(count: publishers.count),
        arity: publishers.count, zeroDemand: .passes, isExhausted: { $0.isMissing($1) },
        to: RowOutlet(to: subscriber) { join in
          join.withSlots { $0.silent == 0 ? $0.row : nil }.map { join.send($0, to: subscriber) }
        })
      join.start(publishers, for: subscriber) { $0.replace($1, with: $2) }
    }
  }
}

/// The latest value of each upstream.
@frozen @usableFromInline
struct LatestValues<Value> {
  @usableFromInline var first: [Value?]
  /// The values, once all upstreams have sent one. It is changed in place unless a subscriber retains it.
  @usableFromInline var row: [Value] = []
  /// How many upstreams have sent no value.
  @usableFromInline var silent: Int

  @inlinable
  init(count: Int) {
    first = Array(repeating: nil, count: count)
    silent = count
  }

  @inlinable
  func isMissing(_ index: Int) -> Bool { silent > 0 && first[index] == nil }

  @inlinable
  mutating func replace(_ index: Int, with value: Value) -> Value? {
    if silent == 0 {
      let old = row[index]
      row[index] = value
      return old
    }
    let old = first[index]
    first[index] = value
    if old == nil { silent -= 1 }
    if silent == 0 {
      row = first.compactMap { $0 }
      first = []
    }
    return old
  }
}
