extension OperatorCore {
  /// Sends `value`, or stores it if fewer than `size` values wait. Otherwise `whenFull` decides.
  @inlinable
  package func emit(
    _ value: Output, keeping size: Int, whenFull: Publishers.BufferingStrategy<Failure>
  ) {
    if isEnding { return }
    if demand > .none && waitingCount == 0 && !isDraining || waitingCount < size { return emit(value) }
    switch whenFull {
    case .dropNewest: drop(value, because: .full)
    case .dropOldest:
      guard size > 0, let oldest = next() else { return drop(value, because: .full) }
      emit(value)
      drop(oldest.0, because: .full)
    case .customError(let make): finish(.failure(make()), afterAll: true)
    }
  }
}
