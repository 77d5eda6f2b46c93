extension Publisher {
  /// Drops values until `publisher` sends its first value.
  ///
  /// ![Marble diagram of drop-until-output](drop-until-output.svg)
  ///
  /// A dropped value uses up demand. If `publisher` ends without a value, the stream ends the same way. After its first
  /// value, `publisher` is cancelled.
  @inlinable
  public func drop<Other: Publisher>(untilOutputFrom publisher: Other)
    -> Publishers.DropUntilOutput<Self, Other>
  where Other.Failure == Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/drop(untilOutputFrom:)``.
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
  where Upstream.Failure == Other.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first values are dropped.
    public let upstream: Upstream
    /// The publisher whose first value ends the dropping.
    public let other: Other

    /// Creates the publisher that `upstream.drop(untilOutputFrom: other)` returns.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (upstream, other) = (upstream, other)
      OperatorCore.start("DropUntilOutput", cancelOrder: .latestFirst, for: subscriber) { core in
        let isOpen = Box(false)
        let trigger = UpstreamHandle(requesting: .max(1))
        core.subscribe(to: other, trigger) { _ in
          isOpen.value = true  // first: the cancellation may make upstream send
          core.cancel(trigger)
        } onCompletion: { completion in
          core.finish(completion)
        }
        // Not the primary one: no other values are requested in place of those that are dropped.
        let handle = UpstreamHandle(requesting: core.demand)
        core.onRequest { _, more in handle.requestMore(more) }
        core.subscribe(to: upstream, handle) { value in
          if isOpen.value { core.emit(value) }
        } onCompletion: { completion in
          core.finish(completion)
        }
      }
    }
  }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
extension Publishers.DropUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
