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

  /// Merges the values of two publishers of the same type. The result can be extended with more of that type.
  ///
  /// ![Marble diagram of merge](merge.svg)
  @inlinable
  public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany([self, other]) }
}
