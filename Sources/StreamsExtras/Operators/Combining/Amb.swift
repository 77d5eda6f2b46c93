extension Publisher {
  /// Mirrors the first of two publishers to send a value or a completion, and cancels the other.
  ///
  /// ![Marble diagram of amb](amb.svg)
  ///
  /// Until one wins, one value is requested from each publisher if there is demand. The winner receives the remaining
  /// demand before its first value is sent. If this publisher wins while it is being subscribed to, `other` is not
  /// subscribed to.
  @_disfavoredOverload
  @inlinable
  public func amb<Other: Publisher>(_ other: Other) -> MorePublishers.Amb<Self, Other>
  where Other.Output == Output, Other.Failure == Failure {
    MorePublishers.Amb(first: self, second: other)
  }

  /// Mirrors the first of this publisher and several others to send a value or a completion. See ``amb(_:)``.
  ///
  /// ![Marble diagram of amb-many](amb-many.svg)
  @_disfavoredOverload
  @inlinable
  public func amb<Other: Publisher>(with others: Other...) -> AnyPublisher<Output, Failure>
  where Other.Output == Output, Other.Failure == Failure {
    amb(with: others)
  }

  /// Mirrors the first of this publisher and a collection of others to send a value or a completion. See ``amb(_:)``.
  ///
  /// ![Marble diagram of amb-many](amb-many.svg)
  @_disfavoredOverload
  @inlinable
  public func amb<Others: Collection>(with others: Others) -> AnyPublisher<Output, Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    if others.isEmpty { return eraseToAnyPublisher() }
    return amb(MorePublishers.AmbMany(others)).eraseToAnyPublisher()
  }
}

extension Collection where Element: Publisher {
  /// Mirrors the first of these publishers to send a value or a completion, and cancels the others.
  ///
  /// ![Marble diagram of amb-many](amb-many.svg)
  ///
  /// An empty collection finishes at once. See ``Streams/Publisher/amb(_:)``.
  @_disfavoredOverload
  @inlinable
  public func amb() -> AnyPublisher<Element.Output, Element.Failure> {
    MorePublishers.AmbMany(self).eraseToAnyPublisher()
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/amb(_:)``.
  public struct Amb<First: Publisher, Second: Publisher>: Publisher
  where First.Output == Second.Output, First.Failure == Second.Failure {
    public typealias Output = First.Output
    public typealias Failure = First.Failure

    /// The publisher that is subscribed to first.
    public let first: First
    /// The publisher that is subscribed to second, unless the first has already won.
    public let second: Second

    /// Creates the publisher that `first.amb(second)` returns.
    @inlinable
    public init(first: First, second: Second) {
      self.first = first
      self.second = second
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Amb", for: subscriber) { core in
        let state = core.ambState()
        core.addCandidate(first, to: state)
        core.addCandidate(second, to: state)
      }
    }
  }

  /// The publisher returned by ``Swift/Collection/amb()``.
  public struct AmbMany<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The competing publishers, in the order of their subscriptions.
    public let publishers: [Upstream]

    /// Creates a publisher that mirrors the first of a sequence of publishers to send.
    @inlinable
    public init<Upstreams: Swift.Sequence>(_ publishers: Upstreams) where Upstreams.Element == Upstream {
      self.publishers = Array(publishers)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Amb", for: subscriber) { core in
        let state = core.ambState()
        for publisher in publishers { core.addCandidate(publisher, to: state) }
        if publishers.isEmpty { core.finish(.finished) }
      }
    }
  }
}

/// The candidates, until one of them is chosen.
@usableFromInline
final class AmbState<Value> {
  @exclusivity(unchecked)  // inside the core's drain loop only
  @usableFromInline var candidates: [UpstreamHandle] = []
  @exclusivity(unchecked)  // as above
  @usableFromInline var winner: UpstreamHandle?
  @exclusivity(unchecked)  // as above
  @usableFromInline var isCancellingOthers = false
  /// The value that has won, until it is sent.
  @exclusivity(unchecked)  // as above
  @usableFromInline var first: Value?

  @usableFromInline init() {}
}

extension OperatorCore {
  @usableFromInline
  func ambState() -> AmbState<Output> {
    let state = AmbState<Output>()
    onRequest { core, _ in
      if core.outstandingDemand == .none { return }
      for handle in state.candidates where state.winner == nil { handle.raiseDemand(to: .max(1)) }
    }
    return state
  }

  @inlinable
  func addCandidate<Upstream: Publisher>(_ publisher: Upstream, to state: AmbState<Output>)
  where Upstream.Output == Output, Upstream.Failure == Failure {
    if state.winner != nil { return }
    let handle = UpstreamHandle(requesting: outstandingDemand > .none ? .max(1) : .none)
    state.candidates.append(handle)
    subscribe(to: publisher, handle) { value in
      let isFirst = state.winner == nil
      guard self.choose(handle, in: state) else { return }
      if isFirst {
        state.first = value
        self.requestRest(of: handle)
        self.emitFirst(of: state)
      } else {
        self.emitFirst(of: state)
        self.emit(value)
      }
    } onCompletion: { completion in
      guard self.choose(handle, in: state) else { return }
      self.emitFirst(of: state)
      if !state.isCancellingOthers { return self.finish(completion) }
      self.performAfterDelivery { self.finish(completion) }  // the value that won comes first
    }
  }

  /// Chooses `handle` if it is the first. The cancellation of one of the others may make any of them send or complete.
  ///
  /// - Returns: False if another was chosen.
  @usableFromInline
  func choose(_ handle: UpstreamHandle, in state: AmbState<Output>) -> Bool {
    if let winner = state.winner { return winner === handle }
    state.winner = handle
    let others = state.candidates.filter { $0 !== handle }
    state.candidates = []
    state.isCancellingOthers = true
    for other in others { cancel(other) }
    state.isCancellingOthers = false
    if handle.isLive { primary = handle }
    return true
  }

  /// Requests the rest before the value that has won is sent: downstream may make the winner send more.
  @usableFromInline
  func requestRest(of handle: UpstreamHandle) {
    guard primary === handle else { return }
    handle.raiseDemand(atOnceTo: outstandingDemand - 1)
  }

  /// Sends the value that has won, once: the winner may send more, or complete, while the rest is requested.
  @inlinable @inline(__always)
  func emitFirst(of state: AmbState<Output>) {
    if let value = state.first.take() { emit(value) }
  }
}

extension YieldingNames {
  /// The publisher returned by ``Streams/Publisher/amb(_:)``.
  public typealias Amb<First: Publisher, Second: Publisher> = MorePublishers.Amb<First, Second>
  where First.Output == Second.Output, First.Failure == Second.Failure
}
