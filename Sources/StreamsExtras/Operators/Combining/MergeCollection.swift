extension Publisher {
  /// Merges the values of this publisher and a collection of others in the order in which they arrive.
  ///
  /// ![Marble diagram of merge-many](merge-many.svg)
  ///
  /// See `merge(with:)`.
  @_disfavoredOverload
  @inlinable
  public func merge<Others: Collection>(with others: Others) -> AnyPublisher<Output, Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    ([eraseToAnyPublisher()] + others.map { $0.eraseToAnyPublisher() }).merge()
  }
}

extension Collection where Element: Publisher {
  /// Merges the values of these publishers in the order in which they arrive. An empty collection finishes at once.
  ///
  /// ![Marble diagram of merge-many](merge-many.svg)
  @_disfavoredOverload
  @inlinable
  public func merge() -> AnyPublisher<Element.Output, Element.Failure> {
    Publishers.MergeMany(self).eraseToAnyPublisher()
  }

  /// Sends the values of these publishers, one publisher after another.
  ///
  /// ![Marble diagram of concat](concat.svg)
  ///
  /// Each publisher is subscribed to when the previous one has finished, so values that a subject sends earlier are
  /// lost. It receives the remaining demand. The first failure ends the stream.
  @_disfavoredOverload
  @inlinable
  public func concat() -> MorePublishers.ConcatMany<Element> { MorePublishers.ConcatMany(self) }
}

extension Publisher {
  /// Sends `elements` before the values of this publisher. The same as `prepend(_:)`, with a name of other libraries.
  @_disfavoredOverload
  @inlinable
  public func startWith(
    _ elements: Output...
  ) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
    prepend(elements)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Swift/Collection/concat()``.
  public struct ConcatMany<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publishers, in the order in which their values are sent.
    public let publishers: [Upstream]

    /// Creates a publisher that sends the values of a sequence of publishers, one after another.
    @inlinable
    public init<Upstreams: Swift.Sequence>(_ publishers: Upstreams) where Upstreams.Element == Upstream {
      self.publishers = Array(publishers)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Concat", for: subscriber) { core in
        var queue = RingQueue<Upstream>()
        for publisher in publishers { queue.append(publisher) }
        core.concatenate(PublisherQueue(queue))
      }
    }
  }
}

/// The publishers that follow. Each is released once it is subscribed to.
@usableFromInline
final class PublisherQueue<Upstream> {
  @exclusivity(unchecked)  // inside the core's drain loop only
  @usableFromInline var queue: RingQueue<Upstream>

  @usableFromInline init(_ queue: RingQueue<Upstream>) { self.queue = queue }
}

extension OperatorCore {
  /// Subscribes to one publisher after another.
  @inlinable
  func concatenate<Upstream: Publisher>(_ rest: PublisherQueue<Upstream>)
  where Upstream.Output == Output, Upstream.Failure == Failure {
    guard let next = rest.queue.popFirst() else { return finish(.finished) }
    bounce { [unowned self] in  // the core runs it
      forward(next) { completion in
        if completion.isFailure { self.finish(completion) } else { self.concatenate(rest) }
      }
    }
  }
}
