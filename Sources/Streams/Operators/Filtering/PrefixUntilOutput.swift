extension Publisher {
  /// Sends values until `publisher` sends its first value, then cancels the upstream and finishes.
  ///
  /// ![Marble diagram of prefix-until-output](prefix-until-output.svg)
  ///
  /// A completion of `publisher` has no effect.
  @inlinable
  public func prefix<Other: Publisher>(
    untilOutputFrom publisher: Other
  ) -> Publishers.PrefixUntilOutput<Self, Other> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/prefix(untilOutputFrom:)``.
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first values are sent.
    public let upstream: Upstream
    /// The publisher whose first value finishes the stream.
    public let other: Other

    /// Creates the publisher that `upstream.prefix(untilOutputFrom: other)` returns.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (upstream, other) = (upstream, other)
      OperatorCore.start("PrefixUntilOutput", cancelOrder: .latestFirst, for: subscriber) { core in
        let isOpen = Box(true)
        let trigger = UpstreamHandle(requesting: .max(1))
        core.subscribe(to: other, trigger) { _ in
          isOpen.value = false  // first: the cancellation may make upstream send
          core.cancel(trigger)
          core.finish(.finished)
        } onCompletion: { _ in
        }
        core.subscribePrimary(to: upstream) { value in
          if isOpen.value { core.emit(value) }
        } onCompletion: { completion in
          if isOpen.value { core.finish(completion) }
        }
      }
    }
  }
}

extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
extension Publishers.PrefixUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
