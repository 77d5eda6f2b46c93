extension Publisher {
  /// Sends `output` in place of `nil`.
  ///
  /// ```swift
  /// Just<Int?>(nil).replaceNil(with: 0).sink { print($0) }  // 0
  /// ```
  @inlinable
  public func replaceNil<Wrapped>(with output: Wrapped) -> Publishers.Map<Self, Wrapped>
  where Output == Wrapped? {
    Publishers.Map(upstream: self) { $0 ?? output }
  }
}
