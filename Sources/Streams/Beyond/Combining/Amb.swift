extension Publisher {
  /// Listens to whichever of two publishers sends something first – a value or its end – and to no other.
  ///
  /// ```
  /// self    ----1--2-|
  /// other   --a---b----|
  /// result  --a---b----|
  /// ```
  ///
  /// Until that is decided each is asked for one value, if there is demand; the rest is asked of the winner. The loser
  /// is cancelled. If this publisher wins while it is being subscribed to, `other` is not subscribed to at all.
  @_disfavoredOverload
  @inlinable
  public func amb<Other: Publisher>(_ other: Other) -> MorePublishers.Amb<Self, Other>
  where Other.Output == Output, Other.Failure == Failure {
    MorePublishers.Amb(first: self, second: other)
  }

  /// The same with several others.
  @_disfavoredOverload
  @inlinable
  public func amb<Other: Publisher>(with others: Other...) -> AnyPublisher<Output, Failure>
  where Other.Output == Output, Other.Failure == Failure {
    amb(with: others)
  }

  /// The same with the others of a collection.
  @_disfavoredOverload
  @inlinable
  public func amb<Others: Collection>(with others: Others) -> AnyPublisher<Output, Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    if others.isEmpty { return eraseToAnyPublisher() }
    return amb(MorePublishers.AmbMany(others)).eraseToAnyPublisher()
  }
}

extension Collection where Element: Publisher {
  /// Listens to whichever of these publishers sends something first. Without any, it finishes at once.
  ///
  /// See ``Publisher/amb(_:)``.
  @_disfavoredOverload
  @inlinable
  public func amb() -> AnyPublisher<Element.Output, Element.Failure> {
    MorePublishers.AmbMany(self).eraseToAnyPublisher()
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/amb(_:)``.
  public struct Amb<First: Publisher, Second: Publisher>: Publisher
  where First.Output == Second.Output, First.Failure == Second.Failure {
    public typealias Output = First.Output
    public typealias Failure = First.Failure

    /// The publisher that is subscribed to first.
    public let first: First
    /// The publisher that is subscribed to if the other has not won by then.
    public let second: Second

    /// The same as `first.amb(second)`.
    @inlinable
    public init(first: First, second: Second) {
      self.first = first
      self.second = second
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("Amb", for: subscriber) { desk in
        let contest = desk.contest()
        desk.enter(first, in: contest)
        desk.enter(second, in: contest)
      }
    }
  }

  /// The publisher of ``Swift/Collection/amb()``.
  public struct AmbMany<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// Those that compete, subscribed to in this order.
    public let publishers: [Upstream]

    /// The publishers of a sequence.
    @inlinable
    public init<Upstreams: Swift.Sequence>(_ publishers: Upstreams) where Upstreams.Element == Upstream {
      self.publishers = Array(publishers)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("Amb", for: subscriber) { desk in
        let contest = desk.contest()
        for publisher in publishers { desk.enter(publisher, in: contest) }
        if publishers.isEmpty { desk.finish(.finished) }
      }
    }
  }
}

/// Who takes part, until it is decided.
@usableFromInline
final class Contest {
  @exclusivity(unchecked)  // inside the desk's reception only
  @usableFromInline var contestants: [DeskLink] = []
  @exclusivity(unchecked)  // as above
  @usableFromInline var isDecided = false

  @usableFromInline init() {}
}

extension Desk {
  @usableFromInline
  func contest() -> Contest {
    let contest = Contest()
    whenAsked { desk in
      if desk.demand == .none { return }
      for link in contest.contestants where !contest.isDecided { link.raise(to: .max(1)) }
    }
    return contest
  }

  @inlinable
  func enter<Upstream: Publisher>(_ publisher: Upstream, in contest: Contest)
  where Upstream.Output == Output, Upstream.Failure == Failure {
    if contest.isDecided { return }
    let link = DeskLink(asking: demand > .none ? .max(1) : .none)
    contest.contestants.append(link)
    open(publisher, link) { value in
      self.award(link, in: contest)
      self.emit(value)
    } ended: { completion in
      self.award(link, in: contest)
      self.finish(completion)
    }
  }

  @usableFromInline
  func award(_ link: DeskLink, in contest: Contest) {
    if contest.isDecided { return }
    contest.isDecided = true
    for other in contest.contestants where other !== link { close(other) }
    contest.contestants = []
    lead = link
  }
}
