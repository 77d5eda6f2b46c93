extension Publisher {
  /// Passes on what this publisher and others send, as it comes. See ``merge(with:)-(P)``.
  @_disfavoredOverload
  @inlinable
  public func merge<Others: Collection>(with others: Others) -> AnyPublisher<Output, Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    ([eraseToAnyPublisher()] + others.map { $0.eraseToAnyPublisher() }).merge()
  }
}

extension Collection where Element: Publisher {
  /// Passes on what these publishers send, as it comes. Without any, it finishes at once.
  @_disfavoredOverload
  @inlinable
  public func merge() -> AnyPublisher<Element.Output, Element.Failure> {
    Publishers.MergeMany(self).eraseToAnyPublisher()
  }

  /// Passes on what these publishers send, one publisher after another.
  ///
  /// ```
  /// 0       -a-b|
  /// 1           --1-2|
  /// result  -a-b--1-2|
  /// ```
  ///
  /// Each is subscribed to when the one before has finished, and is asked for the demand that is left: what a subject
  /// sends before its turn is lost. The first failure ends the stream.
  @_disfavoredOverload
  @inlinable
  public func concat() -> MorePublishers.ConcatMany<Element> { MorePublishers.ConcatMany(self) }
}

extension Publisher {
  /// Sends `elements` first. The same as `prepend(_:)`, under the name of other libraries.
  @_disfavoredOverload
  @inlinable
  public func startWith(
    _ elements: Output...
  ) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
    prepend(elements)
  }
}

extension MorePublishers {
  /// The publisher of ``Swift/Collection/concat()``.
  public struct ConcatMany<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// Those whose values are sent, one publisher after another.
    public let publishers: [Upstream]

    /// The publishers of a sequence.
    @inlinable
    public init<Upstreams: Swift.Sequence>(_ publishers: Upstreams) where Upstreams.Element == Upstream {
      self.publishers = Array(publishers)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("Concat", for: subscriber) { desk in
        var queue = Fifo<Upstream>()
        for publisher in publishers { queue.append(publisher) }
        desk.play(Program(queue))
      }
    }
  }
}

/// What is still to be played. Who has had its turn is let go of.
@usableFromInline
final class Program<Upstream> {
  @exclusivity(unchecked)  // inside the desk's reception only
  @usableFromInline var queue: Fifo<Upstream>

  @usableFromInline init(_ queue: Fifo<Upstream>) { self.queue = queue }
}

extension Desk {
  /// Follows one publisher after another.
  @inlinable
  func play<Upstream: Publisher>(_ program: Program<Upstream>)
  where Upstream.Output == Output, Upstream.Failure == Failure {
    guard let next = program.queue.popFirst() else { return finish(.finished) }
    move { [unowned self] in  // it is the desk that runs it
      follow(next) {
        self.emit($0)
      } ended: { completion in
        if completion.isFailure { self.finish(completion) } else { self.play(program) }
      }
    }
  }
}
