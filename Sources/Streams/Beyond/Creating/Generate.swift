extension YieldingNames {
  /// A publisher of what `next` makes, value by value, until it makes none.
  ///
  /// ```swift
  /// Publishers.unfold(1) { n in
  ///   defer { n *= 2 }
  ///   return n < 100 ? n : nil
  /// }
  /// ```
  ///
  /// Each subscription has a state of its own. One value is made ahead of demand, so that the end comes with the last.
  @_disfavoredOverload
  public static func unfold<State, Element>(
    _ state: State, _ next: @escaping (inout State) -> Element?
  ) -> Publishers.Sequence<UnfoldSequence<Element, State>, Never> {
    Publishers.Sequence(sequence: Swift.sequence(state: state, next: next))
  }

  /// A publisher of what `next` makes, value by value, until it makes none. It is awaited as often as values are asked
  /// for.
  @_disfavoredOverload
  public static func unfold<State: Sendable, Element: Sendable>(
    _ state: State, _ next: @escaping @Sendable (inout State) async -> Element?
  ) -> AsyncSequencePublisher<AsyncUnfolding<State, Element>> {
    AsyncSequencePublisher(AsyncUnfolding(state: state, next: next))
  }

  /// A publisher of `value`, `count` times; without end if `nil`.
  @_disfavoredOverload
  public static func repeating<Element>(
    _ value: Element, count: Int? = nil
  ) -> Publishers.Sequence<UnfoldSequence<Element, Int>, Never> {
    Publishers.Sequence(
      sequence: Swift.sequence(state: count ?? .max) { left in
        if left <= 0 { return nil }
        if count != nil { left -= 1 }
        return value
      })
  }

  /// A publisher of the numbers of `range`.
  @_disfavoredOverload
  public static func range<Bound: Strideable>(_ range: Range<Bound>)
    -> Publishers.Sequence<Range<Bound>, Never>
  where Bound.Stride: SignedInteger {
    Publishers.Sequence(sequence: range)
  }
}

/// What an asynchronous closure makes, element by element.
public struct AsyncUnfolding<State: Sendable, Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  let state: State
  let next: @Sendable (inout State) async -> Element?

  public func makeAsyncIterator() -> Iterator { Iterator(state: state, next: next) }

  /// One iteration, with a state of its own.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Never

    var state: State
    let next: @Sendable (inout State) async -> Element?

    public mutating func next() async -> Element? { await next(isolation: nil) }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await next(&state)
    }
  }
}
