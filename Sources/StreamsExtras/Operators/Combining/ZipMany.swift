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
      OperatorCore.start("Zip", for: subscriber) { core in
        let rows = Rows<Upstream.Output>(
          publishers.map { _ in UpstreamHandle(requesting: core.outstandingDemand) })
        core.onRequest { core, _ in
          core.sendRows(of: rows)
          rows.ask(for: core.outstandingDemand)
        }
        for (index, publisher) in publishers.enumerated() {
          core.subscribe(to: publisher, rows.handles[index]) { value in
            rows.add(value, at: index)
            core.sendRows(of: rows)
          } onCompletion: { completion in
            rows.hasFinished[index] = true
            if completion.isFailure || rows.queues[index].isEmpty { core.finish(completion) }
          }
        }
        if publishers.isEmpty { core.finish(.finished) }
      }
    }
  }
}

/// The values of each upstream that wait for their row.
@usableFromInline
final class Rows<Value> {
  @usableFromInline let handles: [UpstreamHandle]
  @exclusivity(unchecked)  // inside the core's drain loop only
  @usableFromInline var queues: [RingQueue<Value>]
  @exclusivity(unchecked)  // as above
  @usableFromInline var hasFinished: [Bool]
  @exclusivity(unchecked)  // as above
  @usableFromInline var emptyCount: Int

  @usableFromInline
  init(_ handles: [UpstreamHandle]) {
    self.handles = handles
    queues = handles.map { _ in RingQueue() }
    hasFinished = handles.map { _ in false }
    emptyCount = handles.count
  }

  @inlinable
  func add(_ value: Value, at index: Int) {
    if queues[index].isEmpty { emptyCount -= 1 }
    queues[index].append(value)
  }

  /// Requests of each upstream as many values as make `demand` together with those that wait.
  @inlinable
  func ask(for demand: Subscribers.Demand) {
    for (index, handle) in handles.enumerated() {
      handle.raiseDemand(to: demand.max.map { .max(Swift.max(0, $0 - queues[index].count)) } ?? .unlimited)
    }
  }

  @inlinable
  func takeRow() -> [Value] {
    let row = queues.indices.compactMap { queues[$0].popFirst() }
    emptyCount = queues.count { $0.isEmpty }
    return row
  }

  @inlinable
  var isExhausted: Bool { queues.indices.contains { hasFinished[$0] && queues[$0].isEmpty } }
}

extension OperatorCore {
  /// Sends the rows that are complete and requested.
  @inlinable
  func sendRows<Value>(of rows: Rows<Value>) where Output == [Value] {
    while outstandingDemand > .none, rows.emptyCount == 0, !isEnding {
      let row = rows.takeRow()
      emit(row)
      if rows.isExhausted { finish(.finished) }
    }
  }
}
