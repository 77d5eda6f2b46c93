extension Publisher {
  /// Sends the latest values of this publisher and of others, each time one of them sends.
  ///
  /// The values come in the order of the publishers. Otherwise this is ``combineLatest(_:)``.
  @_disfavoredOverload
  @inlinable
  public func combineLatest<Others: Collection>(with others: Others) -> AnyPublisher<[Output], Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    ([eraseToAnyPublisher()] + others.map { $0.eraseToAnyPublisher() }).combineLatest()
  }

  /// The same with others that are listed.
  @_disfavoredOverload
  @inlinable
  public func combineLatest<Other: Publisher>(with others: Other...) -> AnyPublisher<[Output], Failure>
  where Other.Output == Output, Other.Failure == Failure {
    combineLatest(with: others)
  }
}

extension Collection where Element: Publisher {
  /// Sends the latest values of all these publishers, each time one of them sends, once each has sent one.
  ///
  /// ```
  /// 0       -a-----b--|
  /// 1       ---1-2------|
  /// result  ---[a1][a2][b2]-|
  /// ```
  ///
  /// The values come in the order of the publishers. A row for which there is no demand is lost. The stream finishes
  /// when all have finished – at once, if there are none – and fails with the first failure.
  ///
  /// - Complexity: O(*n*) for each row of *n* publishers.
  @_disfavoredOverload
  @inlinable
  public func combineLatest() -> AnyPublisher<[Element.Output], Element.Failure> {
    MorePublishers.CombineLatestMany(self).eraseToAnyPublisher()
  }
}

extension MorePublishers {
  /// The publisher of ``Swift/Collection/combineLatest()``.
  public struct CombineLatestMany<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// Those whose latest values are combined, in the order of the arrays that are sent.
    public let publishers: [Upstream]

    /// The publishers of a sequence.
    @inlinable
    public init<Upstreams: Swift.Sequence>(_ publishers: Upstreams) where Upstreams.Element == Upstream {
      self.publishers = Array(publishers)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("CombineLatest", for: subscriber) { desk in
        var latest = [Upstream.Output?](repeating: nil, count: publishers.count)
        var (silent, open) = (publishers.count, publishers.count)
        let links = publishers.map { _ in DeskLink(asking: desk.demand) }
        desk.whenAsked { desk in for link in links { link.raise(to: desk.demand) } }
        for (index, publisher) in publishers.enumerated() {
          desk.open(publisher, links[index]) { value in
            let old = latest[index]
            latest[index] = value
            if old == nil { silent -= 1 }
            if silent == 0 { desk.offer(latest.compactMap { $0 }) }
          } ended: { completion in
            open -= 1
            if open == 0 || completion.isFailure { desk.finish(completion) }
          }
        }
        if publishers.isEmpty { desk.finish(.finished) }
      }
    }
  }
}
