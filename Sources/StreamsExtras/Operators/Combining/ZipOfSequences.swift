// Inside a type, a member hides the functions of the standard library that have its name, whatever their parameters.
// Collections have `zip()` here, so without these members no collection could call `zip` in its own code, nor in that of a
// dependency.

extension Collection {
  /// Creates a sequence of pairs of two sequences: `Swift.zip`, for code inside a collection type.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @_transparent
  public func zip<First: Sequence, Second: Sequence>(
    _ first: First, _ second: Second
  ) -> Zip2Sequence<First, Second> { Swift.zip(first, second) }

  /// Creates a sequence of pairs of two sequences: `Swift.zip`, for static code inside a collection type.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @_transparent
  public static func zip<First: Sequence, Second: Sequence>(
    _ first: First, _ second: Second
  ) -> Zip2Sequence<First, Second> { Swift.zip(first, second) }
}
