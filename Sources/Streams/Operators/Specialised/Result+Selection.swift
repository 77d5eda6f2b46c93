extension Result.Publisher {
  // MARK: Filtering

  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func first() -> Result<Output, Failure>.Publisher { self }

  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func last() -> Result<Output, Failure>.Publisher { self }

  /// Returns this publisher. The closure is not called, because there is at most one value.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// If there is a value, calls the closure once, immediately, with the value twice. Fails if the closure throws.
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

  /// Sends the value, or `output` instead of the failure.
  @inlinable
  public func replaceError(with output: Output) -> Result<Output, Never>.Publisher {
    result.flatMapError { _ in .success(output) }.publisher
  }

  /// Returns this publisher, because it is never empty.
  @inlinable
  public func replaceEmpty(with output: Output) -> Result<Output, Failure>.Publisher { self }

  /// Returns this publisher, because another attempt would have the same result.
  @inlinable
  public func retry(_ times: Int) -> Result<Output, Failure>.Publisher { self }
}

extension Result.Publisher where Failure == Never {
  /// Declares a type of failure.
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Result<Output, NewFailure>.Publisher {
    switch result {
    case .success(let output): Result<Output, NewFailure>.Publisher(.success(output))
    }
  }
}
