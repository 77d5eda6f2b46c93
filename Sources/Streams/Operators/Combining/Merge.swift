extension Publisher {
  /// Merges the values of two publishers in the order in which they arrive.
  ///
  /// ![Marble diagram of merge](merge.svg)
  ///
  /// ```swift
  /// let letters = PassthroughSubject<String, Never>()
  /// let digits = PassthroughSubject<String, Never>()
  /// let cancellable = letters.merge(with: digits).sink { print($0) }
  /// letters.send("a")  // Prints a
  /// digits.send("1")  // Prints 1
  /// ```
  ///
  /// Until demand is unlimited, one value is requested from each publisher ahead of it. The stream finishes when both
  /// publishers have finished and their values are sent, and fails with the first failure.
  @inlinable
  public func merge<P: Publisher>(
    with other: P
  ) -> Publishers.Merge<Self, P>
  where
    P.Output == Output, P.Failure == Failure
  {
    Publishers.Merge(self, other)
  }

  /// Merges the values of three publishers in the order in which they arrive.
  ///
  /// ![Marble diagram of merge-many](merge-many.svg)
  @inlinable
  public func merge<B: Publisher, C: Publisher>(
    with b: B, _ c: C
  ) -> Publishers.Merge3<Self, B, C>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure
  {
    Publishers.Merge3(self, b, c)
  }

  /// Merges the values of four publishers in the order in which they arrive.
  ///
  /// ![Marble diagram of merge-many](merge-many.svg)
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher>(
    with b: B, _ c: C, _ d: D
  ) -> Publishers.Merge4<Self, B, C, D>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure
  {
    Publishers.Merge4(self, b, c, d)
  }

  /// Merges the values of five publishers in the order in which they arrive.
  ///
  /// ![Marble diagram of merge-many](merge-many.svg)
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E
  ) -> Publishers.Merge5<Self, B, C, D, E>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure,
    E.Output == Output, E.Failure == Failure
  {
    Publishers.Merge5(self, b, c, d, e)
  }

  /// Merges the values of six publishers in the order in which they arrive.
  ///
  /// ![Marble diagram of merge-many](merge-many.svg)
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.Merge6<Self, B, C, D, E, F>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure,
    E.Output == Output, E.Failure == Failure,
    F.Output == Output, F.Failure == Failure
  {
    Publishers.Merge6(self, b, c, d, e, f)
  }

  /// Merges the values of seven publishers in the order in which they arrive.
  ///
  /// ![Marble diagram of merge-many](merge-many.svg)
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Publishers.Merge7<Self, B, C, D, E, F, G>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure,
    E.Output == Output, E.Failure == Failure,
    F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure
  {
    Publishers.Merge7(self, b, c, d, e, f, g)
  }

  /// Merges the values of eight publishers in the order in which they arrive.
  ///
  /// ![Marble diagram of merge-many](merge-many.svg)
  @inlinable
  public func merge<
    B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher
  >(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure,
    E.Output == Output, E.Failure == Failure,
    F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure,
    H.Output == Output, H.Failure == Failure
  {
    Publishers.Merge8(self, b, c, d, e, f, g, h)
  }

  /// Merges the values of two publishers of the same type. The result can be extended with more of that type.
  ///
  /// ![Marble diagram of merge](merge.svg)
  @inlinable
  public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany([self, other]) }
}
