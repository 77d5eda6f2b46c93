extension Publisher {
  /// Drops all values, and sends only the completion, as a publisher of `NewOutput`.
  @_disfavoredOverload
  @inlinable
  public func ignoreOutput<NewOutput>(
    setOutputType outputType: NewOutput.Type
  ) -> Publishers.Map<Publishers.IgnoreOutput<Self>, NewOutput> {
    ignoreOutput().setOutputType(to: outputType)
  }
}
