extension Publisher {
  /// Sends rows of one value of this publisher and of each of the others.
  ///
  /// The values come in the order of the publishers. Otherwise this is ``zip(_:)``.
  @_disfavoredOverload
  @inlinable
  public func zip<Others: Collection>(with others: Others) -> AnyPublisher<[Output], Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    ([eraseToAnyPublisher()] + others.map { $0.eraseToAnyPublisher() }).zip()
  }

  /// The same with others that are listed.
  @_disfavoredOverload
  @inlinable
  public func zip<Other: Publisher>(with others: Other...) -> AnyPublisher<[Output], Failure>
  where Other.Output == Output, Other.Failure == Failure {
    zip(with: others)
  }
}

extension Collection where Element: Publisher {
  /// Sends rows of one value of each of these publishers.
  ///
  /// ```
  /// 0       -a-b----c-|
  /// 1       ---1-2------|
  /// result  ---[a1][b2]-|
  /// ```
  ///
  /// The values come in the order of the publishers; what comes early waits. The stream finishes when a publisher that
  /// has finished has none left – at once, if there are no publishers – and fails with the first failure.
  ///
  /// - Complexity: O(*n*) for each row of *n* publishers. Keeps what is ahead of the slowest.
  @_disfavoredOverload
  @inlinable
  public func zip() -> AnyPublisher<[Element.Output], Element.Failure> {
    MorePublishers.ZipMany(self).eraseToAnyPublisher()
  }
}

extension MorePublishers {
  /// The publisher of ``Swift/Collection/zip()``.
  public struct ZipMany<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// Those whose values are paired, in the order of the arrays that are sent.
    public let publishers: [Upstream]

    /// The publishers of a sequence.
    @inlinable
    public init<Upstreams: Swift.Sequence>(_ publishers: Upstreams) where Upstreams.Element == Upstream {
      self.publishers = Array(publishers)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("Zip", for: subscriber) { desk in
        let rows = Rows<Upstream.Output>(publishers.map { _ in DeskLink(asking: desk.demand) })
        desk.whenAsked { desk in
          desk.sendRows(of: rows)
          rows.ask(for: desk.demand)
        }
        for (index, publisher) in publishers.enumerated() {
          desk.open(publisher, rows.links[index]) { value in
            rows.add(value, at: index)
            desk.sendRows(of: rows)
          } ended: { completion in
            rows.hasFinished[index] = true
            if completion.isFailure || rows.queues[index].isEmpty { desk.finish(completion) }
          }
        }
        if publishers.isEmpty { desk.finish(.finished) }
      }
    }
  }
}

/// What came of each upstream and waits for its row.
@usableFromInline
final class Rows<Value> {
  @usableFromInline let links: [DeskLink]
  @exclusivity(unchecked)  // inside the desk's reception only
  @usableFromInline var queues: [Fifo<Value>]
  @exclusivity(unchecked)  // as above
  @usableFromInline var hasFinished: [Bool]
  @exclusivity(unchecked)  // as above
  @usableFromInline var emptyCount: Int

  @usableFromInline
  init(_ links: [DeskLink]) {
    self.links = links
    queues = links.map { _ in Fifo() }
    hasFinished = links.map { _ in false }
    emptyCount = links.count
  }

  @inlinable
  func add(_ value: Value, at index: Int) {
    if queues[index].isEmpty { emptyCount -= 1 }
    queues[index].append(value)
  }

  /// Asks each for so many that it owes, with those that wait, `demand`.
  @usableFromInline
  func ask(for demand: Subscribers.Demand) {
    for (index, link) in links.enumerated() {
      link.raise(to: demand.max.map { .max(Swift.max(0, $0 - queues[index].count)) } ?? .unlimited)
    }
  }

  @inlinable
  func takeRow() -> [Value] {
    let row = queues.indices.compactMap { queues[$0].popFirst() }
    emptyCount = queues.count(where: \.isEmpty)
    return row
  }

  @usableFromInline
  var isExhausted: Bool { queues.indices.contains { hasFinished[$0] && queues[$0].isEmpty } }
}

extension Desk {
  /// Sends the rows that are complete, as far as they are asked for.
  @inlinable
  func sendRows<Value>(of rows: Rows<Value>) where Output == [Value] {
    while demand > .none, rows.emptyCount == 0, !isEnding {
      let row = rows.takeRow()
      emit(row)
      if rows.isExhausted { finish(.finished) }
    }
  }
}
