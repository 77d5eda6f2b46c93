extension Publisher {
  /// Sends `output` in place of `nil`.
  ///
  /// ```swift
  /// [1, nil, 3].publisher.replaceNil(with: 0).sink { print($0) }  // 1 0 3
  /// ```
  @inlinable
  public func replaceNil<Wrapped>(with output: Wrapped) -> Publishers.Map<Self, Wrapped>
  where Output == Wrapped? {
    Publishers.Map(upstream: self) { $0 ?? output }
  }
}
