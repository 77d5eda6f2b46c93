extension YieldingNames {
  /// Creates a publisher of the values that `next` returns, until it returns `nil`.
  ///
  /// ```swift
  /// Publishers.unfold(1) { n in
  ///   defer { n *= 2 }
  ///   return n < 100 ? n : nil
  /// }
  /// ```
  ///
  /// Each subscription has its own state. One value is computed ahead of demand, so that the completion follows the
  /// last value directly.
  @_disfavoredOverload
  public static func unfold<State, Element>(
    _ state: State, _ next: @escaping (inout State) -> Element?
  ) -> Publishers.Sequence<UnfoldSequence<Element, State>, Never> {
    Publishers.Sequence(sequence: Swift.sequence(state: state, next: next))
  }

  /// Creates a publisher of the values that an asynchronous closure returns, until it returns `nil`.
  ///
  /// The closure is called for one requested value at a time.
  @_disfavoredOverload
  public static func unfold<State: Sendable, Element: Sendable>(
    _ state: State, _ next: @escaping @Sendable (inout State) async -> Element?
  ) -> AsyncSequencePublisher<AsyncUnfolding<State, Element>> {
    AsyncSequencePublisher(AsyncUnfolding(state: state, next: next))
  }

  /// Creates a publisher that sends `value` `count` times, or without end if `count` is `nil`.
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

  /// Creates a publisher of the numbers in `range`.
  @_disfavoredOverload
  public static func range<Bound: Strideable>(_ range: Range<Bound>)
    -> Publishers.Sequence<Range<Bound>, Never>
  where Bound.Stride: SignedInteger {
    Publishers.Sequence(sequence: range)
  }
}

/// An asynchronous sequence of the elements that a closure returns.
public struct AsyncUnfolding<State: Sendable, Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  let state: State
  let next: @Sendable (inout State) async -> Element?

  public func makeAsyncIterator() -> Iterator { Iterator(state: state, next: next) }

  /// One iteration, with its own state.
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
