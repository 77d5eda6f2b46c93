extension Publisher {
  /// Passes values on until `publisher` sends one: then cancels upstream and finishes.
  ///
  /// How `publisher` ends does not matter.
  @inlinable
  public func prefix<Other: Publisher>(
    untilOutputFrom publisher: Other
  ) -> Publishers.PrefixUntilOutput<Self, Other> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/prefix(untilOutputFrom:)``.
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values pass at first.
    public let upstream: Upstream
    /// Its first value finishes the stream.
    public let other: Other

    /// The same as `upstream.prefix(untilOutputFrom: other)`.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let valve = Valve(.closes, to: subscriber)
      subscriber.receive(subscription: valve)
      other.subscribe(TriggerInlet(valve, Other.Output.self, failure: Other.Failure.self, ending: nil))
      upstream.subscribe(valve)
    }
  }
}

extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
extension Publishers.PrefixUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
