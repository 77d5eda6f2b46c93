extension Publisher {
  /// Sends each value of this publisher, then the values of the publisher that `transform` creates for it, and so on.
  ///
  /// ![Marble diagram of expand](expand.svg)
  ///
  /// It follows links, such as those from a page of results to the next one. One publisher runs at a time, so a long chain of
  /// them does not deepen the stack. Breadth-first, the values of this publisher are followed once it has finished, so it must
  /// be finite. Depth-first, each value is followed before the next one is requested, so a subject loses what it sends
  /// meanwhile. The stream finishes when there is nothing left to follow, and fails with the first failure.
  ///
  /// - Complexity: Breadth-first, keeps the values that are not followed yet; depth-first, the publishers on the way to the
  ///   current one that have not finished.
  @_disfavoredOverload
  @inlinable
  public func expand<Child: Publisher>(
    _ order: MorePublishers.ExpandOrder = .breadthFirst, _ transform: @escaping (Output) -> Child
  ) -> MorePublishers.Expand<Self, Child> where Child.Output == Output, Child.Failure == Failure {
    MorePublishers.Expand(upstream: self, order: order, transform: transform)
  }
}

extension MorePublishers {
  /// The order in which ``Streams/Publisher/expand(_:_:)`` follows values.
  @frozen
  public enum ExpandOrder: Sendable {
    /// In the order in which they were sent: all siblings before the first child.
    case breadthFirst
    /// Each value before its next sibling.
    case depthFirst
  }

  /// The publisher returned by ``Streams/Publisher/expand(_:_:)``.
  public struct Expand<Upstream: Publisher, Child: Publisher>: Publisher
  where Child.Output == Upstream.Output, Child.Failure == Upstream.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher of the first values.
    public let upstream: Upstream
    /// The order in which values are followed.
    public let order: ExpandOrder
    /// Creates the publisher that follows a value.
    public let transform: (Output) -> Child

    /// Creates the publisher that `upstream.expand(order, transform)` returns.
    @inlinable
    public init(upstream: Upstream, order: ExpandOrder, transform: @escaping (Output) -> Child) {
      self.upstream = upstream
      self.order = order
      self.transform = transform
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Expand", cancelOrder: .latestFirst, for: subscriber) { core in
        let expansion = Expansion(core, order, transform)
        core.onRequest { core, _ in core.bounce { expansion.step() } }
        expansion.listen(to: upstream)
      }
    }
  }
}

/// Follows values, one publisher at a time. The core holds it until the stream is over.
@usableFromInline
final class Expansion<Child: Publisher, Downstream: Subscriber>
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline unowned let core: OperatorCore<Downstream>
  @usableFromInline let order: MorePublishers.ExpandOrder
  @usableFromInline let transform: (Child.Output) -> Child
  /// The upstreams that have not finished, of which the last one runs. Breadth-first, there is one at most.
  @exclusivity(unchecked)  // inside the core's drain loop only, as all that follows
  @usableFromInline var open: [UpstreamHandle] = []
  /// The values that were sent, and are to be followed.
  @exclusivity(unchecked)
  @usableFromInline var unfollowed = RingQueue<Child.Output>()

  @inlinable
  init(
    _ core: OperatorCore<Downstream>, _ order: MorePublishers.ExpandOrder,
    _ transform: @escaping (Child.Output) -> Child
  ) {
    self.core = core
    self.order = order
    self.transform = transform
    core.state = self
  }

  @inlinable
  func listen<Upstream: Publisher>(to upstream: Upstream)
  where Upstream.Output == Child.Output, Upstream.Failure == Child.Failure {
    let handle = UpstreamHandle()
    open.append(handle)
    // What another thread sends may arrive when the core, which alone holds it, has released it.
    let onValue = { [weak self] (value: Child.Output) in _ = self?.follow(value) }
    let onCompletion = { [weak self] (completion: Subscribers.Completion<Child.Failure>) in
      _ = self?.end(handle, completion)
    }
    switch order {
    case .breadthFirst:
      core.subscribePrimary(to: upstream, handle, onValue: onValue, onCompletion: onCompletion)
    case .depthFirst:
      askForOne(handle)
      core.subscribe(to: upstream, handle, onValue: onValue, onCompletion: onCompletion)
    }
  }

  @inlinable
  func follow(_ value: Child.Output) {
    unfollowed.append(value)  // first: inside the delivery, downstream may request more, or end the publisher
    core.emit(value)
    if order == .depthFirst { core.bounce { self.step() } }
  }

  @inlinable
  func end(_ handle: UpstreamHandle, _ completion: Subscribers.Completion<Child.Failure>) {
    if completion.isFailure { return core.finish(completion) }
    if let index = open.lastIndex(where: { $0 === handle }) { open.remove(at: index) }
    core.bounce { self.step() }
  }

  /// Goes on, if nothing is under way.
  @inlinable
  func step() {
    if core.isEnding { return }
    if let running = open.last {
      switch order {
      case .breadthFirst: return
      case .depthFirst: if unfollowed.isEmpty { return askForOne(running) }
      }
    }
    guard let value = unfollowed.popFirst() else { return core.finish(.finished) }
    listen(to: transform(value))
  }

  @inlinable
  func askForOne(_ handle: UpstreamHandle) {
    if core.outstandingDemand > .none { handle.raiseDemand(to: .max(1)) }
  }
}
