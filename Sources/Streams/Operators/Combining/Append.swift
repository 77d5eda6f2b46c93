extension Publisher {
  /// Sends `elements` after this publisher has finished.
  @inlinable
  public func append(_ elements: Output...)
    -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>>
  {
    append(elements)
  }

  /// Sends the elements of a sequence after this publisher has finished.
  @inlinable
  public func append<Elements: Sequence>(
    _ elements: Elements
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<Elements, Failure>> where Elements.Element == Output {
    append(Publishers.Sequence<Elements, Failure>(sequence: elements))
  }

  /// Sends the values of `publisher` after this publisher has finished.
  ///
  /// ![Marble diagram of append](append.svg)
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher
  ///   .append([3].publisher)
  ///   .sink { print($0) }
  /// // Prints 1, 2, 3
  /// ```
  ///
  /// `publisher` is subscribed to when this publisher has finished, so values that a ``PassthroughSubject`` sends earlier
  /// are lost. It receives the remaining demand. If this publisher fails, `publisher` is not subscribed to.
  @inlinable
  public func append<Suffix: Publisher>(_ publisher: Suffix) -> Publishers.Concatenate<Self, Suffix>
  where Suffix.Output == Output, Suffix.Failure == Failure {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/append(_:)-(Suffix)`` and ``Publisher/prepend(_:)-(Prefix)``.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
    public typealias Output = Suffix.Output
    public typealias Failure = Suffix.Failure

    /// The publisher whose values are sent first.
    public let prefix: Prefix
    /// The publisher that is subscribed to when `prefix` has finished.
    public let suffix: Suffix

    /// Creates the publisher that `prefix.append(suffix)` returns.
    @inlinable
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      prefix.subscribe(ConcatenatePlan(suffix), subscriber)
    }
  }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}
extension Publishers.Concatenate: Sendable where Prefix: Sendable, Suffix: Sendable {}

@frozen @usableFromInline
struct ConcatenatePlan<Next: Publisher>: ConcatenationPlan {
  @usableFromInline typealias First = Next.Failure

  @inlinable static var name: String { "Concatenate" }
  @inlinable static var zeroDemand: ZeroDemand { .passes }

  @usableFromInline let suffix: Next

  @inlinable
  init(_ suffix: Next) { self.suffix = suffix }

  @inlinable
  func next(after completion: Subscribers.Completion<First>, wasEmpty: Bool) -> Following<Next> {
    if case .finished = completion { .publisher(suffix) } else { .end(completion) }
  }
}
