extension Publishers {
  /// A publisher that passes on what any number of publishers of one type send, as it comes.
  ///
  /// Without publishers it finishes at once. See ``Publisher/merge(with:)-(P)``.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// Those whose values are sent as they come; subscribed to in this order.
    public let publishers: [Upstream]

    /// Merges these publishers.
    @inlinable
    public init(_ upstream: Upstream...) { publishers = upstream }

    /// Merges the publishers of a sequence.
    @inlinable
    public init<Upstreams: Swift.Sequence>(_ upstream: Upstreams) where Upstreams.Element == Upstream {
      publishers = Array(upstream)
    }

    /// One publisher more, in the same stage.
    @inlinable
    public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let merging = Merging(of: publishers.count, to: subscriber)
      subscriber.receive(subscription: merging)
      for publisher in publishers { merging.join(publisher) }
      if publishers.isEmpty { merging.finishEmpty() }
    }
  }
}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}
extension Publishers.MergeMany: Sendable where Upstream: Sendable {}
