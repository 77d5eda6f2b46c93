extension Publishers {
  /// A publisher that merges the values of any number of publishers of one type.
  ///
  /// Without publishers it finishes at once. See ``Publisher/merge(with:)-(P)``.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publishers, in the order of their subscriptions.
    public let publishers: [Upstream]

    /// Creates a publisher that merges the values of these publishers.
    @inlinable
    public init(_ upstream: Upstream...) { publishers = upstream }

    /// Creates a publisher that merges the values of a sequence of publishers.
    @inlinable
    public init<Upstreams: Swift.Sequence>(_ upstream: Upstreams) where Upstreams.Element == Upstream {
      publishers = Array(upstream)
    }

    /// Merges the values of one more publisher, in the same stage.
    @inlinable
    public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let merging = Merging(of: publishers.count, to: subscriber)
      subscriber.receive(subscription: merging)
      for publisher in publishers { merging.join(publisher) }
      merging.finishIfEmpty()
    }
  }
}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}
extension Publishers.MergeMany: Sendable where Upstream: Sendable {}
