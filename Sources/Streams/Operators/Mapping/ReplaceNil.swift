extension Publisher {
  /// Replaces `nil` with `output`.
  ///
  /// ```swift
  /// let cancellable = Just<Int?>(nil)
  ///   .replaceNil(with: 0)
  ///   .sink { print($0) }
  /// // Prints 0
  /// ```
  @inlinable
  public func replaceNil<Wrapped>(with output: Wrapped) -> Publishers.Map<Self, Wrapped>
  where Output == Wrapped? {
    Publishers.Map(upstream: self) { $0 ?? output }
  }
}
