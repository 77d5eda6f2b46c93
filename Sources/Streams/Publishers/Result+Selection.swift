extension Result.Publisher {
  // MARK: Filtering

  /// This: the only value is the first.
  @inlinable
  public func first() -> Result<Output, Failure>.Publisher { self }

  /// This: the only value is the last.
  @inlinable
  public func last() -> Result<Output, Failure>.Publisher { self }

  /// This. The closure is not called: one value has no duplicates.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// The value. The closure is called once, at once, with the value twice, for what it may throw.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryMap { value in
      _ = try predicate(value, value)
      return value
    }
  }

  // MARK: Failing

  /// The value, or `output` in place of the failure.
  @inlinable
  public func replaceError(with output: Output) -> Result<Output, Never>.Publisher {
    result.flatMapError { _ in .success(output) }.publisher
  }

  /// This: it is never empty.
  @inlinable
  public func replaceEmpty(with output: Output) -> Result<Output, Failure>.Publisher { self }

  /// This: trying again would give the same.
  @inlinable
  public func retry(_ times: Int) -> Result<Output, Failure>.Publisher { self }
}

extension Result.Publisher where Failure == Never {
  /// The same value with a failure type.
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Result<Output, NewFailure>.Publisher {
    switch result {
    case .success(let output): Result<Output, NewFailure>.Publisher(.success(output))
    }
  }
}
