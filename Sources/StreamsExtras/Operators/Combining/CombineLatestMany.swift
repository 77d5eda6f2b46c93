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
        var first = [Upstream.Output?](repeating: nil, count: publishers.count)
        // Once all have sent. It is changed in place unless a subscriber retains it.
        var latest: [Upstream.Output] = []
        var (silent, open) = (publishers.count, publishers.count)
        let handles = publishers.map { _ in UpstreamHandle(requesting: core.outstandingDemand) }
        // An array without demand: the next request sends the newest.
        var hasNews = false
        var isSending = false
        // An upstream may have spent its demand on values without a row of their own.
        let raiseDemand = { (core: OperatorCore<Downstream>) in
          for handle in handles { handle.raiseDemand(to: core.outstandingDemand) }
        }
        let send = { (core: OperatorCore<Downstream>) in
          let isUnlimited = core.outstandingDemand.isUnlimited
          hasNews = false
          isSending = true
          core.offer(latest)
          isSending = false
          if !isUnlimited { raiseDemand(core) }
        }
        core.onRequest { core, _ in
          if isSending { return }
          raiseDemand(core)
          if hasNews, core.outstandingDemand > .none { send(core) }
        }
        for (index, publisher) in publishers.enumerated() {
          core.subscribe(to: publisher, handles[index]) { value in
            // A value that is replaced is released last: releasing it may call back.
            var old: Upstream.Output?
            if silent == 0 {
              old = latest[index]
              latest[index] = value
            } else {
              old = first[index]
              first[index] = value
              if old == nil { silent -= 1 }
              guard silent == 0 else { return }
              latest = first.compactMap { $0 }
              first = []
            }
            if isSending { return }  // it makes no row, as with two publishers
            if core.outstandingDemand > .none {
              send(core)
            } else {
              if hasNews, let old { Drops.note(old, by: core, because: .superseded) }
              hasNews = true
            }
            withExtendedLifetime(old) {}
          } onCompletion: { completion in
            open -= 1
            if open == 0, hasNews, !completion.isFailure { core.emit(latest) }
            if open == 0 || completion.isFailure { core.finish(completion) }
          }
        }
        if publishers.isEmpty { core.finish(.finished) }
      }
    }
  }
}
