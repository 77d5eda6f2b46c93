extension Publisher {
  /// Drops values until `publisher` sends one.
  ///
  /// What is dropped counts as delivered: it was asked for. If `publisher` ends before it has sent anything, this
  /// ends the same way; afterwards `publisher` no longer matters, and is cancelled.
  @inlinable
  public func drop<Other: Publisher>(untilOutputFrom publisher: Other)
    -> Publishers.DropUntilOutput<Self, Other>
  where Other.Failure == Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/drop(untilOutputFrom:)``.
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
  where Upstream.Failure == Other.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are left out at first.
    public let upstream: Upstream
    /// From its first value on they pass.
    public let other: Other

    /// The same as `upstream.drop(untilOutputFrom: other)`.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let valve = Valve(.opens, to: subscriber)
      subscriber.receive(subscription: valve)
      other.subscribe(TriggerInlet(valve, Other.Output.self, failure: Failure.self, ending: { $0 }))
      upstream.subscribe(valve)
    }
  }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
extension Publishers.DropUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
