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
      OperatorCore.start("Zip", for: subscriber) { core in
        let rows = Rows<Upstream.Output>(publishers.map { _ in UpstreamHandle() })
        core.onRequest { core, _ in
          core.sendRows(of: rows)
          rows.ask(for: core.outstandingDemand)
        }
        for (index, publisher) in publishers.enumerated() {
          let upstream = ZipUpstream(upstream: publisher) { isPulled in
            core.perform { rows.open(index, isPulled: isPulled, demand: core.outstandingDemand) }
          }
          core.subscribe(to: upstream, rows.handles[index]) { value in
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
  /// Whether the values of an upstream wait for demand, however late it comes; `nil` before its subscription.
  @exclusivity(unchecked)  // as above
  @usableFromInline var isPulled: [Bool?]

  @usableFromInline
  init(_ handles: [UpstreamHandle]) {
    self.handles = handles
    queues = handles.map { _ in RingQueue() }
    hasFinished = handles.map { _ in false }
    emptyCount = handles.count
    isPulled = handles.map { _ in nil }
  }

  @inlinable
  func add(_ value: Value, at index: Int) {
    if queues[index].isEmpty { emptyCount -= 1 }
    queues[index].append(value)
  }

  @inlinable
  func open(_ index: Int, isPulled: Bool, demand: Subscribers.Demand) {
    guard self.isPulled[index] == nil else { return }  // law H24
    self.isPulled[index] = isPulled
    if isPulled { pull(index, for: demand) } else { ask(index, for: demand) }
  }

  /// Requests of each upstream what is missing for `demand`.
  @inlinable
  func ask(for demand: Subscribers.Demand) {
    for (index, isPulled) in isPulled.enumerated() {
      if isPulled == true { pull(index, for: demand) } else if isPulled == false { ask(index, for: demand) }
    }
  }

  /// Requests as many values as make `demand` together with those that wait.
  @inlinable
  func ask(_ index: Int, for demand: Subscribers.Demand) {
    handles[index].raiseDemand(
      to: demand.max.map { .max(Swift.max(0, $0 - queues[index].count)) } ?? .unlimited)
  }

  /// Requests a few values ahead, several at once: each request costs as much as some values.
  @inlinable
  func pull(_ index: Int, for demand: Subscribers.Demand) {
    let wanted = Swift.min(32, demand.max ?? .max)
    let missing = wanted - handles[index].owed - queues[index].count
    if missing >= Swift.min(wanted, 8) { handles[index].requestMore(.max(missing)) }
  }

  /// Requests more of the upstreams of which a few values are requested ahead.
  @inlinable
  func pullMore(for demand: Subscribers.Demand) {
    for (index, isPulled) in isPulled.enumerated() where isPulled == true { pull(index, for: demand) }
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
      if rows.isExhausted { finish(.finished) } else { rows.pullMore(for: outstandingDemand) }
    }
  }
}

/// An upstream of `zip` that notes whether its values wait for demand.
@frozen @usableFromInline
struct ZipUpstream<Upstream: Publisher>: Publisher {
  @usableFromInline typealias Output = Upstream.Output
  @usableFromInline typealias Failure = Upstream.Failure

  @usableFromInline let upstream: Upstream
  @usableFromInline let onArrival: (Bool) -> Void

  @inlinable
  init(upstream: Upstream, onArrival: @escaping (Bool) -> Void) {
    self.upstream = upstream
    self.onArrival = onArrival
  }

  @inlinable
  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    upstream.attach(ZipSubscriber(downstream: subscriber, onArrival: onArrival))
  }
}

@frozen @usableFromInline
struct ZipSubscriber<Downstream: Subscriber>: StatelessSubscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let onArrival: (Bool) -> Void

  @inlinable
  init(downstream: Downstream, onArrival: @escaping (Bool) -> Void) {
    self.downstream = downstream
    self.onArrival = onArrival
  }

  @inlinable
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
    onArrival(isPulled(subscription))
  }
}
