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
      OperatorCore.start("CombineLatest", for: subscriber) { core in
        let latest = LatestValues<Upstream.Output>(
          publishers.map { _ in UpstreamHandle(requesting: core.outstandingDemand) })
        core.onRequest { core, _ in
          if latest.isSending { return }
          latest.raiseDemand(to: core.outstandingDemand)
          if latest.isNews, core.outstandingDemand > .none { core.sendRow(of: latest) }
        }
        for (index, publisher) in publishers.enumerated() {
          core.subscribe(to: publisher, latest.handles[index]) { value in
            // A value that is replaced is released last: releasing it may call back.
            let old = latest.replace(index, with: value)
            guard latest.silent == 0, !latest.isSending else { return }
            if core.outstandingDemand > .none {
              core.sendRow(of: latest)
            } else {
              if latest.isNews, let old { Drops.note(old, by: core, because: .superseded) }
              latest.isNews = true
            }
            withExtendedLifetime(old) {}
          } onCompletion: { completion in
            latest.open -= 1
            if latest.open == 0, latest.isNews, !completion.isFailure { core.emit(latest.row) }
            if latest.open == 0 || completion.isFailure { core.finish(completion) }
          }
        }
        if publishers.isEmpty { core.finish(.finished) }
      }
    }
  }
}

/// The latest value of each upstream.
@usableFromInline
final class LatestValues<Value> {
  @usableFromInline let handles: [UpstreamHandle]
  @exclusivity(unchecked)  // inside the core's drain loop only, as all that follows
  @usableFromInline var first: [Value?]
  /// The values, once all upstreams have sent one. It is changed in place unless a subscriber retains it.
  @exclusivity(unchecked)
  @usableFromInline var row: [Value] = []
  /// How many upstreams have sent no value.
  @exclusivity(unchecked)
  @usableFromInline var silent: Int
  /// How many have not finished.
  @exclusivity(unchecked)
  @usableFromInline var open: Int
  /// Whether the row waits for demand.
  @exclusivity(unchecked)
  @usableFromInline var isNews = false
  @exclusivity(unchecked)
  @usableFromInline var isSending = false

  @usableFromInline
  init(_ handles: [UpstreamHandle]) {
    self.handles = handles
    first = handles.map { _ in nil }
    (silent, open) = (handles.count, handles.count)
  }

  @inlinable
  func replace(_ index: Int, with value: Value) -> Value? {
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

  /// An upstream may have spent its demand on values without a row of their own.
  @inlinable
  func raiseDemand(to demand: Subscribers.Demand) {
    for handle in handles { handle.raiseDemand(to: demand) }
  }
}

extension OperatorCore {
  @inlinable
  func sendRow<Value>(of latest: LatestValues<Value>) where Output == [Value] {
    let isUnlimited = outstandingDemand.isUnlimited
    latest.isNews = false
    latest.isSending = true
    offer(latest.row)
    latest.isSending = false
    if !isUnlimited { latest.raiseDemand(to: outstandingDemand) }
  }
}
