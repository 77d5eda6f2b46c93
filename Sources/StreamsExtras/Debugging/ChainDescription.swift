extension Publisher {
  /// The chain of publishers that ends here, from the last operator to its upstreams, as far as types are visible.
  ///
  /// ```
  /// Map
  ///   Zip
  ///     Sequence
  ///     PassthroughSubject
  /// ```
  ///
  /// The publishers below a publisher are those that it stores. An ``AnyPublisher`` hides what it wraps.
  @_disfavoredOverload
  public var chainDescription: String { ChainReader.lines(of: self, depth: 0).joined(separator: "\n") }
}

/// Finds the upstreams of a publisher: they are its properties.
private enum ChainReader {
  static func lines(of part: any Publisher, depth: Int) -> [String] {
    let line = String(repeating: "  ", count: depth) + name(of: part)
    return [line] + upstreams(of: part).flatMap { lines(of: $0, depth: depth + 1) }
  }

  /// The name of the type, without its parameters.
  static func name(of part: any Publisher) -> String {
    String("\(type(of: part))".prefix { $0 != "<" })
  }

  private static func upstreams(of part: any Publisher) -> [any Publisher] {
    Mirror(reflecting: part).children.flatMap { child -> [any Publisher] in
      if let one = child.value as? any Publisher { return [one] }
      if let many = child.value as? [any Publisher] { return many }
      return []
    }
  }
}
